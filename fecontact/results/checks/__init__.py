"""Checks of a run: measures, references, tables on the terminal, refinement series."""
