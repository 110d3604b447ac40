"""Run of a study: model building, time stepping, recording."""

from fecontact.simulation.simulation import Simulation

__all__ = ["Simulation"]
