"""Mesh quality: angles, shapes and sizes of cells, and possible contact edges."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fecontact.mesh.cells import by_kind, edge_table, find_edges, jacobians
from fecontact.mesh.parts import connected_parts
from fecontact.record import ModelMesh

if TYPE_CHECKING:
    from scipy.spatial import cKDTree


@dataclass(frozen=True)
class Quality:
    """Extremes over all cells.

    smallest_angle, largest_angle: between sides at a corner, degrees.
    jacobian_ratio: smallest over largest Jacobian within a cell (1 for parallelograms and straight
    triangles).
    smallest_edge, largest_edge: lengths of sides, m.
    """

    smallest_angle: float
    largest_angle: float
    jacobian_ratio: float
    smallest_edge: float
    largest_edge: float


def quality(mesh: ModelMesh) -> Quality:
    """Compute the quality of the cells of a mesh (sides as straight lines between corners)."""
    angles, lengths = [], []
    for _, cells in by_kind(mesh.cells):
        x = mesh.points[cells[:, : 3 if cells.shape[1] in (3, 6) else 4]]
        side = np.roll(x, -1, axis=1) - x
        length = np.linalg.norm(side, axis=2)
        back = -np.roll(side, 1, axis=1)
        cosine = np.sum(side * back, axis=2) / (length * np.roll(length, 1, axis=1))
        angles.append(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))).ravel())
        lengths.append(length.ravel())
    angle, length = np.concatenate(angles), np.concatenate(lengths)
    determinant = jacobians(mesh.points, mesh.cells)
    return Quality(
        smallest_angle=float(angle.min()),
        largest_angle=float(angle.max()),
        jacobian_ratio=float((determinant.min(axis=1) / determinant.max(axis=1)).min()),
        smallest_edge=float(length.min()),
        largest_edge=float(length.max()),
    )


def touching_groups(mesh: ModelMesh) -> list[tuple[str, str]]:
    """Return edge groups of different bodies that are within half an edge length of each other."""
    from scipy.spatial import cKDTree  # slow to import, and not needed in a run

    part = connected_parts(mesh)
    table = edge_table(mesh.cells, len(mesh.points))
    middle, reach, body = {}, {}, {}
    for name, edges in mesh.edge_groups.items():
        row = find_edges(table, edges, len(mesh.points))
        if (row >= 0).all() and table.boundary[row].all():
            ends = mesh.points[edges[:, :2]]
            along = np.linspace(0.0, 1.0, 33)[:, None, None]
            middle[name] = ((1 - along) * ends[:, 0] + along * ends[:, 1]).reshape(-1, 2)
            reach[name] = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).mean()) / 2
            body[name] = set(map(int, part[edges[:, 0]]))
    trees = {name: cKDTree(points) for name, points in middle.items()}
    return [
        (first, second)
        for first, second in itertools.combinations(middle, 2)
        if not body[first] & body[second]
        and _run_along(trees[first], trees[second], min(reach[first], reach[second]))
    ]


def _run_along(first: cKDTree, second: cKDTree, reach: float) -> bool:
    """Return True if an edge length of one line (33 samples) lies within reach of the other."""
    distance, _ = first.query(second.data, distance_upper_bound=reach)
    back, _ = second.query(first.data, distance_upper_bound=reach)
    return max(np.isfinite(distance).sum(), np.isfinite(back).sum()) >= 33


def describe(mesh: ModelMesh) -> list[str]:
    """Return quality and possible contact pairs as text, one line each."""
    q = quality(mesh)
    lines = [
        f"angles {q.smallest_angle:.1f}° to {q.largest_angle:.1f}°, sides {q.smallest_edge:.4g} m "
        f"to {q.largest_edge:.4g} m, Jacobian ratio {q.jacobian_ratio:.3g} or better"
    ]
    for first, second in touching_groups(mesh):
        lines.append(f"possible contact pair: {first!r} and {second!r}")
    return lines
