"""Checkpoints and transfer of state between runs."""
