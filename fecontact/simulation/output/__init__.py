"""Histories, fields and scalars of a run."""
