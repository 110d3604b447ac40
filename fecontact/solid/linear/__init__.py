"""Corrections of the linear model: inclined supports, long travel, balance of forces."""
