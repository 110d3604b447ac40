"""Pages of the report, of comparisons and of sweeps."""
