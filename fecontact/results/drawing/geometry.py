"""Geometry of a drawn mesh: outlines and triangles of elements, windows, bodies, edge normals."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.record import ModelMesh, RunRecord
from fecontact.results.plots.units import handy_power
from fecontact.study import AnyStudy
from fecontact.study.finite_element import FiniteElementStudy

Window = tuple[tuple[float, float], tuple[float, float]]
"""(x from, x to), (y from, y to), m."""


def outline(cells: np.ndarray) -> np.ndarray:
    """Return the nodes around each element in order, mid-side nodes between the corners."""
    count = corners(cells)
    if cells.shape[1] == count:
        return cells
    return np.stack([cells[:, :count], cells[:, count:]], axis=2).reshape(len(cells), 2 * count)


def rims(cells: np.ndarray) -> list[np.ndarray]:
    """Return the closed boundaries of a set of elements, each as its nodes in order."""
    around = outline(cells)
    edges = np.stack([around, np.roll(around, -1, axis=1)], axis=2).reshape(-1, 2)
    edges = edges[edges[:, 0] != edges[:, 1]]  # of a triangle among quadrilaterals
    _, same, count = np.unique(
        np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    following: dict[int, list[int]] = {}
    for start, end in edges[count[same.ravel()] == 1].tolist():
        following.setdefault(start, []).append(end)
    loops = []
    for first in list(following):
        loop, node = [first], first
        while following.get(node):
            node = following[node].pop()
            loop.append(node)
        loops += [np.array(loop)] if len(loop) > 2 else []
    return loops


def corners(cells: np.ndarray) -> int:
    """Return the number of corners of the elements: 3 or 4."""
    return cells.shape[1] if cells.shape[1] < 5 else cells.shape[1] // 2


def triangles(cells: np.ndarray) -> np.ndarray:
    """Return the elements divided into triangles through all their nodes, for colouring by nodal
    values.
    """
    around = outline(cells)
    count = around.shape[1]
    if count == 8:  # triangles at the corners, then the diamond of the mid-side nodes
        cut = [(7, 0, 1), (1, 2, 3), (3, 4, 5), (5, 6, 7), (7, 1, 3), (7, 3, 5)]
    elif count == 6:
        cut = [(5, 0, 1), (1, 2, 3), (3, 4, 5), (5, 1, 3)]
    else:
        cut = [(0, k, k + 1) for k in range(1, count - 1)]
    found = around[:, np.array(cut)].reshape(-1, 3)
    flat = (found == np.roll(found, 1, axis=1)).any(axis=1)  # of a triangle among quadrilaterals
    return found[~flat]


def box(points: Array, margin: float = 0.06) -> Window:
    """Return the window around points, with a margin relative to its larger side."""
    low, high = points.min(axis=0), points.max(axis=0)
    pad = margin * float((high - low).max() or 1.0)
    return (float(low[0] - pad), float(high[0] + pad)), (float(low[1] - pad), float(high[1] + pad))


def near_axis(window: Window) -> bool:
    """Return True if x = 0 is in a window, or closer to it than its width."""
    left, right = window[0]
    return left <= right - left


def mirrored(window: Window) -> Window:
    """Return a window that shows both sides of x = 0, if x = 0 is near."""
    (_, right), y = window
    return ((-right, right), y) if near_axis(window) else window


def up_to_axis(window: Window) -> Window:
    """Return a window that includes x = 0, if x = 0 is near."""
    (left, right), y = window
    return ((min(left, -0.05 * right), right), y) if near_axis(window) else window


def length_power(mesh: ModelMesh) -> int:
    """Return the power of ten of the length unit of a model: 0 for m, −3 for mm, …"""
    size = float(np.ptp(mesh.points, axis=0).max())
    return handy_power(size) if size >= 1.0 else int(3 * np.floor(np.log10(size or 1.0) / 3.0))


def height_in_inches(window: Window, width: float) -> float:
    """Return the height of a panel of a width (inches) that preserves the window's proportions."""
    (left, right), (low, high) = window
    return float(np.clip(width * (high - low) / (right - left), 0.5, 0.85 * width))


def close_up(mesh: ModelMesh, points: Array, margin: float = 0.35) -> Window | None:
    """Return the window around the small bodies of a model in which another is four
    times as large.
    """
    parts = [points[np.unique(mesh.cells[cells])] for cells in bodies(mesh)]
    sides = [float(np.ptp(part, axis=0).max()) for part in parts]
    small = [part for part, side in zip(parts, sides, strict=True) if side <= max(sides) / 4.0]
    return box(np.vstack(small), margin) if small else None


