"""Points at which linear elasticity has no finite stress, so that the nodal stress grows with every
refinement of the mesh.

At a corner with the interior angle ω, the stress between edges with these boundary conditions is
singular if (Williams, J. Appl. Mech. 19 (1952) 526–528)

    both free, or both fixed alike                          ω > 180°
    one free or fixed, one fixed in a single direction      ω > 90° (twice the angle by symmetry)
    one free, one fixed in both directions                  ω > about 60° (ν = 0.3)

A margin on these angles keeps meshed fillets and nearly straight edges apart from corners. A force
on a point is singular at any angle.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array, Index, Integers
from fecontact.mesh.cells import edge_key, edge_table
from fecontact.record import ModelMesh
from fecontact.study.common import GROUND
from fecontact.study.finite_element import FiniteElementStudy

CORNER = "at a sharp re-entrant corner, mesh-dependent: model its fillet or read the stress nearby"
END = "at the end of a support, mesh-dependent: read the stress elsewhere"
POINT = "at a point load or support, mesh-dependent: distribute it or read the stress elsewhere"

_ALIKE, _ONE_FIXED, _CLAMPED = np.radians((210.0, 105.0, 75.0))  # interior angles


def singular_points(study: FiniteElementStudy, mesh: ModelMesh) -> dict[int, str]:
    """Return the nodes at singular points and those that share an element with one, with the
    reason.
    """
    found: dict[int, str] = {}
    for node, reason in (_corners(study, mesh) | _points(study, mesh)).items():
        around = mesh.cells[(mesh.cells == node).any(axis=1)]
        found |= dict.fromkeys(np.unique(around).tolist(), reason)
    return found


def _points(study: FiniteElementStudy, mesh: ModelMesh) -> dict[int, str]:
    """Return the nodes with point forces, springs and point supports."""
    names = [load.on for load in study.loads.values() if load.type == "point-force"]
    names += [end for spring in study.springs.values() for end in spring.between if end != GROUND]
    names += [support.on for support in study.supports.values()]
    return {mesh.point_groups[name]: POINT for name in names if name in mesh.point_groups}


def _corners(study: FiniteElementStudy, mesh: ModelMesh) -> dict[int, str]:
    """Return the nodes of the boundary with a singular corner."""
    table = edge_table(mesh.cells, len(mesh.points))
    edges = table.nodes[table.boundary]
    start, end = _tangents(mesh.points, edges)
    fixed = _fixed_directions(study, mesh, edges)
    before, after = _joined(edges)
    turned = np.arctan2(
        end[before, 0] * start[after, 1] - end[before, 1] * start[after, 0],
        np.sum(end[before] * start[after], axis=1),
    )
    interior = np.pi - turned
    a, b = fixed[before], fixed[after]
    clamped = np.maximum(a, b) == 2
    limit = np.where(clamped & (np.minimum(a, b) == 0), _CLAMPED, _ONE_FIXED)
    limit = np.where(a == b, _ALIKE, limit)
    chosen = interior > limit
    nodes = edges[after, 0]
    found = {int(node): CORNER for node in nodes[chosen & (a == b)]}
    return found | {int(node): END for node in nodes[chosen & (a != b)]}


def _tangents(points: Array, edges: Index) -> tuple[Array, Array]:
    """Return the directions (E, 2) of edges at their two ends; those with mid-side nodes bend."""
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    middle = points[edges[:, 2]] if edges.shape[1] == 3 else 0.5 * (a + b)
    return 4.0 * middle - 3.0 * a - b, 3.0 * b + a - 4.0 * middle


def _joined(edges: Index) -> tuple[Index, Index]:
    """Return the edges that end and that start at each node with exactly one of each."""
    starts, first, once = np.unique(edges[:, 0], return_index=True, return_counts=True)
    ends, last, ended = np.unique(edges[:, 1], return_index=True, return_counts=True)
    common = np.intersect1d(starts[once == 1], ends[ended == 1])
    return last[np.searchsorted(ends, common)], first[np.searchsorted(starts, common)]


def _fixed_directions(study: FiniteElementStudy, mesh: ModelMesh, edges: Index) -> Integers:
    """Return the number of directions (E,), 0 to 2, in which supports fix each edge."""
    fixed, nodes = np.zeros((len(edges), 4), dtype=bool), len(mesh.points)
    for support in study.supports.values():
        own = mesh.edge_groups.get(support.on)
        if own is None:
            continue
        given = (support.x, support.y, support.normal, support.tangential)
        supported = np.isin(edge_key(edges, nodes), edge_key(own, nodes))
        fixed |= supported[:, None] & np.array([value is not None for value in given])
    return np.minimum(fixed.sum(axis=1), 2)
