"""Time integration of a linear bulk with contact: schemes, steps, energy balance, state."""

# The study comes first, whoever is imported first: its table [time] is made of the schemes, and
# they of its base.
import fecontact.study  # noqa: F401
