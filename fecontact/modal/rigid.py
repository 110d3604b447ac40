"""Rigid-body modes, identified from the geometry and not from small frequencies.

The candidates are the rigid motions of the connected parts of the mesh and the free dofs of rigid
tools. A combination of them is a rigid-body mode if supports, springs, foundations and closed
contact leave it free: it moves no prescribed dof, meets the constraints Q S r = 0, and K r = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.linalg

from fecontact.arrays import Array, Integers
from fecontact.mesh.parts import connected_parts
from fecontact.modal.linear import LinearisedModel
from fecontact.solid.solid import Solid

ROUND_OFF = 1e-11  # fraction of the largest K_ii/M_ii: a smaller r·K r of a rotation is round-off
EXACT = 1e-22  # the same for a translation, for which K r is exact
FREE = 1e-7  # relative motion of prescribed dofs and closed contact that is round-off


@dataclass(frozen=True)
class RigidModes:
    """M-orthonormal shapes (r, size) on this rank, and a name of each."""

    shapes: Array
    names: list[str]


def rigid_modes(model: LinearisedModel, solid: Solid, position: Array) -> RigidModes:
    """Return the rigid-body modes; position: (N, 2) of all nodes, m, on every rank. Collective."""
    shapes, names, turning, moved = _candidates(model, solid, position)
    total = model.bulk.total
    weighted = np.array([model.mass(x) for x in shapes]).reshape(shapes.shape)
    mass: Array = total((shapes @ weighted.T).ravel()).reshape(len(shapes), len(shapes))
    heavy = np.diag(mass) > 0.0
    if not heavy.any():
        return RigidModes(np.zeros((0, model.size)), [])
    # The free-dof part of a motion is not rigid if other dofs of its nodes are prescribed.
    kept = np.flatnonzero(heavy)
    scale = 1.0 / np.sqrt(np.diag(mass)[kept])
    shapes, mass = shapes[kept] * scale[:, None], mass[np.ix_(kept, kept)]
    mass *= np.outer(scale, scale)
    names, turning = [names[i] for i in kept], turning[kept]
    amplitude = np.maximum(np.abs(moved[kept]).max(axis=(1, 2), initial=0.0), 1e-300)
    prescribed = solid.prescribed_components
    local = np.array([solid.in_local_axes(one)[prescribed] for one in moved[kept]])
    constrained = local.reshape(len(kept), -1) / amplitude[:, None]
    closed = _closed_motion(model, shapes) / (scale * amplitude)[:, None]
    conditions = np.concatenate([constrained, closed], axis=1)
    return _free_motions(model, shapes, names, turning, conditions, mass)


def unsupported_motions(model: LinearisedModel, solid: Solid) -> Array:
    """Return rigid motions (r, size) of the bodies that no support prevents.

    Springs are not considered. Collective.
    """
    shapes, _, _, moved = _candidates(model, solid, solid.mesh.points)
    prescribed = solid.prescribed_components
    local = np.array([solid.in_local_axes(one)[prescribed] for one in moved]).reshape(
        len(moved), -1
    )
    _, size, axes = np.linalg.svd(local @ local.T)
    return np.asarray(axes[np.sqrt(size) <= FREE] @ shapes)


def _free_motions(
    model: LinearisedModel,
    shapes: Array,
    names: Sequence[str],
    turning: Array,
    conditions: Array,
    mass: Array,
) -> RigidModes:
    """Return the combinations of candidate motions without strain that meet all conditions."""
    total, nothing = model.bulk.total, RigidModes(np.zeros((0, model.size)), [])
    free = np.eye(len(shapes))
    if conditions.shape[1]:
        _, size, axes = np.linalg.svd(conditions @ conditions.T)
        free = axes[np.sqrt(size) <= FREE].T
    if not free.shape[1]:
        return nothing
    shapes = free.T @ shapes
    forces = np.array([model.stiffness(x) for x in shapes])
    stiff = total((shapes @ forces.T).ravel()).reshape(len(shapes), len(shapes))
    weight = free.T @ mass @ free
    values, axes = scipy.linalg.eigh(0.5 * (stiff + stiff.T), weight)
    rotation = np.abs(turning @ free @ axes) > 1e-6 * np.abs(free @ axes).max(axis=0)
    limit = np.where(rotation, ROUND_OFF, EXACT) * _largest_ratio(model)
    rigid = np.abs(values) <= limit
    if not rigid.any():
        return nothing
    axes = _separated(free @ axes[:, rigid])
    shapes = np.linalg.lstsq(free, axes, rcond=None)[0].T @ shapes
    return RigidModes(_orthonormal(model, shapes), _named(axes, names))


def _candidates(
    model: LinearisedModel, solid: Solid, position: Array
) -> tuple[Array, list[str], Array, Array]:
    """Return rigid motions (c, size) of parts and tools, names, rotations, nodal values (c, N, 2).

    A rotation is about the centre of its part, and its amplitude is 1 at the farthest node.
    """
    mesh = solid.mesh
    attached = np.zeros(len(mesh.points), dtype=bool)
    attached[mesh.cells] = True
    part = np.where(attached, connected_parts(mesh), -1)
    motions, names, turning = [], [], []
    for number in np.unique(part[attached]):
        nodes = np.flatnonzero(part == number)
        name = _name(mesh.cell_groups, mesh.cells, nodes)
        centred = position[nodes] - position[nodes].mean(axis=0)
        for motion in solid.rigid_motions(centred).transpose(2, 0, 1):
            field = np.zeros(mesh.points.shape)
            field[nodes] = motion / max(np.abs(motion).max(), 1e-300)
            axes = np.ptp(field[nodes], axis=0)
            turns = bool(axes.max() > 1e-9)
            way = "rotation" if turns else f"translation in {'xy'[int(field[nodes[0], 1] != 0)]}"
            motions.append(field)
            names.append(f"{way} of {name}")
            turning.append(float(turns))
    shapes: Array = np.zeros((len(motions), model.size))
    for number, field in enumerate(motions):
        shapes[number, : solid.size] = solid.at_free_dofs(field)
    moved = np.array(motions)
    tools = _tool_units(model, solid)
    if len(tools):
        shapes = np.concatenate([shapes, tools])
        names += [f"motion {i + 1} of rigid tools" for i in range(len(tools))]
        turning += [1.0] * len(tools)
        moved = np.concatenate([moved, np.zeros((len(tools), *moved.shape[1:]))])
    return shapes, names, np.array(turning), moved


def _tool_units(model: LinearisedModel, solid: Solid) -> Array:
    """Return unit motions (t, size) of the dofs of force-controlled tools, which one rank owns."""
    own = model.size - solid.size
    units = np.zeros((round(float(model.bulk.total(np.array([float(own)]))[0])), model.size))
    units[:own, solid.size :] = np.eye(own)
    return units


def _name(groups: dict[str, Integers], cells: Integers, nodes: Integers) -> str:
    """Return the names of the element groups of a part."""
    inside = np.isin(cells[:, 0], nodes)
    own = [name for name, group in groups.items() if len(group) and inside[group].any()]
    return ", ".join(own) if own else "a body without a name"


def _closed_motion(model: LinearisedModel, shapes: Array) -> Array:
    """Return Q S r (c, p) of rigid constraints; penalties are part of K."""
    hard = model.constraints.compliance <= 0.0
    if not hard.any():
        return np.zeros((len(shapes), 0))
    rows = model.constraints.rows[np.flatnonzero(hard)]
    weight = np.sqrt(np.asarray((rows * rows).sum(axis=1)).ravel())
    found = [(rows @ model.gathered(x)) / np.where(weight > 0.0, weight, 1.0) for x in shapes]
    return np.array(found)


def _largest_ratio(model: LinearisedModel) -> float:
    """Return an estimate of the largest K_ii/M_ii, 1/s², by one product with rough vectors."""
    x = np.random.default_rng(1).choice([-1.0, 1.0], model.size)
    sums = model.bulk.total(np.array([x @ model.stiffness(x), x @ model.mass(x)]))
    return abs(float(sums[0] / sums[1]))


def _separated(axes: Array) -> Array:
    """Return combinations (c, r) of the same span, each with as few candidates as possible."""
    reduced = axes.copy()
    for row in range(reduced.shape[1]):
        pivot = np.unravel_index(np.argmax(np.abs(reduced[:, row:])), reduced[:, row:].shape)
        column = row + int(pivot[1])
        reduced[:, [row, column]] = reduced[:, [column, row]]
        reduced[:, row] /= reduced[pivot[0], row]
        others = np.arange(reduced.shape[1]) != row
        reduced[:, others] -= np.outer(reduced[:, row], reduced[pivot[0], others])
    return reduced


def _named(axes: Array, names: Sequence[str]) -> list[str]:
    """Return a name of each combination of candidates."""
    found = []
    for column in axes.T:
        parts = np.flatnonzero(np.abs(column) > 1e-6 * np.abs(column).max())
        found.append(" with ".join(names[i] for i in parts))
    return found


def _orthonormal(model: LinearisedModel, shapes: Array) -> Array:
    """Return M-orthonormal vectors of the same span. Collective."""
    out: list[Array] = []
    for x in shapes:
        for _ in range(2):
            for other in out:
                x = x - model.bulk.total(np.array([other @ model.mass(x)]))[0] * other
        size = model.bulk.total(np.array([x @ model.mass(x)]))[0]
        out.append(x / np.sqrt(size))
    return np.array(out)
