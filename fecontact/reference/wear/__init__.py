"""Wear of obstacles and surfaces."""
