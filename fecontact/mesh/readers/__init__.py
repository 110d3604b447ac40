"""Readers of mesh and geometry files."""
