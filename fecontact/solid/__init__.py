"""Elastic bodies on dolfinx: matrices, loads, supports and springs as a linear bulk."""

from fecontact.solid.solid import Solid

__all__ = ["Solid"]
