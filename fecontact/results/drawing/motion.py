"""Drawing of deformed bodies: translation, and magnified deformation without gaps at contacts.

The displacement of a body b is split into a translation and a deformation, u = T_b + d, and drawn
as x + T_b + f d with the magnification f. Two points in contact, a slave node s and the position m
below it on the master, satisfy x_s + u_s = x_m + u_m. Their drawn distance is

    (f − 1) (d_s − d_m) = (f − 1) ((u_s − u_m) − (T_s − T_m)),

so the translations are chosen, at every time, such that the mean of this distance vanishes over the
contact points: the translations contain the relative motion of the bodies, and the magnified part
is continuous across the contact. The remaining distance along the normal (the curvature of the
surfaces that contact has flattened) limits f. A rigid tool is such a body, with the same
deformation everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.record import OPEN, ModelMesh, RunRecord, SurfaceSeries
from fecontact.results.drawing.geometry import bodies, contact_nodes, nearest_steps, node_normals
from fecontact.results.drawing.tools import poses_of
from fecontact.study import AnyStudy
from fecontact.study.finite_element import FiniteElementStudy

_SHOWN = 0.05  # largest drawn deformation, fraction of the smallest body
_FALSE_GAP = 0.002  # largest drawn gap or overlap of contact points, fraction of the smallest body
_TOUCHING = 24  # evaluated points of a contact pair
_LOOSE = 1e-4  # weight of a body's own mean displacement relative to that of contact points


@dataclass(frozen=True)
class Motion:
    """Translations (B, T, 2) of the bodies, deformation (T, N, 2), m, and its magnification.

    Nodes without an element neither move nor deform. tools: name → (T, 5) of a tool: translation,
    additional magnified part (m), and angle (rad).
    """

    translations: Array
    deformation: Array
    magnification: float
    body_of: np.ndarray  # (N,) number of each node's body, −1 for nodes without an element
    tools: dict[str, Array]

    def pose(self, tool: str, k: int, factor: float) -> Array:
        """Return x, y (m) and angle (rad) with which a tool is drawn at the k-th time."""
        moved = self.tools[tool][k]
        return np.append(moved[:2] + factor * moved[2:4], moved[4])

    def places(self, mesh: ModelMesh, k: int) -> Array:
        """Return the drawn positions of the nodes (N, 2) at the k-th time, m."""
        moved = mesh.points + self.magnification * self.deformation[k]
        own = self.body_of >= 0
        moved[own] += self.translations[self.body_of[own], k]
        return moved


@dataclass(frozen=True)
class _Touch:
    """Contact points at one time: bodies (n, 2) of slave and master, u_s − u_m and normals."""

    bodies: np.ndarray
    relative: Array
    normal: Array


def motion_of(study: AnyStudy, record: RunRecord, chosen: np.ndarray) -> Motion:
    """Return the motion of a finite-element run at chosen saved times of its fields."""
    assert record.mesh is not None and record.fields is not None
    mesh, times = record.mesh, record.fields.time[chosen]
    displacement = record.fields.displacement[chosen]
    parts = bodies(mesh)
    body_of = np.full(len(mesh.points), -1)
    for number, cells in enumerate(parts):
        body_of[mesh.cells[cells]] = number
    means = _mean_displacements(displacement, body_of, len(parts), contact_nodes(study, record))
    poses: dict[str, Array] = {}
    if isinstance(study, FiniteElementStudy):
        poses = {name: poses_of(study, record, name, times) for name in study.tools_used}
        means = np.concatenate([means, *(pose[:, None, :2] for pose in poses.values())], axis=1)
    touches = [
        _touches(study, record, body_of, displacement[k], time)
        + _touches_of_tools(study, record, body_of, displacement[k], time, means[k])
        for k, time in enumerate(times)
    ]
    joint = [_joined(touch) for touch in touches]
    translations = np.stack(
        [_translations(means[k], touch) for k, touch in enumerate(joint)], axis=1
    )
    deformation = np.zeros_like(displacement)
    own = body_of >= 0
    deformation[:, own] = displacement[:, own] - translations[body_of[own]].transpose(1, 0, 2)
    false = [_false_gap(translations[:, k], touch) for k, touch in enumerate(joint)]
    factor = _magnification(mesh, deformation, max(false, default=0.0))
    tools = {
        name: np.column_stack([moved, pose[:, :2] - moved, pose[:, 2]])
        for (name, pose), moved in zip(poses.items(), translations[len(parts) :], strict=True)
    }
    return Motion(translations[: len(parts)], deformation, factor, body_of, tools)


def _mean_displacements(
    displacement: Array, body_of: np.ndarray, count: int, anchors: np.ndarray
) -> Array:
    """Return the displacement (T, B, 2) of each body: the mean over its contact
    nodes, or over all.
    """
    anchor = np.zeros(len(body_of), dtype=bool)
    anchor[anchors] = True
    means = []
    for body in range(count):
        own = body_of == body
        means.append(displacement[:, own & anchor if (own & anchor).any() else own].mean(axis=1))
    return np.stack(means, axis=1)


def _touches_of_tools(
    study: AnyStudy,
    record: RunRecord,
    body_of: np.ndarray,
    displacement: Array,
    time: float,
    means: Array,
) -> list[_Touch]:
    """Return the closed slave nodes of all pairs with a tool; tools are the last bodies, and move
    by their `means` (B, 2).
    """
    if not isinstance(study, FiniteElementStudy) or record.mesh is None:
        return []
    mesh, found, first = record.mesh, [], len(means) - len(study.tools_used)
    for name, surface in record.surfaces.items():
        pair = study.contact.get(name)
        nodes = _touching(surface, time)
        if pair is None or pair.master not in study.tools or not len(nodes):
            continue
        number = first + study.tools_used.index(pair.master)
        both = np.column_stack([body_of[nodes], np.full(len(nodes), number)])
        normal = node_normals(mesh, mesh.edge_groups[pair.slave], nodes)
        found.append(_Touch(both, displacement[nodes] - means[number], normal))
    return found


def _touching(surface: SurfaceSeries, time: float) -> np.ndarray:
    """Return a selection of the slave nodes in contact at a time."""
    step = nearest_steps(surface.time, np.array([time]))[0]
    nodes = surface.nodes[surface.status[step] != OPEN]
    if len(nodes):
        nodes = nodes[np.unique(np.linspace(0, len(nodes) - 1, _TOUCHING).round().astype(int))]
    return nodes


def _touches(
    study: AnyStudy, record: RunRecord, body_of: np.ndarray, displacement: Array, time: float
) -> list[_Touch]:
    """Return the closed slave nodes of all pairs, and the positions below them on
    the master edges.
    """
    assert record.mesh is not None
    mesh = record.mesh
    found = []
    for name, surface in record.surfaces.items():
        pair = getattr(study, "contact", {}).get(name)
        edges = mesh.edge_groups.get(pair.master) if pair is not None else None
        nodes = _touching(surface, time)
        if edges is None or not len(nodes):
            continue
        under, normal, segment = _under(mesh.points, displacement, nodes, segments(edges))
        both = np.column_stack([body_of[nodes], body_of[segment]])
        found.append(_Touch(both, displacement[nodes] - under, normal))
    return found


def _joined(found: list[_Touch]) -> _Touch:
    """Return the contact points of all pairs."""
    if not found:
        return _Touch(np.zeros((0, 2), dtype=int), np.zeros((0, 2)), np.zeros((0, 2)))
    return _Touch(
        np.concatenate([touch.bodies for touch in found]),
        np.concatenate([touch.relative for touch in found]),
        np.concatenate([touch.normal for touch in found]),
    )


def segments(edges: np.ndarray) -> np.ndarray:
    """Return straight segments (n, 2) of edges; an edge with a mid-side node has two."""
    if edges.shape[1] == 2:
        return edges
    return np.vstack([edges[:, [0, 2]], edges[:, [2, 1]]])


def _under(
    points: Array, displacement: Array, nodes: np.ndarray, lines: np.ndarray
) -> tuple[Array, Array, np.ndarray]:
    """Return displacement, normals and a node of the positions on moved segments nearest to moved
    nodes.
    """
    a, b = (points[end] + displacement[end] for end in lines.T)
    along = b - a
    length = np.einsum("ij,ij->i", along, along)
    offset = (points + displacement)[nodes][:, None] - a  # (nodes, segments, 2)
    part = (np.einsum("nsj,sj->ns", offset, along) / length).clip(0.0, 1.0)
    apart = np.linalg.norm(offset - part[..., None] * along, axis=2)
    nearest = apart.argmin(axis=1)
    part = part[np.arange(len(nodes)), nearest][:, None]
    start, end = lines[nearest].T
    under = (1.0 - part) * displacement[start] + part * displacement[end]
    tangent = along[nearest] / np.sqrt(length[nearest])[:, None]
    return under, np.column_stack([-tangent[:, 1], tangent[:, 0]]), start


def _translations(means: Array, touch: _Touch) -> Array:
    """Return translations (B, 2) with T_s − T_m = u_s − u_m in the mean; else the
    bodies' own means.
    """
    count, rows = len(means), len(touch.relative)
    system = np.zeros((rows + count, count))
    at = np.arange(rows)
    np.add.at(system, (at, touch.bodies[:, 0]), 1.0)
    np.add.at(system, (at, touch.bodies[:, 1]), -1.0)
    system[rows:] = _LOOSE * np.eye(count)
    wanted = np.vstack([touch.relative, _LOOSE * means])
    return np.asarray(np.linalg.lstsq(system, wanted, rcond=None)[0], dtype=np.float64)


def _false_gap(translations: Array, touch: _Touch) -> float:
    """Return the largest |n · (d_s − d_m)| of the contact points, m."""
    slave, master = touch.bodies.T
    jump = touch.relative - (translations[slave] - translations[master])
    return float(np.abs(np.einsum("ij,ij->i", jump, touch.normal)).max(initial=0.0))


def _magnification(mesh: ModelMesh, deformation: Array, false_gap: float) -> float:
    """Return the largest of 1, 2, 5, 10, … that shows the deformation and no false gap."""
    sizes = [float(np.ptp(mesh.points[mesh.cells[c]], axis=(0, 1)).max()) for c in bodies(mesh)]
    largest = float(np.abs(deformation).max(initial=0.0))
    if largest <= 0.0 or not sizes:
        return 1.0
    limit = _SHOWN * min(sizes) / largest
    if false_gap > 0.0:
        limit = min(limit, 1.0 + _FALSE_GAP * min(sizes) / false_gap)
    if limit <= 1.0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(limit))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= limit))
