"""Oscillators with friction, stops and dashpots."""
