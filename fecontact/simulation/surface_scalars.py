"""Numbers of a contact surface at the end of a run, and of its whole contact.

contact.PAIR.width          length of the slave edge that is closed, m
contact.PAIR.stick_width    length that sticks, m
contact.PAIR.peak_pressure  largest pressure at a slave node, Pa
contact.PAIR.closed_time    time during which some slave node is closed, s
contact.PAIR.impulse        ∫ normal force dt, N·s per m
contact.PAIR.wear_energy    ∫∫ pressure · |d slip| ds, J per m
contact.PAIR.worn_volume    Archard's, wear · wear_energy, m³ per m

A width is the sum of the tributary lengths of nodes: it is known to an element, half of one at
either end. Times and impulses are sums over the kept steps, of which each counts with the status
and force at its end.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.problem import ContactProblem
from fecontact.record import OPEN, STICK, Array, History, Scalar, SurfaceSeries


def surface_scalars(
    contact: ContactProblem, surfaces: dict[str, SurfaceSeries], history: History
) -> dict[str, Scalar]:
    """All of them, for every pair."""
    scalars: dict[str, Scalar] = {}
    energies = contact.wear_energies()
    for pair, energy in zip(contact.pairs, energies, strict=True):
        surface = surfaces[pair.name]
        length = contact.arrangement.edges[pair.name].length
        normal = history.columns[f"contact.{pair.name}.normal"]
        impulse = float(np.diff(history.time) @ normal[1:])
        values = _of_surface(surface, length) | {
            "impulse": (impulse, "N·s/m", "normal force times time"),
            "wear_energy": (float(energy), "J/m", "pressure times slip over surface and time"),
        }
        if pair.settings.wear > 0:
            volume = pair.settings.wear * float(energy)
            values["worn_volume"] = (volume, "m³/m", "Archard's law")
        for name, (value, unit, meaning) in values.items():
            scalars[f"contact.{pair.name}.{name}"] = Scalar(value, unit, meaning)
    return scalars


def _of_surface(surface: SurfaceSeries, length: Array) -> dict[str, tuple[float, str, str]]:
    last, step = surface.status[-1], np.diff(surface.time)
    closed = (surface.status[1:] != OPEN).any(axis=1)
    return {
        "width": (float(length[last != OPEN].sum()), "m", "closed length of the slave edge"),
        "stick_width": (float(length[last == STICK].sum()), "m", "its length that sticks"),
        "peak_pressure": (float(surface.pressure[-1].max()), "Pa", "largest pressure at a node"),
        "closed_time": (float(step[closed].sum()), "s", "time with contact"),
    }
