"""Fixtures of the reports of synthetic runs."""

from synthetic_fixtures import hostile_study, shoe, shoe_study

__all__ = ["hostile_study", "shoe", "shoe_study"]
