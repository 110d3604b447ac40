"""What a run leaves for people to look at: result folder, fields, plots, report, checks."""
