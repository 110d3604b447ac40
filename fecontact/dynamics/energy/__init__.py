"""Energy balance of a run."""
