"""Models of the tables of a study."""
