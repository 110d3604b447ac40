"""Lumped systems: masses, springs and dashpots, obstacles with friction, integrators."""

# The study package is always imported first: its tables [obstacles.NAME] and [time] are built from
# the geometries and schemes of this package, which in turn use its base classes.
import fecontact.study  # noqa: F401
