"""Supports, loads, springs and foundations."""
