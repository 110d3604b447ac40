"""Scalar results of contact surfaces, at the end of a run and over the run.

contact.PAIR.contact_width          closed length of the slave edge, m
contact.PAIR.stick_width            sticking length, m
contact.PAIR.peak_pressure          largest pressure at a slave node, Pa
contact.PAIR.contact_duration       time during which any slave node is closed, s
contact.PAIR.impulse                ∫ normal force dt, N·s
contact.PAIR.wear_work              ∫∫ pressure · |d slip| ds, J
contact.PAIR.wear_volume            wear volume of the slave, m³
contact.PAIR.master_wear_volume     wear volume of the master by all its pairs, m³

A width is the sum of the tributary lengths of nodes, with a resolution of one element (half an
element at either end). For bodies without thickness, impulse, energy and volume are per metre.
Durations and impulses are sums over all steps, each with the status and force at its end.
"""

from __future__ import annotations

from fecontact.arrays import Array
from fecontact.contact.problem import ContactProblem
from fecontact.record import OPEN, STICK, Scalar, SurfaceSeries
from fecontact.simulation.output.totals import Totals


def surface_scalars(
    contact: ContactProblem, surfaces: dict[str, SurfaceSeries], totals: Totals, per_depth: str
) -> dict[str, Scalar]:
    """Return all scalars of every pair; per_depth: "/m" if forces and energies are per metre."""
    scalars: dict[str, Scalar] = {}
    energies = contact.wear_energies()
    if contact.wear.jump is not None:
        cycles, meaning = (
            float(contact.wear.cycles[1]),
            ("number of cycles represented by the computed ones"),
        )
        scalars["wear.cycles"] = Scalar(cycles, "1", meaning)
    for i, (pair, energy) in enumerate(zip(contact.pairs, energies, strict=True)):
        length = contact.layout.edges[pair.name].length
        values = _of_surface(surfaces[pair.name], length) | {
            "contact_duration": (float(totals.contact_duration[i]), "s", "time with contact"),
            "impulse": (float(totals.impulse[i]), f"N·s{per_depth}", "normal force times time"),
            "wear_work": (
                float(energy),
                f"J{per_depth}",
                "pressure times slip over surface and time",
            ),
        }
        if pair.settings.wear_law is not None:
            volume = contact.wear.volume(pair.name)
            values["wear_volume"] = (volume, f"m³{per_depth}", "wear of the slave")
        if pair.settings.master_wear_fraction > 0.0:
            volume = contact.wear.volume_of_master(pair.master)
            values["master_wear_volume"] = (volume, f"m³{per_depth}", "wear of the master")
        for name, (value, unit, meaning) in values.items():
            scalars[f"contact.{pair.name}.{name}"] = Scalar(value, unit, meaning)
    return scalars


def _of_surface(surface: SurfaceSeries, length: Array) -> dict[str, tuple[float, str, str]]:
    last = surface.status[-1]
    return {
        "contact_width": (
            float(length[last != OPEN].sum()),
            "m",
            "closed length of the slave edge at the end",
        ),
        "stick_width": (
            float(length[last == STICK].sum()),
            "m",
            "sticking length of the slave edge at the end",
        ),
        "peak_pressure": (
            float(surface.pressure[-1].max()),
            "Pa",
            "largest pressure at a node at the end",
        ),
    }
