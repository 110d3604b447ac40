"""Lumped systems: masses, springs and dashpots, obstacles with friction, nine integrators."""

from fecontact.lumped.run import LumpedRun

__all__ = ["LumpedRun"]
