"""Energy loss of round bodies that roll on a coarse polygonal boundary.

A mesh approximates a round boundary by a polygon of n corners. This has no effect if the contact is
wider than a few edges. If it is narrower, the body rolls from corner to corner like a rimless
wheel, is lifted by R (1 − cos π/n) on each, and loses energy at each impact (McGeer, 1990,
doi:10.1177/027836499000900206).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fecontact.contact.interface.layout import Pair
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh, RunWarning
from fecontact.simulation.monitors.turns import Turns
from fecontact.simulation.output.totals import Totals
from fecontact.simulation.owners import owners
from fecontact.study.finite_element import FiniteElementStudy

SHARE = 0.05  # of the energy input: a larger loss causes a warning
RESOLVED_ABOVE = 3  # simultaneously closed nodes: contact with more is resolved
ROUND = 0.35  # rad: a sharper corner of the mesh is a corner of the body
CORNERS = 4  # minimum number of corners rolled over


def rolling_losses(
    study: FiniteElementStudy, mesh: ModelMesh, loop: TimeLoop, totals: Totals, turns: Turns
) -> Iterator[RunWarning]:
    """Return a warning for each pair whose round side lost energy by rolling on too few nodes."""
    # General dissipation and energy gain of the scheme are not losses of rolling.
    share = totals.share(min(loop.ledger.contact_loss, totals.dissipated))
    if share <= SHARE:
        return
    for number, pair in enumerate(loop.contact.pairs):
        resting = totals.contact_duration[number] > 0.5 * loop.time
        if not (resting and totals.widest[number] <= RESOLVED_ABOVE):
            continue
        for name, edges in _sides(pair):
            corotational = any(map(study.turns, owners(edges, study, mesh)))
            corner = _corner(mesh.points, edges) if corotational else 0.0
            if 0.0 < corner < ROUND and turns.travel > CORNERS * corner:
                yield RunWarning(
                    f"contact.{pair.name}: {name!r} rolls on at most {totals.widest[number]:g} "
                    f"nodes, like a polygon with corners of {np.degrees(corner):.2g}°; "
                    f"{100 * share:.2g} % of the energy input is lost in impacts. Refine the "
                    "circumference and reduce time.step."
                )


def _sides(pair: Pair) -> Iterator[tuple[str, np.ndarray]]:
    yield pair.settings.slave, pair.slave
    if pair.tool is None:
        yield pair.settings.master, pair.master


def _corner(points: np.ndarray, edges: np.ndarray) -> float:
    """Return the typical angle between consecutive edges, rad; 0 without such edges.

    On curved edges, the angle is taken from node to node.
    """
    ends = edges if edges.shape[1] == 2 else edges[:, [0, 2, 1]]
    following = np.concatenate([ends[:, i : i + 2] for i in range(ends.shape[1] - 1)])
    travel = points[following[:, 1]] - points[following[:, 0]]
    angle = dict(zip(following[:, 0].tolist(), np.arctan2(travel[:, 1], travel[:, 0]), strict=True))
    turned = np.array(
        [
            angle[end] - angle[begin]
            for begin, end in following.tolist()
            if end in angle and begin in angle
        ]
    )
    if not len(turned):
        return 0.0
    return float(np.median(np.abs((turned + np.pi) % (2 * np.pi) - np.pi)))
