"""Periodic response of lumped systems: shooting, continuation, and Floquet multipliers."""
