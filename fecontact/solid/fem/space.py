"""Nodal displacement space of a mesh, with one dolfinx space for each kind of cell.

dolfinx 0.9 to 0.11 do not support forms on meshes that mix triangles and quadrilaterals. Each kind
is therefore a :class:`Piece` with a separate mesh. Nodes shared by several kinds are merged here,
and matrices and vectors of the pieces are added in the node numbering. This is exact, as integrals
are sums over cells.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import basix.ufl
from dolfinx import fem
from mpi4py import MPI
from petsc4py import PETSc

from fecontact.mesh.cells import by_kind
from fecontact.record import Array, ModelMesh
from fecontact.solid.fem.piece import Piece
from fecontact.study.errors import InputError


class NodalSpace:
    """Displacements at the nodes of a mesh, distributed over the ranks.

    Degree of freedom 2b + i of this rank is component i (x, y) of its node block b.

    pieces: the cells of each kind.
    owned_blocks: number of blocks owned by this rank.
    node: (blocks,) node of the ModelMesh of each block of this rank, owned blocks first.
    block: (N,) global number of the block of every node of the ModelMesh, −1 for isolated nodes.
    local_block: (N,) the same on this rank, −1 where another rank owns the node.
    """

    def __init__(self, mesh: ModelMesh, comm: MPI.Comm) -> None:
        self.mesh, self.comm = mesh, comm
        self.pieces = [Piece(mesh, rows, cells, comm) for rows, cells in by_kind(mesh.cells)]
        first = self.pieces[0]
        self.owned_blocks, self.node = first.owned_blocks, first.node
        self.block, self.local_block = first.block, first.local_block
        if len(self.pieces) > 1:
            self._number_nodes()

    def _number_nodes(self) -> None:
        """Number the nodes; a node belongs to its owner in the first piece that contains it."""
        ranks, rank, count = self.comm.size, self.comm.rank, len(self.mesh.points)
        nobody = ranks * len(self.pieces)
        claim = np.full(count, nobody, dtype=np.int64)
        for number, piece in reversed([*enumerate(self.pieces)]):
            claim[piece.node[: piece.owned_blocks]] = number * ranks + rank
        first = np.empty_like(claim)
        self.comm.Allreduce(claim, first, op=MPI.MIN)
        owner = np.where(first < nobody, first % ranks, -1)
        order = np.flatnonzero(owner >= 0)
        order = order[np.argsort(owner[order], kind="stable")]
        self.block = np.full(count, -1, dtype=np.int64)
        self.block[order] = np.arange(len(order))
        self.node = np.flatnonzero(owner == rank)
        self.owned_blocks = len(self.node)
        self.local_block = np.full(count, -1, dtype=np.int64)
        self.local_block[self.node] = np.arange(self.owned_blocks)

    def matrix(self, parts: Sequence[PETSc.Mat | None]) -> PETSc.Mat:
        """Return Σ Pᵀ A P over matrices A of the pieces (or None).

        P selects the dofs of a piece.
        """
        if len(parts) == 1:
            return parts[0]
        total = None
        for piece, part in zip(self.pieces, parts, strict=True):
            if part is None:
                continue
            here = part.ptap(self._pick(piece))
            if total is None:
                total = here
            else:
                total.axpy(1.0, here, PETSc.Mat.Structure.DIFFERENT_NONZERO_PATTERN)
        return total

    def _pick(self, piece: Piece) -> PETSc.Mat:
        """Return P of a piece: a row for each of its dofs, with a 1 at the column of the dof."""
        own = self.block[piece.node[: piece.owned_blocks]]
        columns = (2 * own[:, None] + np.arange(2)).ravel().astype(PETSc.IntType)
        csr = (np.arange(len(columns) + 1, dtype=PETSc.IntType), columns, np.ones(len(columns)))
        sizes = ((len(columns), None), (2 * self.owned_blocks, None))
        return PETSc.Mat().createAIJ(sizes, csr=csr, comm=self.comm)

    def vector(self, parts: Sequence[Array | None]) -> Array:
        """Return the sum of vectors of the pieces (or None), each on the dofs owned by this
        rank.
        """
        first = parts[0]
        if len(parts) == 1 and first is not None:
            return first
        total = np.zeros(self.mesh.points.shape)
        for piece, part in zip(self.pieces, parts, strict=True):
            if part is None:
                continue
            total[piece.node[: piece.owned_blocks]] += part.reshape(-1, 2)
        self.comm.Allreduce(MPI.IN_PLACE, total)
        return self.owned(total)

    def owned(self, nodal: Array) -> Array:
        """Return nodal values (N, 2), available on every rank, at the dofs owned by this rank."""
        return nodal[self.node[: self.owned_blocks]].ravel()

    def put(self, owned: Array, functions: Sequence[fem.Function]) -> None:
        """Write a vector of this rank's dofs into a function of each piece, including ghosts."""
        if len(functions) == 1:
            functions[0].x.array[: len(owned)] = owned
            functions[0].x.scatter_forward()
            return
        nodal = np.zeros(self.mesh.points.shape)
        nodal[self.node] = owned.reshape(-1, 2)
        self.comm.Allreduce(MPI.IN_PLACE, nodal)
        for piece, function in zip(self.pieces, functions, strict=True):
            function.x.array[:] = nodal[piece.node].ravel()

    def function(self, values: Array | None) -> fem.Function:
        """Return a function from values (N, k) at the nodes of the ModelMesh, available on rank 0.

        Collective; in the displacement space for k = 2, otherwise in a space of vectors with k
        entries.
        """
        if len(self.pieces) > 1:
            raise InputError(
                "mesh: dolfinx functions are not supported on meshes that mix triangles and "
                "quadrilaterals. Use the nodal values instead."
            )
        values = self.comm.bcast(values)
        assert values is not None
        width, piece = values.shape[1], self.pieces[0]
        vector = basix.ufl.blocked_element(piece.element.scalar, shape=(width,))
        space = piece.space if width == 2 else fem.functionspace(piece.domain, vector)
        function = fem.Function(space)
        function.x.array[:] = values[piece.node].ravel()
        return function
