"""Cells of one kind in dolfinx: mesh, function space, and map to the ModelMesh."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from dolfinx import fem
from mpi4py import MPI

from fecontact import compat
from fecontact.mesh.cells import Index
from fecontact.record import Array, ModelMesh
from fecontact.solid.fem.elements import element


class Piece:
    """Displacement space of the cells of one kind, distributed over the ranks by dolfinx.

    Degree of freedom 2b + i of this rank is component i (x, y) of its node block b; owned blocks
    come first, those of neighbouring ranks (ghosts) after them.

    node: (blocks,) node of the ModelMesh of each block of this rank, ghosts last.
    cell: (cells,) cell of the ModelMesh of each cell of this rank.
    block: (N,) global number of the block of every node of the ModelMesh, −1 for nodes without one.
    local_block: (N,) the same on this rank, −1 where another rank owns the node.
    """

    def __init__(self, mesh: ModelMesh, rows: Index, cells: Index, comm: MPI.Comm) -> None:
        """Create the mesh and the space.

        rows: rows of the ModelMesh's cells.
        cells: (len(rows), 3, 4, 6 or 8) their nodes.
        """
        self.comm = comm
        self.element = element(cells.shape[1])
        attached, numbered = np.unique(cells, return_inverse=True)
        numbered = numbered.reshape(cells.shape)[:, self.element.vtk_to_basix]
        points = mesh.points[attached]
        if comm.rank > 0:
            numbered, points = numbered[:0], points[:0]
        self.domain = compat.create_mesh(
            comm, np.ascontiguousarray(numbered), points, self.element.vector
        )
        self.space = fem.functionspace(self.domain, self.element.vector)
        self._constants: dict[tuple[int, ...], Any] = {}
        original = np.asarray(self.domain.topology.original_cell_index, dtype=np.int64)
        self.cell: Index = rows[original]
        self._number_nodes(attached, len(mesh.points))

    def _number_nodes(self, attached: Index, count: int) -> None:
        dofmap = self.space.dofmap
        blocks = dofmap.index_map.size_local + dofmap.index_map.num_ghosts
        self.owned_blocks: int = dofmap.index_map.size_local
        geometry = self.domain.geometry
        input_node = attached[np.asarray(geometry.input_global_indices, dtype=np.int64)]
        # Geometry and displacement use the same element, so entry (cell, i) of both dofmaps is
        # the same node.
        self.node: Index = np.empty(blocks, dtype=np.int64)
        self.node[dofmap.list] = input_node[compat.geometry_dofmap(self.domain)]

        own = np.arange(self.owned_blocks)
        self.local_block: Index = np.full(count, -1, dtype=np.int64)
        self.local_block[self.node[own]] = own
        mine = np.full(count, -1, dtype=np.int64)
        mine[self.node[own]] = dofmap.index_map.local_range[0] + own
        self.block: Index = np.empty_like(mine)
        self.comm.Allreduce(mine, self.block, op=MPI.MAX)

    @cached_property
    def pressures(self) -> Any:
        """Return the space of pressures: linear in each quad8, constant in other cells."""
        kind = ("DPC", 1) if self.element.scalar.dim == 8 else ("DG", 0)
        return fem.functionspace(self.domain, kind)

    def cellwise(self, values: Array) -> fem.Function:
        """Return a cellwise constant function from values (cells, …) on the cells of the
        ModelMesh.
        """
        shape = values.shape[1:]
        if shape not in self._constants:
            self._constants[shape] = fem.functionspace(self.domain, ("DG", 0, shape))
        space = self._constants[shape]
        function = fem.Function(space)
        width = math.prod(shape)
        blocks = function.x.array.reshape(-1, width)
        blocks[space.dofmap.list[:, 0]] = values[self.cell].reshape(-1, width)
        return function
