"""Geometry and animation of the drawn model."""
