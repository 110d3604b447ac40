"""Free and prescribed degrees of freedom, and nodes whose motion is shared by all ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.kernels import kernel
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.conditions.directed import LocalAxes
from fecontact.solid.conditions.supports import Supports
from fecontact.solid.fem.space import NodalSpace


class FreeDofs:
    """Free dofs of this rank: its owned dofs without the prescribed ones, in the same order.

    size: number of free dofs.
    owned: (size,) their numbers among the dofs owned by this rank.
    index: (N, 2) number of a node's component among the free dofs of this rank, −1 if prescribed or
        owned elsewhere.
    """

    def __init__(self, space: NodalSpace, supports: Supports) -> None:
        own = space.node[: space.owned_blocks]
        free = ~supports.prescribed[own]
        self.owned: Index = np.flatnonzero(free.ravel())
        self.size = len(self.owned)
        self.index: Index = np.full(supports.prescribed.shape, -1, dtype=np.int64)
        self.index[own] = numbered(free)
        self._own, self._axes = own, supports.axes
        self._axes_here = supports.axes.of(own)
        self._place: Index = 2 * own[self.owned // 2] + self.owned % 2  # in a field, row by row

    def take(self, field: Array) -> Array:
        """Return a nodal field (N, 2) at the free dofs of this rank."""
        return self.of_owned(field[self._own])

    def of_owned(self, values: Array) -> Array:
        """Return values of all dofs owned by this rank, in x and y, at the free ones."""
        return np.asarray(self._axes_here.local(values.reshape(-1, 2)).ravel()[self.owned])

    def marked(self, field: Array) -> Array:
        """Return the free entries of numbers (N, 2) by nodal dof, independent of the axes."""
        return np.asarray(field[self._own].ravel()[self.owned])

    def put(self, x: Array, field: Array) -> None:
        """Write the free dofs of this rank into a nodal field (N, 2) that is 0 elsewhere."""
        self.put_marked(x, field)
        field[:] = self._axes.plain(field)

    def put_marked(self, x: Array, field: Array) -> None:
        """Write as `put`, but by nodal dof, in the local axes of each node."""
        field.reshape(-1)[self._place] = x

    def put_owned(self, x: Array, values: Array) -> None:
        """Add the free dofs of this rank to the values, in x and y, of all its owned dofs.

        On input, the values are those of the prescribed dofs.
        """
        own = np.zeros(2 * len(self._own))
        own[self.owned] = x
        values += self._axes_here.plain(own.reshape(-1, 2)).ravel()

    def restrict(self, matrix: PETSc.Mat) -> PETSc.Mat:
        """Return rows and columns of the free dofs."""
        return restricted(self.turned(matrix), self.owned)

    def turned(self, matrix: PETSc.Mat) -> PETSc.Mat:
        """Return a matrix over x and y of all nodes in their local axes. Collective."""
        return turned(matrix, self._axes_here)

    def along_axes(self, values: Array) -> Array:
        """Return values of all dofs owned by this rank, given in x and y, in local axes."""
        return np.asarray(self._axes_here.local(values.reshape(-1, 2)).ravel())

    def in_x_and_y(self, values: Array) -> Array:
        """Return values of all dofs owned by this rank, given in local axes, in x and y."""
        return np.asarray(self._axes_here.plain(values.reshape(-1, 2)).ravel())


def numbered(free: NDArray[np.bool_]) -> Index:
    """Return 0, 1, 2, … where True, row by row; −1 elsewhere."""
    return np.where(free, np.cumsum(free.ravel()).reshape(free.shape) - 1, -1)


def turned(matrix: PETSc.Mat, axes: LocalAxes) -> PETSc.Mat:
    """Return Qᵀ A Q, a matrix over x and y of all nodes in local axes. Collective.

    axes: local axes of the nodes owned by this rank.
    """
    comm = matrix.comm
    if comm.tompi4py().allreduce(len(axes.node)) == 0:
        return matrix
    first, last = matrix.getOwnershipRange()
    blocks = np.tile(np.eye(2), ((last - first) // 2, 1, 1))
    blocks[axes.node] = axes.matrix.transpose(0, 2, 1)
    start = np.arange(0, 2 * (last - first) + 1, 2, dtype=PETSc.IntType)
    columns = np.repeat(np.arange(first, last, dtype=PETSc.IntType).reshape(-1, 1, 2), 2, axis=1)
    csr = (start, columns.ravel(), blocks.ravel())
    return matrix.ptap(PETSc.Mat().createAIJ(matrix.getSizes(), csr=csr, comm=comm))


def restricted(matrix: PETSc.Mat, owned: Index) -> PETSc.Mat:
    """Return rows and columns of dofs given by their numbers among those owned by each rank."""
    rows = (matrix.getOwnershipRange()[0] + owned).astype(PETSc.IntType)
    chosen = PETSc.IS().createGeneral(rows, comm=matrix.comm)
    return matrix.createSubMatrix(chosen, chosen)


class SharedDofs:
    """Free dofs whose values are shared by all ranks.

    size: number over all ranks.
    mine: their numbers of those owned by this rank.
    local: positions of these among the free dofs of this rank.
    """

    def __init__(self, comm: MPI.Comm, mine: Index, local: Index, size: int) -> None:
        self._comm, self.mine, self.local, self.size = comm, mine, local, size

    def gather(self, u: Array, out: Array) -> Array:
        """Return values (size,) of a free-dof vector at these dofs, on every rank."""
        if self._comm.size == 1:
            return u.take(self.local, out=out, mode="clip")  # "raise" would create a copy
        out[:] = 0.0
        out[self.mine] = u[self.local]
        self._comm.Allreduce(MPI.IN_PLACE, out)  # one owner each: adding zeros is exact
        return out

    def scatter(self, f: Array, out: Array) -> Array:
        """Add forces (size,) at these dofs, identical on every rank, to the owners' entries."""
        _add_at(out, self.local, f, self.mine)
        return out


