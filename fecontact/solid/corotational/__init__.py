"""Corotational bodies: large rotation, small strain."""
