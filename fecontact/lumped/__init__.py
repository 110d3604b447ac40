"""Lumped systems: masses, springs and dashpots, obstacles with friction, nine integrators."""
