"""Algorithms of one time step: linear, Newton and explicit."""