@kernel
def _add_at(out, to, values, chosen):  # type: ignore[no-untyped-def]
    """Add the chosen values to the given entries of out."""
    for k in range(len(to)):
        out[to[k]] += values[chosen[k]]


class SharedNodes(SharedDofs):
    """Nodes (contact surfaces, history points, ends of springs) shared by all ranks.

    node: (S,) numbers in the ModelMesh.
    coordinates: (S, 2) m, undeformed.
    dof: (S, 2) number of x and y (or of the local components) among the free dofs of these nodes,
        −1 where prescribed.
    size: number of those dofs.
    prescribed_moves: True if a support ever moves a prescribed component.
    """

    def __init__(self, space: NodalSpace, supports: Supports, free: FreeDofs, nodes: Index) -> None:
        self._supports = supports
        self.node: Index = np.asarray(nodes, dtype=np.int64)
        self.coordinates: Array = space.mesh.points[self.node]
        is_free = ~supports.prescribed[self.node] & (space.block[self.node] >= 0)[:, None]
        self.dof: Index = numbered(is_free)
        self.prescribed_moves = bool(supports.amplitudes[:, self.node].any())
        here = free.index[self.node]
        owned_here = is_free & (here >= 0)
        count = int(np.count_nonzero(is_free))
        super().__init__(space.comm, self.dof[owned_here], here[owned_here], count)
        self._padded = np.zeros(count + 1)  # dof values, followed by the 0 used for dof −1
        self._values = self._padded[:-1]
        self.axes = supports.axes.of(self.node)

    def prescribed(self, t: float) -> tuple[Array, Array]:
        """Return displacement and velocity (S, 2) of prescribed components at time t, 0
        where free.
        """
        displacement, velocity, _ = self.prescribed_motion(t)
        return displacement, velocity

    def motion(self, x: Array, t: float, derivative: int = 0) -> Array:
        """Return all components (S, 2), free and prescribed, of displacements (or derivative) x at
        t.
        """
        self.gather(x, self._values)
        values: Array = self.axes.plain(self._padded.take(self.dof))
        if self.prescribed_moves:
            values += self.prescribed_motion(t)[derivative]
        return values

    def prescribed_motion(self, t: float) -> Array:
        """Return displacement, velocity, acceleration (3, S, 2) of prescribed components, 0 where
        free.
        """
        if self.prescribed_moves:
            return self._supports.motion(t, self.node)
        return np.zeros((3, len(self.node), 2))
