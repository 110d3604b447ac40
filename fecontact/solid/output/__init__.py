"""Quantities derived from displacements: stress, mean motion, rotation."""
