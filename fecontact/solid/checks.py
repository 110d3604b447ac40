"""Model checks run before assembly.

A rigid-body motion of a connected part of the mesh (in the plane two translations and a rotation)
that neither supports nor springs resist makes K singular. In a static analysis this is an error
unless contact may resist the motion; in a dynamic analysis only for parts without mass, whose
motion would be undetermined.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from fecontact.mesh.cells import Index
from fecontact.mesh.parts import connected_parts
from fecontact.record import Array, ModelMesh
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.conditions.foundations import EdgeTensors
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.fem.materials import CellMaterials
from fecontact.solid.fem.measures import MEASURES, Measure
from fecontact.solid.fem.regions import Places
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.outlines import is_outline

RANK_TOLERANCE = 1e-9
"""Relative size below which a rigid-body motion counts as not resisted."""


def check_pairs(study: FiniteElementStudy, places: Places) -> None:
    """Raise InputError if the edges of a contact pair are empty, inside a body or overlap."""
    for name, pair in study.contact.items():
        slave = places.boundary(pair.slave, f"contact.{name}.slave")
        if pair.master in study.tools:
            if places.has_edges(pair.master):
                raise InputError(
                    f"contact.{name}.master: {pair.master!r} is both an edge group of the mesh "
                    "and a tool. Rename the tool."
                )
            continue
        master = places.boundary(pair.master, f"contact.{name}.master")
        shared = np.intersect1d(slave, master)
        if len(shared) and pair.slave != pair.master and not is_outline(pair.slave):
            raise InputError(
                f"contact.{name}: slave {pair.slave!r} and master {pair.master!r} share "
                f"{len(shared)} node(s). Use edges without common nodes."
            )


def check_offsets(study: FiniteElementStudy, mesh: ModelMesh, places: Places) -> None:
    """Raise InputError for an offset larger than the body to which it is applied."""
    part = connected_parts(mesh)
    for name, pair in study.contact.items():
        slave = places.boundary(pair.slave, f"contact.{name}.slave")
        size = float(np.ptp(mesh.points[part == part[slave.flat[0]]], axis=0).min())
        if pair.largest_offset >= size:
            raise InputError(
                f"contact.{name}.offset is up to {pair.largest_offset:g} m, but the body of slave "
                f"{pair.slave!r} is only {size:g} m thick. Reduce the offset (unit: m)."
            )


def check_motion(study: FiniteElementStudy, places: Places, supports: Supports) -> None:
    """Raise InputError for a motion at t = 0 that has no effect."""
    for name, body in study.bodies.items():
        if any(body.velocity) and not study.time.inertia:
            raise InputError(
                f"bodies.{name}.velocity has no effect in a static analysis. Remove it or use a "
                "dynamic time.scheme."
            )
        nodes = places.nodes(name, f"bodies.{name}")
        prescribed = supports.motion(0.0, nodes)
        for derivative, key in enumerate(("displacement", "velocity")):
            for axis, value in enumerate(getattr(body, key)):
                same = np.allclose(prescribed[derivative, :, axis], value, RANK_TOLERANCE, 0.0)
                if value != 0.0 and supports.prescribed[nodes, axis].all() and not same:
                    raise InputError(
                        f"bodies.{name}.{key} conflicts with [supports], which prescribe the "
                        f"whole body in {'xy'[axis]}. Remove it or prescribe the motion with a "
                        "function."
                    )


def check_supports(study: FiniteElementStudy, mesh: ModelMesh, places: Places) -> None:
    """Raise InputError for a support of a point without a connected body or spring."""
    ends = {end for spring in study.springs.values() for end in spring.between}
    of_bodies = np.unique(mesh.cells)
    for name, support in study.supports.items():
        nodes = places.nodes(support.on, f"supports.{name}.on")
        if support.on in ends or np.isin(nodes, of_bodies).any():
            continue
        away = np.hypot(*(mesh.points[of_bodies] - mesh.points[nodes[0]]).T)
        (x, y), (to_x, to_y) = mesh.points[nodes[0]], mesh.points[of_bodies[np.argmin(away)]]
        raise InputError(
            f"supports.{name}.on: point {support.on!r} at [{x:g}, {y:g}] m has no mesh node and "
            f"no spring, so the support has no effect. Use the nearest node, at "
            f"[{to_x:g}, {to_y:g}] m."
        )


def check_rigid_body_motion(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    materials: CellMaterials,
    supports: Supports,
    discretes: Discretes,
    foundations: Sequence[EdgeTensors],
    stabilised: NDArray[np.bool_],
) -> None:
    """Raise InputError, naming the body, if an inadmissible rigid-body motion is possible.

    stabilised: (N, 2) components of nodes that contact may constrain
        (:func:`stabilised_by_contact`).
    """
    part = connected_parts(mesh)
    heavy = np.zeros(part.max() + 1, dtype=bool)
    if study.time.inertia:
        heavy[part[mesh.cells[materials.density > 0, 0]]] = True
        heavy[part[discretes.mass_nodes]] = True
    attached = np.zeros(len(mesh.points), dtype=bool)
    attached[mesh.cells] = True
    # Parts with mass resist every motion; so do isolated nodes, which are treated as ground.
    part = np.where(attached & ~heavy[part], part, -1)
    floating, part = np.unique(part, return_inverse=True)
    part = part + (floating[0] >= 0)  # From here on, 0 is ground.
    count = int(part.max())
    if count == 0:
        return
    measure = MEASURES[study.plane]
    modes = rigid_modes(mesh, part, measure, sheet_nodes(study, mesh))
    resisted = [
        absent(modes),
        supports.axes.local(modes)[(supports.prescribed | stabilised) & (part > 0)[:, None]],
        discretes.resisted(modes),
    ]
    for founded in foundations:
        here = np.einsum("qk,ekim->eqim", founded.at.shape, modes[founded.at.edges])
        push = np.einsum("eqij,eqjm->eqim", founded.stiffness, here)
        resisted.append((push / _largest(founded.stiffness)).reshape(-1, modes.shape[2]))
    free = scipy.linalg.null_space(np.concatenate(resisted), rcond=RANK_TOLERANCE)
    if free.shape[1] == 0:
        return
    moved = np.abs(free).sum(axis=1).reshape(count, -1).sum(axis=1)
    cell = int(np.flatnonzero(part[mesh.cells[:, 0]] == 1 + int(np.argmax(moved)))[0])
    body = list(study.bodies)[materials.body[cell]]
    why = (
        "has no mass and is unconstrained"
        if study.time.inertia
        else "has unconstrained rigid-body motion in a static analysis"
    )
    raise InputError(
        f"bodies.{body}: the body {why}. Constrain it with [supports] or [springs] "
        f"{measure.holding}."
    )


def check_inclined_supports(study: FiniteElementStudy, mesh: ModelMesh, supports: Supports) -> None:
    """Raise InputError for inclined supports that are not supported.

    Inclined supports cannot be combined with corotational bodies, nor with finite-strain bodies in
    an energy-conserving scheme.
    """
    keeping = bool(study.finite) and study.time.conserving
    if not len(supports.axes.node) or not (study.corotational or keeping):
        return
    x, y = mesh.points[supports.axes.node[0]]
    name = next(n for n, s in study.supports.items() if s.directed)
    raise InputError(
        f"supports.{name}: a support along an inclined direction (at x = {x:g} m, y = {y:g} m) is "
        "not supported in a model with corotational bodies, or with finite-strain bodies and "
        "this time.scheme. Constrain x and y"
        + (', or use "hht" or another scheme' if keeping else "")
    )


def stabilised_by_contact(
    study: FiniteElementStudy,
    mesh: ModelMesh,
    materials: CellMaterials,
    supports: Supports,
    contact: Index,
    released: Array,
) -> NDArray[np.bool_]:
    """Return (N, 2) components of contact nodes that stabilise parts in a static analysis.

    Parts not fully constrained by supports get one component for each rigid-body motion, at nodes
    that resist it best and where the body is deep: the pivots of a QR factorisation. (The
    compliance of a ring of radius r grows like 1/r, so a single node on the axis would penetrate by
    an amount that depends on the mesh.) Finite-strain parts are also stabilised: a block compressed
    by given forces would buckle, but contact also constrains it. released: (N, 2, s) additional
    rigid-body motions allowed by pretension sections.
    """
    stabilised = np.zeros(mesh.points.shape, dtype=bool)
    if study.time.inertia:
        return stabilised
    part, measure = connected_parts(mesh), MEASURES[study.plane]
    sheets = sheet_nodes(study, mesh)
    finite = np.unique(part[mesh.cells[materials.finite, 0]])
    for number in np.unique(part[contact]):
        modes = rigid_modes(mesh, (part == number).astype(np.int64), measure, sheets)
        modes = modes[:, :, modes.any(axis=(0, 1))]
        here = (part == number)[:, None, None] * released
        modes = np.concatenate([modes, here[:, :, here.any(axis=(0, 1))]], axis=2)
        constrained_modes = supports.axes.local(modes)[supports.prescribed]
        constrained = np.linalg.matrix_rank(constrained_modes, tol=RANK_TOLERANCE) == modes.shape[2]
        nodes = contact[part[contact] == number]
        if (constrained and number not in finite) or supports.resists[nodes].all():
            continue
        node, component = np.nonzero(~supports.resists[nodes])
        node = nodes[node]
        depth = np.broadcast_to(measure.depth(mesh.points[node]), node.shape)
        resists = modes[node, component] * (depth / depth.max())[:, None]
        _, r, pivots = scipy.linalg.qr(resists.T, mode="economic", pivoting=True)
        best = pivots[: np.count_nonzero(np.abs(np.diag(r)) > RANK_TOLERANCE)]
        stabilised[node[best], component[best]] = True
    return stabilised


def _largest(tensors: Array) -> float:
    """Return the largest entry, used to normalise tensors; 1 for an empty or zero array."""
    return float(np.abs(tensors).max(initial=0.0)) or 1.0


def sheet_nodes(study: FiniteElementStudy, mesh: ModelMesh) -> NDArray[np.bool_]:
    """Return (N,) True at the nodes of connected parts that are plane-stress bodies of an
    axisymmetric model as a whole.
    """
    part = connected_parts(mesh)
    alone = np.zeros(part.max() + 1, dtype=bool)
    cells = {n: mesh.cells[mesh.cell_groups[b.cells or n]] for n, b in study.bodies.items()}
    for name in study.sheets:
        alone[part[cells[name]]] = True
    for name in cells.keys() - set(study.sheets):
        alone[part[cells[name]]] = False
    return np.asarray(alone[part])


def absent(modes: Array) -> Array:
    """Return one row (n, m) for each of the motions (N, 2, m) that do not exist."""
    return np.eye(modes.shape[2])[~modes.any(axis=(0, 1))]


def rigid_modes(mesh: ModelMesh, part: Index, measure: Measure, sheets: NDArray[np.bool_]) -> Array:
    """Return the m rigid-body motions of each part at each node, (N, 2, m·parts), in model sizes.

    sheets: (N,) nodes of plane-stress bodies of an axisymmetric model. All parts then have three
    motions, of which the translation in x and the rotation of other parts are 0.
    """
    size = float(np.ptp(mesh.points, axis=0).max())
    places = (mesh.points - mesh.points.mean(axis=0)) / size
    motions = measure.rigid_motions(places)
    if sheets.any():
        motions = MEASURES["stress"].rigid_motions(places)
        motions[~sheets] *= [0.0, 1.0, 0.0]
    kinds = motions.shape[2]
    modes = np.zeros((len(part), 2, kinds * (int(part.max()) + 1)))
    columns = kinds * part[:, None] + np.arange(kinds)
    np.put_along_axis(modes, np.repeat(columns[:, None], 2, axis=1), motions, axis=2)
    return modes[:, :, kinds:]  # without those of part 0
