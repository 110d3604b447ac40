"""Time integration of structural models with contact: schemes, steps, energy balance, state."""

# The study package is always imported first: its table [time] is built from the schemes of this
# package, which in turn use its base classes.
import fecontact.study  # noqa: F401
