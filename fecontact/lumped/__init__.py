"""Lumped systems: masses, springs and dashpots, obstacles with friction, nine integrators."""

# The study comes first, whoever is imported first: its tables [obstacles.NAME] and [time] are made
# of the geometries and schemes in here, and they of its base.
import fecontact.study  # noqa: F401