def bodies(mesh: ModelMesh) -> list[np.ndarray]:
    """Return the elements of each body, smaller first: connected elements form a body."""
    from fecontact.mesh.parts import connected_parts  # imports gmsh: not for lumped runs

    part = connected_parts(mesh)[mesh.cells[:, 0]]
    parts = [np.flatnonzero(part == number) for number in np.unique(part)]
    return sorted(parts, key=len)


def contact_nodes(study: AnyStudy, record: RunRecord) -> np.ndarray:
    """Return the nodes of all slave and master edges."""
    assert record.mesh is not None
    groups = record.mesh.edge_groups
    pairs = getattr(study, "contact", {}).values()
    edges = [groups[name].ravel() for p in pairs for name in (p.slave, p.master) if name in groups]
    return np.unique(np.concatenate(edges)) if edges else np.zeros(0, dtype=np.int64)


def unstressed(mesh: ModelMesh, stress: Array) -> list[int]:
    """Return the numbers of the bodies without stress at any time (T, N, 4): fixed or moved as a
    whole.

    Without: below a millionth of the largest stress, the round-off of a body moved far.
    """
    largest = np.abs(stress).max(axis=(0, 2), initial=0.0)
    limit = 1e-6 * float(largest.max(initial=0.0))
    parts = enumerate(bodies(mesh))
    return [n for n, cells in parts if largest[mesh.cells[cells]].max(initial=0.0) <= limit]


def outward_normals(mesh: ModelMesh, edges: np.ndarray) -> Array:
    """Return unit normals (E, 2) of edges, pointing away from the element of each."""
    a, b = mesh.points[edges[:, 0]], mesh.points[edges[:, 1]]
    along = b - a
    normal = np.column_stack([along[:, 1], -along[:, 0]])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-300
    centres = mesh.points[mesh.cells[owners(mesh, edges)]].mean(axis=1)
    inward = np.einsum("ij,ij->i", centres - 0.5 * (a + b), normal) > 0
    normal[inward] *= -1.0
    return normal


def owners(mesh: ModelMesh, edges: np.ndarray) -> np.ndarray:
    """Return the element that has each edge as a side (the first element if none has)."""
    count = corners(mesh.cells)
    ring = mesh.cells[:, :count]
    sides = np.stack([ring, np.roll(ring, -1, axis=1)], axis=2).reshape(-1, 2)
    keys, wanted = _edge_key(sides, len(mesh.points)), _edge_key(edges, len(mesh.points))
    order = np.argsort(keys)
    found = np.searchsorted(keys, wanted, sorter=order).clip(max=len(keys) - 1)
    side = order[found]
    return np.where(keys[side] == wanted, side // count, 0)


def node_normals(mesh: ModelMesh, edges: np.ndarray, nodes: np.ndarray) -> Array:
    """Return outward unit normals (S, 2) at nodes of an edge group: means over the
    adjacent edges.
    """
    sums = np.zeros_like(mesh.points)
    normals = outward_normals(mesh, edges)
    for column in edges.T:
        np.add.at(sums, column, normals)
    at_nodes = sums[nodes]
    return at_nodes / (np.linalg.norm(at_nodes, axis=1, keepdims=True) + 1e-300)


def nearest_steps(times: Array, wanted: Array) -> np.ndarray:
    """Return the indices of the saved steps nearest to given times."""
    after = np.searchsorted(times, wanted).clip(1, max(len(times) - 1, 1))
    before = after - 1
    near = wanted - times[before] <= times[after.clip(max=len(times) - 1)] - wanted
    return np.where(near, before, after).clip(max=len(times) - 1)


def _edge_key(edges: np.ndarray, count: int) -> np.ndarray:
    """Return one number for each edge, independent of its direction."""
    low, high = np.sort(edges[:, :2], axis=1).T
    return low.astype(np.int64) * count + high


def nodes_of(study: FiniteElementStudy, mesh: ModelMesh, name: str) -> np.ndarray:
    """Return the nodes of a body, an edge group or a point."""
    if name in study.bodies:
        name = study.bodies[name].cells or name
    if name in mesh.edge_groups:
        return np.unique(mesh.edge_groups[name])
    if name in mesh.cell_groups:
        return np.unique(mesh.cells[mesh.cell_groups[name]])
    return np.array([mesh.point_groups[name]] if name in mesh.point_groups else [], dtype=int)


def place_of(study: FiniteElementStudy, mesh: ModelMesh, end: str) -> Array | None:
    """Return the position of an end of a spring: a point, or the centre of an edge or body."""
    nodes = nodes_of(study, mesh, end)
    return mesh.points[nodes].mean(axis=0) if len(nodes) else None
