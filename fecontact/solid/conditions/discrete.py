"""Discrete springs, dashpots and point masses, assembled into the matrices of the bodies."""

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
from fecontact.solid.fem.regions import Places
from fecontact.solid.fem.space import NodalSpace
from fecontact.study.common import GROUND
from fecontact.study.errors import InputError
from fecontact.study.parts import PointMass, Spring


@dataclass(frozen=True)
class Discretes:
    """Springs and dashpots between nodes, masses at nodes.

    ends: (P, 2) nodes of the springs, −1 for the ground.
    stiffness: (P, 2, 2) tensors, N/m.
    damping: (P, 2, 2), N·s/m.
    follows: (P,) True for axial springs; their tensors are those of the initial direction.
    length: (P,) natural length, m.
    mass_nodes: (Q,).
    mass: (Q,) kg.
    names: names of the springs.
    """

    ends: Index
    stiffness: Array
    damping: Array
    follows: NDArray[np.bool_]
    length: Array
    mass_nodes: Index
    mass: Array
    names: tuple[str, ...]

    def only(self, chosen: NDArray[np.bool_]) -> Discretes:
        """Return a subset of the springs, with all masses."""
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


def discretes(
    springs: Mapping[str, Spring],
    point_masses: Mapping[str, PointMass],
    mesh: ModelMesh,
    places: Places,
) -> Discretes:
    """Return springs, dashpots and point masses at their nodes of the mesh."""
    attached = np.zeros(len(mesh.points), dtype=bool)
    attached[mesh.cells] = True
    ends, stiffness, damping, length = [], [], [], []
    for name, spring in springs.items():
        pair = [
            -1 if point == GROUND else places.point(point, f"springs.{name}.between")
            for point in spring.between
        ]
        if not any(node >= 0 and attached[node] for node in pair):
            raise InputError(
                f"springs.{name}: neither end belongs to a body. Connect it to a body."
            )
        ends.append(pair)
        direction, distance = spring.direction, 0.0
        if spring.axial:
            direction = tuple(mesh.points[pair[1]] - mesh.points[pair[0]])
            distance = float(np.hypot(*direction))
            if distance == 0.0:
                raise InputError(
                    f"springs.{name}.axial: both ends are at the same position, so the spring has "
                    "no axis. Remove it."
                )
        stiffness.append(_tensor(spring.stiffness, direction))
        damping.append(_tensor(spring.damping, direction))
        length.append(distance if spring.length is None else spring.length)
    mass_nodes = []
    for name, entry in point_masses.items():
        node = places.point(entry.on, f"point_masses.{name}.on")
        if not attached[node]:
            raise InputError(
                f"point_masses.{name}: the point {entry.on!r} belongs to no body. Use a mesh node."
            )
        mass_nodes.append(node)
    return Discretes(
        ends=np.array(ends, dtype=np.int64).reshape(-1, 2),
        stiffness=np.array(stiffness, dtype=float).reshape(-1, 2, 2),
        damping=np.array(damping, dtype=float).reshape(-1, 2, 2),
        follows=np.array([spring.axial for spring in springs.values()], dtype=bool),
        length=np.array(length, dtype=float),
        mass_nodes=np.array(mass_nodes, dtype=np.int64),
        mass=np.array([entry.mass for entry in point_masses.values()], dtype=float),
        names=tuple(springs),
    )


def add_preloads(
    patterns: dict[tuple[str | None, int], Array],
    springs: Mapping[str, Spring],
    ends: Index,
    space: NodalSpace,
) -> None:
    """Add the initial forces of springs to the constant load; ends: (P, 2) as in Discretes."""
    forces = np.zeros(space.mesh.points.shape)
    for row, spring in enumerate(springs.values()):
        force = spring.preload * np.asarray(spring.direction) / np.hypot(*spring.direction)
        for node, sign in ((int(ends[row, 0]), 1.0), (int(ends[row, 1]), -1.0)):
            if node >= 0:
                forces[node] += sign * force
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
