"""Edges of a run: straight or curved, their normals, and the loads on them."""

from __future__ import annotations

import numpy as np
from evidence import Evidence
from numpy.typing import NDArray
from polygons import Array

from fecontact.study.finite_element import ContactPair

BETWEEN = 1e-6  # of an edge, from its ends: a vertex closer to a node is at the node
LEANS = 0.1  # of the shortest edge of a pair: a vertex farther from an edge does not lean on it


def sagitta(e: Evidence, group: str) -> float:
    """How far the edges of a disc lie inside its circle, h²/8R, m; 0 for other edges."""
    shape = e.study.mesh.shapes.get(e.owner(group))
    if shape is None or shape.type != "disc":
        return 0.0
    points, edges = e.record.mesh.points, e.edges(group)
    longest = np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1).max()
    return float(longest**2 / (8 * shape.radius))


def straight(e: Evidence, group: str) -> bool:
    """Whether an edge group lies on a line."""
    ends = e.record.mesh.points[e.edges(group)[:, :2]].reshape(-1, 2)
    spread = np.linalg.svd(ends - ends.mean(axis=0), compute_uv=False)
    return bool(spread[1] <= 1e-9 * spread[0])


def outward(e: Evidence, group: str) -> Array:
    """Unit normal of a straight edge, away from its body."""
    points = e.record.mesh.points
    ends = points[e.edges(group)[:, :2]].reshape(-1, 2)
    along = np.linalg.svd(ends - ends.mean(axis=0))[2][0]
    normal = np.array([along[1], -along[0]])
    away = ends.mean(axis=0) - e.bodies[e.owner(group)].centre
    return normal * np.sign(normal @ away)


def facing(e: Evidence, pair: ContactPair) -> float:
    """Length over which two straight parallel edges face each other at the end, m."""
    normal = outward(e, pair.master)
    tangent = np.array([normal[1], -normal[0]])
    reach = []
    for group in (pair.slave, pair.master):
        nodes = np.unique(e.edges(group))
        place = e.record.mesh.points[nodes] + e.record.fields.displacement[-1, nodes]
        reach.append(place @ tangent)
    (a, b) = reach
    return float(min(a.max(), b.max()) - max(a.min(), b.min()))


def leaned_on(e: Evidence, pair_name: str) -> NDArray[np.bool_]:
    """(T, n) the slave nodes on whose edges a master vertex may lean between the nodes.

    Its force is shared out to these nodes. So they carry force though they need not touch anything
    themselves, and show the sum of forces that may stick or slip in different ways.
    """
    pair, nodes = e.study.contact[pair_name], e.record.surfaces[pair_name].nodes
    if pair_name not in e.pairs:  # corners of tools
        return np.ones((len(e.record.fields.time), len(nodes)), bool)
    slave, master = e.edges(pair.slave), np.unique(e.edges(pair.master))
    near = LEANS * e.edge(pair) + max(sagitta(e, group) for group in (pair.slave, pair.master))
    found = np.zeros((len(e.record.fields.time), len(nodes)), bool)
    for k, moved in enumerate(e.record.fields.displacement):
        place = e.record.mesh.points + moved
        start, end = place[slave[:, 0], None], place[slave[:, 1], None]
        along, away = end - start, place[master] - start
        square = (along**2).sum(axis=2)
        share = (away * along).sum(axis=2) / square
        aside = (away[..., 0] * along[..., 1] - away[..., 1] * along[..., 0]) / np.sqrt(square)
        leans = (share > BETWEEN) & (share < 1 - BETWEEN) & (np.abs(aside) < near)
        found[k] = np.isin(nodes, slave[leans.any(axis=1)])
    return found
