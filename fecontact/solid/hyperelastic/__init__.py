"""Hyperelastic bodies: finite strain."""
