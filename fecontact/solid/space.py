"""The displacement space on the distributed mesh, and its map to the nodes of the ModelMesh."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import basix.ufl
import ufl
from dolfinx import fem
from mpi4py import MPI

from fecontact import compat
from fecontact.mesh.cells import EDGES, Index, edge_table, find_edges
from fecontact.record import Array, ModelMesh
from fecontact.solid.elements import element


class NodalSpace:
    """Displacements at the nodes of a mesh, distributed over the ranks by dolfinx.

    Degree of freedom 2b + i of this rank is component i (x, y) of its node block b; a rank's own
    blocks come first, those of its neighbours (ghosts) after them.

    node: (blocks,) node of the ModelMesh of each block of this rank, ghosts last.
    cell: (cells,) cell of the ModelMesh of each cell of this rank.
    block: (N,) global number of the block of every node of the ModelMesh, −1 for isolated nodes.
    local_block: (N,) the same on this rank, −1 where another rank owns the node.
    """

    def __init__(self, mesh: ModelMesh, comm: MPI.Comm) -> None:
        self.mesh, self.comm = mesh, comm
        self.element = element(mesh.cells.shape[1])
        attached, cells = np.unique(mesh.cells, return_inverse=True)
        cells = cells.reshape(mesh.cells.shape)[:, self.element.vtk_to_basix]
        points = mesh.points[attached]
        if comm.rank > 0:
            cells, points = cells[:0], points[:0]
        self.domain = compat.create_mesh(
            comm, np.ascontiguousarray(cells), points, self.element.vector
        )
        self.space = fem.functionspace(self.domain, self.element.vector)
        self._constants: dict[tuple[int, ...], Any] = {}
        self.cell: Index = np.asarray(self.domain.topology.original_cell_index, dtype=np.int64)
        self._number_nodes(attached)

    def _number_nodes(self, attached: Index) -> None:
        dofmap = self.space.dofmap
        blocks = dofmap.index_map.size_local + dofmap.index_map.num_ghosts
        self.owned_blocks: int = dofmap.index_map.size_local
        geometry = self.domain.geometry
        input_node = attached[np.asarray(geometry.input_global_indices, dtype=np.int64)]
        # Geometry and displacement use the same element, so entry (cell, i) of both dofmaps is
        # the same node.
        self.node: Index = np.empty(blocks, dtype=np.int64)
        self.node[dofmap.list] = input_node[compat.geometry_dofmap(self.domain)]

        count = len(self.mesh.points)
        own = np.arange(self.owned_blocks)
        self.local_block: Index = np.full(count, -1, dtype=np.int64)
        self.local_block[self.node[own]] = own
        mine = np.full(count, -1, dtype=np.int64)
        mine[self.node[own]] = dofmap.index_map.local_range[0] + own
        self.block: Index = np.empty_like(mine)
        self.comm.Allreduce(mine, self.block, op=MPI.MAX)

    def cellwise(self, values: Array) -> fem.Function:
        """A function constant on each cell from values (cells, …) on those of the ModelMesh."""
        shape = values.shape[1:]
        if shape not in self._constants:
            self._constants[shape] = fem.functionspace(self.domain, ("DG", 0, shape))
        space = self._constants[shape]
        function = fem.Function(space)
        width = math.prod(shape)
        blocks = function.x.array.reshape(-1, width)
        blocks[space.dofmap.list[:, 0]] = values[self.cell].reshape(-1, width)
        return function

    def function(self, values: Array | None) -> fem.Function:
        """A function from values (N, k) at the nodes of the ModelMesh, known to rank 0.

        Collective; in the displacement space for k = 2, else in one of vectors of k entries.
        """
        values = self.comm.bcast(values)
        assert values is not None
        width = values.shape[1]
        vector = basix.ufl.blocked_element(self.element.scalar, shape=(width,))
        space = self.space if width == 2 else fem.functionspace(self.domain, vector)
        function = fem.Function(space)
        function.x.array[:] = values[self.node].ravel()
        return function

    def edge_measure(self, edges: Index) -> ufl.Measure:
        """The measure ds(1) over edges of the boundary given by their nodes."""
        count = len(self.mesh.points)
        cells = self.mesh.cells
        table = edge_table(cells, count)
        row = find_edges(table, edges, count)
        cell = table.cell[row]
        corners = cells[cell][:, EDGES[cells.shape[1]][:, 0]]
        side = np.argmax(corners == table.nodes[row, :1], axis=1)

        local = np.full(len(cells), -1, dtype=np.int64)
        local[self.cell] = np.arange(len(self.cell))
        here = local[cell] >= 0
        facets = np.stack([local[cell[here]], self.element.facet_of_edge[side[here]]], axis=1)
        return ufl.Measure(
            "ds",
            domain=self.domain,
            subdomain_data=[(1, facets.astype(np.int32).ravel())],
            metadata={"quadrature_degree": self.element.quadrature},
        )(1)
