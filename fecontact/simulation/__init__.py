"""One study, one run: the parts built, stepped, recorded."""

from fecontact.simulation.simulation import Simulation

__all__ = ["Simulation"]
