"""Validation manual."""
