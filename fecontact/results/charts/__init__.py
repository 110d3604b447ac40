"""Charts of a run as data, for the report and for Matplotlib."""
