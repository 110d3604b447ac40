"""Unit systems of input files, which contain no units: conversion factors to SI."""

from __future__ import annotations

from typing import NamedTuple


class Units(NamedTuple):
    """Factors of a consistent system of units; time is in seconds."""

    text: str
    length: float
    mass: float

    @property
    def force(self) -> float:
        """Return the factor to N: mass times length over s²."""
        return self.mass * self.length

    @property
    def stress(self) -> float:
        """Return the factor to Pa."""
        return self.mass / self.length

    @property
    def density(self) -> float:
        """Return the factor to kg/m³."""
        return self.mass / self.length**3


UNITS = {
    "m": Units("m, kg, s: N and Pa", 1.0, 1.0),
    "mm": Units("mm, t, s: N and MPa", 1e-3, 1e3),
}
