"""Equations of motion of a lumped system."""
