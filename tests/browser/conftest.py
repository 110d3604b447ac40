"""Fixtures of the reports that the browser opens."""

from synthetic_fixtures import hostile_study, shoe, shoe_study

__all__ = ["hostile_study", "shoe", "shoe_study"]
