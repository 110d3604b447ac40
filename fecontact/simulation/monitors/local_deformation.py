"""Local deformation of an edge that is longer than the contact on it.

A pressure on the width w of an edge of length h deforms a body by about (2F/πE) ln(h/w) more than
an element with this edge can represent (K. L. Johnson 1985, "Contact mechanics", section 2.4). The
body is then too stiff, and neighbouring elements, if there are any, do not show it in their
stresses.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.contact.interface.layout import Pair
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh, RunWarning, wrong
from fecontact.simulation.owners import owners
from fecontact.study.finite_element import FiniteElementStudy

MISSING = 0.25  # of the approach of the bodies: largest missing local deformation
NEGLIGIBLE = 1e-9  # of a row: entries of nodes that a point does not touch


class Narrow(NamedTuple):
    """A contact within one edge: length of the edge and width of the contact, m."""

    length: float
    width: float


def contacts_within_an_edge(
    study: FiniteElementStudy, mesh: ModelMesh, loop: TimeLoop
) -> Iterator[RunWarning]:
    """Return a warning for each pair whose contact lies within one edge of a deformable body.

    The missing deformation is related to the approach 2W/F of the strain energy W.
    """
    if study.axisymmetric:
        return
    contact = loop.contact
    for number, pair in enumerate(contact.pairs):
        force = float(contact.resultants()[number, 2])
        if pair.tool is not None or not pair.settings.active or force <= 0.0:
            continue
        for name, side in ((pair.settings.slave, pair.slave), (pair.settings.master, pair.master)):
            body = study.bodies[owners(side, study, mesh)[0]]
            stiff = study.materials[body.material].stiffness()[0, 0]
            found = _within_an_edge(mesh, contact, pair, side, body.depth)
            if found is None or found.width >= found.length:
                continue
            load, approach = force / body.depth, 2.0 * loop.ledger.strain / force
            missing = 2.0 * load / (math.pi * stiff) * math.log(found.length / found.width)
            if missing > MISSING * approach:
                yield wrong(
                    f"contact.{pair.name}: the contact is {found.width:.3g} m wide and lies within "
                    f"an edge of {name!r} of {found.length:.3g} m, whose element cannot represent "
                    f"the local deformation ({missing / approach:.2g} of the approach of the "
                    f"bodies, limit {MISSING:g}). Refine this edge."
                )


def _within_an_edge(
    mesh: ModelMesh, contact: ContactProblem, pair: Pair, side: Integers, depth: float
) -> Narrow | None:
    """Return the edge of a side within which a pair acts, None without such a free edge; depth: of
    the body of the side, m.
    """
    number = next(k for k, other in enumerate(contact.pairs) if other is pair)
    rows, free = contact.rows.rows, (contact.nodes.dof >= 0).any(axis=1)
    force = contact.force[: contact.size]
    acting = np.flatnonzero((contact.layout.pair == number) & (force > 0.0))
    positions: list[Array] = []
    ends: Integers = np.empty(0, np.int64)
    for j in acting:
        own = slice(rows.start[j], rows.start[j] + rows.used[j])
        places: Integers = rows.node[own]
        size: Array = np.linalg.norm(rows.normal[own], axis=1)
        on_side = np.isin(contact.nodes.node[places], side) & (size > NEGLIGIBLE * size.max())
        places, size = places[on_side], size[on_side]
        ends = np.union1d(ends, places)
        if len(ends) > 2 or not free.take(places).any():
            return None
        positions.append(size @ mesh.points[contact.nodes.node[places]] / size.sum())
    nodes = contact.nodes.node[ends]
    if len(nodes) < 2 or not np.isin(side[:, :2], nodes).all(axis=1).any():
        return None
    length = float(np.linalg.norm(np.subtract(*mesh.points[nodes])))
    if pair.settings.integrated and acting[0] < contact.layout.slaves:
        width = float(rows.weight[acting].sum()) / depth
    else:
        width = float(np.linalg.norm(np.ptp(positions, axis=0)))
    return Narrow(length, width) if width > 0.0 else None
