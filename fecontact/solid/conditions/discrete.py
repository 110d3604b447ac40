"""Discrete springs, dashpots and point masses, assembled into the matrices of the bodies.

The end of a spring is a point, the ground, or an edge or body, of which it feels the mean
displacement. The stretch of a spring is s = Σ_i q_i u_i with Σ q_i = 0 (0 at the ground), and its
energy consists of that of two-node springs between all pairs of its nodes:

    ½ s·k s = Σ_{i<j} ½ (−q_i q_j) (u_i − u_j)·k (u_i − u_j).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

from petsc4py import PETSc

from fecontact.kernels import njit
from fecontact.mesh.cells import Index
from fecontact.record import Array, ModelMesh
from fecontact.solid.fem.edges import EdgePoints
from fecontact.solid.fem.forms import Forms
from fecontact.solid.fem.regions import Places
from fecontact.solid.fem.space import NodalSpace
from fecontact.study.common import GROUND
from fecontact.study.errors import InputError
from fecontact.study.models.parts import PointMass, Spring

MOST_NODES = 300  # of an edge at the end of a spring: 45,000 two-node springs


@dataclass(frozen=True)
class Discretes:
    """Two-node springs and dashpots, masses at nodes.

    ends: (P, 2) nodes of the two-node springs, −1 for the ground.
    stiffness: (P, 2, 2) tensors, N/m.
    damping: (P, 2, 2), N·s/m.
    follows: (P,) True for axial springs; their tensors are those of the initial direction.
    length: (P,) natural length, m.
    mass_nodes: (Q,).
    mass: (Q,) kg.
    names: (P,) names of the springs in the study.
    factor: (S, N) q of the S springs of the study at the N nodes.
    tensor: (S, 2, 2) stiffness of the springs of the study, N/m.
    """

    ends: Index
    stiffness: Array
    damping: Array
    follows: NDArray[np.bool_]
    length: Array
    mass_nodes: Index
    mass: Array
    names: tuple[str, ...]
    factor: scipy.sparse.csr_array
    tensor: Array

    def resisted(self, modes: Array) -> Array:
        """Return the forces (2S, m) of the springs in motions (N, 2, m) of the nodes, relative to
        the largest stiffness.
        """
        count, _, kinds = modes.shape
        stretch = (self.factor @ modes.reshape(count, -1)).reshape(-1, 2, kinds)
        largest = float(np.abs(self.tensor).max(initial=0.0)) or 1.0
        pulled = np.einsum("pij,pjm->pim", self.tensor / largest, stretch)
        return np.asarray(pulled.reshape(-1, kinds))

    def only(self, chosen: NDArray[np.bool_]) -> Discretes:
        """Return a subset of the two-node springs, with all masses."""
        return replace(
            self,
            ends=self.ends[chosen],
            stiffness=self.stiffness[chosen],
            damping=self.damping[chosen],
            follows=self.follows[chosen],
            length=self.length[chosen],
            names=tuple(np.array(self.names, dtype=object)[chosen]),
        )

    def and_hinges(self, nodes: Index, prescribed: NDArray[np.bool_]) -> Discretes:
        """Return a copy with springs of 1 N/m to the ground where hinges (h,) constrain x,
        y (h, 2).
        """
        ends = np.stack([nodes, np.full(len(nodes), -1)], axis=1)
        tensors = np.einsum("hi,ij->hij", prescribed.astype(float), np.eye(2))
        return replace(
            self,
            ends=np.concatenate([self.ends, ends]),
            stiffness=np.concatenate([self.stiffness, tensors]),
            damping=np.concatenate([self.damping, 0.0 * tensors]),
        )


@dataclass(frozen=True)
class Ends:
    """Nodes of a spring (n,), −1 for the ground, and their factors q (n,)."""

    node: Index
    factor: Array

    @property
    def pairs(self) -> tuple[Index, Array]:
        """Return all pairs of nodes (p, 2) and the factors −q_i q_j of their stiffness."""
        first, second = np.triu_indices(len(self.node), 1)
        ends = np.stack([self.node[first], self.node[second]], axis=1)
        return ends, -self.factor[first] * self.factor[second]


def discretes(
    springs: Mapping[str, Spring],
    point_masses: Mapping[str, PointMass],
    forms: Forms,
    places: Places,
) -> Discretes:
    """Return springs, dashpots and point masses at their nodes of the mesh."""
    mesh = forms.space.mesh
    attached = np.zeros(len(mesh.points), dtype=bool)
    attached[mesh.cells] = True
    joined, lengths, tensors = [], [], []
    for name, spring in springs.items():
        found = _ends(name, spring, forms, places)
        if not attached[found.node[found.node >= 0]].any():
            raise InputError(
                f"springs.{name}: neither end belongs to a body. Connect it to a body."
            )
        direction, distance = _axis(name, spring, found, mesh)
        joined.append(found)
        tensors.append([_tensor(spring.stiffness, direction), _tensor(spring.damping, direction)])
        lengths.append(distance if spring.length is None else spring.length)
    tensor = np.array(tensors, dtype=float).reshape(-1, 2, 2, 2)
    pairs = [found.pairs for found in joined]
    of = np.repeat(np.arange(len(pairs)), [len(ends) for ends, _ in pairs])
    share = np.concatenate([np.zeros(0), *(factor for _, factor in pairs)])
    nodes, masses = _masses(point_masses, attached, places)
    return Discretes(
        ends=np.concatenate([np.zeros((0, 2), np.int64), *(ends for ends, _ in pairs)]),
        stiffness=share[:, None, None] * tensor[of, 0],
        damping=share[:, None, None] * tensor[of, 1],
        follows=np.array([spring.axial for spring in springs.values()], dtype=bool)[of],
        length=np.array(lengths, dtype=float)[of],
        mass_nodes=nodes,
        mass=masses,
        names=tuple(np.array([*springs], dtype=object)[of]),
        factor=_factors(joined, len(mesh.points)),
        tensor=tensor[:, 0],
    )


def _ends(name: str, spring: Spring, forms: Forms, places: Places) -> Ends:
    """Return the nodes of both ends of a spring."""
    where = f"springs.{name}.between"
    node, factor = [], []
    for end, sign in zip(spring.between, (1.0, -1.0), strict=True):
        own, share = _mean_of(end, forms, places, where)
        node.append(own)
        factor.append(sign * share)
    found = Ends(np.concatenate(node), np.concatenate(factor))
    if len(np.unique(found.node)) < len(found.node):
        raise InputError(f"{where}: both ends contain the same nodes. Connect separate places.")
    if spring.axial and len(found.node) > 2:
        raise InputError(
            f"{where}: an axial spring needs two points, not an edge or a body. Name two points, "
            "or set `direction` instead of `axial`."
        )
    return found


def _mean_of(end: str, forms: Forms, places: Places, where: str) -> tuple[Index, Array]:
    """Return nodes and weights (sum 1) of the mean displacement of an end of a spring."""
    if end == GROUND:
        return np.array([-1]), np.ones(1)
    if not places.extends(end):
        return np.array([places.point(end, where)]), np.ones(1)
    at = forms.edge_points(places.outline(end, where))
    force = at.force(np.ones_like(at.place), len(forms.space.mesh.points))[:, 0]
    node = np.unique(at.edges)
    if len(node) > MOST_NODES:
        raise InputError(
            f"{where}: {end!r} has {len(node)} nodes on its boundary (limit {MOST_NODES}). Name a "
            "shorter edge, or distribute the spring over the edge with [foundations]."
        )
    return node, force[node] / force[node].sum()


def _axis(
    name: str, spring: Spring, ends: Ends, mesh: ModelMesh
) -> tuple[tuple[float, float], float]:
    """Return the direction of a spring and, if it is axial, the initial distance of its ends, m."""
    if not spring.axial:
        return spring.direction, 0.0
    x, y = mesh.points[ends.node[1]] - mesh.points[ends.node[0]]
    distance = float(np.hypot(x, y))
    if distance == 0.0:
        raise InputError(
            f"springs.{name}.axial: both ends are at the same position, so the spring has "
            "no axis. Remove it."
        )
    return (float(x), float(y)), distance


def _factors(joined: list[Ends], count: int) -> scipy.sparse.csr_array:
    """Return q (S, N) of all springs; the ground has no column."""
    row = np.repeat(np.arange(len(joined)), [len(found.node) for found in joined])
    node = np.concatenate([np.zeros(0, np.int64), *(found.node for found in joined)])
    factor = np.concatenate([np.zeros(0), *(found.factor for found in joined)])
    own = node >= 0
    entries = (factor[own], (row[own], node[own]))
    return scipy.sparse.csr_array(scipy.sparse.coo_array(entries, shape=(len(joined), count)))


def _masses(
    point_masses: Mapping[str, PointMass], attached: NDArray[np.bool_], places: Places
) -> tuple[Index, Array]:
    """Return the nodes of the point masses and the masses, kg."""
    nodes = []
    for name, entry in point_masses.items():
        node = places.point(entry.on, f"point_masses.{name}.on")
        if not attached[node]:
            raise InputError(
                f"point_masses.{name}: the point {entry.on!r} belongs to no body. Use a mesh node."
            )
        nodes.append(node)
    masses = [entry.mass for entry in point_masses.values()]
    return np.array(nodes, dtype=np.int64), np.array(masses, dtype=float)


def add_preloads(
    patterns: dict[tuple[str | None, int], Array],
    springs: Mapping[str, Spring],
    factor: scipy.sparse.csr_array,
    space: NodalSpace,
) -> None:
    """Add the initial forces of springs to the constant load; factor: as in Discretes."""
    pulls = [
        spring.preload * np.asarray(spring.direction) / np.hypot(*spring.direction)
        for spring in springs.values()
    ]
    forces = factor.T @ np.reshape(pulls, (-1, 2))
    if forces.any():
        own = space.owned(forces)
        patterns[None, 0] = patterns[None, 0] + own if (None, 0) in patterns else own


def _tensor(values: tuple[float, float], direction: tuple[float, float]) -> Array:
    """Return a d dᵀ + b e eᵀ with a along and b perpendicular to the direction d."""
    x, y = np.asarray(direction) / np.hypot(*direction)
    axes = np.array([[x, y], [-y, x]])
    return np.asarray(axes.T @ np.diag(values) @ axes)


def add_springs(matrix: PETSc.Mat, space: NodalSpace, ends: Index, value: Array) -> None:
    """Add the blocks [[1, −1], [−1, 1]] ⊗ value, value (P, 2, 2), of springs or dashpots."""
    block = np.where(ends >= 0, space.block[ends], -1)
    rows, columns, values = [], [], []
    for near, far in ((0, 1), (1, 0)):
        for other, sign in ((near, 1.0), (far, -1.0)):
            both = (block[:, near] >= 0) & (block[:, other] >= 0)
            row, column = (2 * block[both, end, None] + np.arange(2) for end in (near, other))
            rows.append(np.repeat(row, 2, axis=1).ravel())
            columns.append(np.tile(column, 2).ravel())
            values.append(sign * value[both].ravel())
    add_entries(matrix, np.concatenate(rows), np.concatenate(columns), np.concatenate(values))


def add_edges(matrix: PETSc.Mat, space: NodalSpace, at: EdgePoints, tensor: Array) -> None:
    """Add ∫ N_i k N_j dS of a tensor k (E, Q, 2, 2) over edges."""
    rows, columns, values = at.matrix(tensor)
    rows, columns = (2 * space.block[dofs // 2] + dofs % 2 for dofs in (rows, columns))
    add_entries(matrix, rows, columns, values)


def add_masses(matrix: PETSc.Mat, space: NodalSpace, nodes: Index, mass: Array) -> None:
    """Add point masses to the diagonal."""
    dofs: Index = (2 * space.block[nodes, None] + np.arange(2)).ravel()
    add_entries(matrix, dofs, dofs, np.repeat(mass, 2))


def add_entries(matrix: PETSc.Mat, rows: Index, columns: Index, values: Array) -> None:
    """Add entries, identical on every rank, to a matrix that may not yet contain their
    positions.
    """
    nonzero = values != 0.0
    if not nonzero.any():
        return
    first, last = matrix.getOwnershipRange()
    mine = nonzero & (rows >= first) & (rows < last)
    shape = (last - first, matrix.getSize()[1])
    local = scipy.sparse.coo_array(
        (values[mine], (rows[mine] - first, columns[mine])), shape=shape
    ).tocsr()
    csr = (local.indptr.astype(PETSc.IntType), local.indices.astype(PETSc.IntType), local.data)
    extra = PETSc.Mat().createAIJ(matrix.getSizes(), csr=csr, comm=matrix.comm)
    matrix.axpy(1.0, extra, PETSc.Mat.Structure.DIFFERENT_NONZERO_PATTERN)
    extra.destroy()


@njit
def spring_energy(stiffness, rows, motion):  # type: ignore[no-untyped-def]
    """Return ½ Σ (a − b)·k (a − b), J.

    stiffness: k (n, 2, 2), N/m.
    rows: (n, 2) rows of the ends in motion (S, 2), −1: ground.
    """
    energy = 0.0
    stretch = np.zeros(2)
    for s in range(len(stiffness)):
        for i in range(2):
            stretch[i] = 0.0
            if rows[s, 0] >= 0:
                stretch[i] += motion[rows[s, 0], i]
            if rows[s, 1] >= 0:
                stretch[i] -= motion[rows[s, 1], i]
        for i in range(2):
            for j in range(2):
                energy += 0.5 * stretch[i] * stiffness[s, i, j] * stretch[j]
    return energy
