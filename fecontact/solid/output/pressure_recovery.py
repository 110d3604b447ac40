"""Nodal pressures of nearly incompressible bodies, whose pressure is constant in each cell.

The average over the cells adjacent to a node is exact for linear pressures inside a body, but on
its boundary all cells are on one side: the error is of first order. With the gradient of the nodal
pressures P at the centre x_c of each cell,

    P_i = 1/n_i Σ_c (p_c + ∇P_c · (x_i − x_c))

is used at the boundary nodes, and the average at all others. (Used at all nodes, the system would
not determine a checkerboard.) The system is linear and constant, and is factorised once.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

from fecontact.arrays import Array, Index, Mask
from fecontact.mesh.cells import by_kind, edge_table
from fecontact.record import ModelMesh

_QUAD = np.array([[-1.0, 1.0, 1.0, -1.0], [-1.0, -1.0, 1.0, 1.0]]) / 4.0
_TRIANGLE = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])


class PressureRecovery:
    """Corrections of nodal averages of the cell pressures, in the reference configuration."""

    def __init__(self, mesh: ModelMesh, pressed: Mask) -> None:
        """Set up; pressed: (cells,) True for cells with a constant pressure."""
        size, count = len(mesh.points), np.zeros(len(mesh.points))
        entries: list[tuple[Index, Index, Array]] = []
        averages: list[tuple[Index, Index]] = []
        others = np.zeros(size, bool)
        for rows, cells in by_kind(mesh.cells):
            others[cells[~pressed[rows]]] = True
            own, nodes = rows[pressed[rows]], cells[pressed[rows]]
            np.add.at(count, nodes, 1.0)
            corners = 4 if nodes.shape[1] in (4, 8) else 3
            derivative = _QUAD if corners == 4 else _TRIANGLE
            x = mesh.points[nodes[:, :corners]]
            jacobian = np.einsum("ra,max->mrx", derivative, x)
            gradient = np.einsum("mxr,ra->max", np.linalg.inv(jacobian), derivative)
            arm = mesh.points[nodes] - x.mean(axis=1, keepdims=True)
            value = np.einsum("mkx,max->mka", arm, gradient)
            where = np.broadcast_to(nodes[:, :, None], value.shape)
            of = np.broadcast_to(nodes[:, None, :corners], value.shape)
            entries.append((where.ravel(), of.ravel(), value.ravel()))
            averages.append((nodes.ravel(), np.repeat(own, nodes.shape[1])))
        share = np.divide(1.0, count, out=np.zeros(size), where=count > 0.0)
        i, j, value = (np.concatenate(part) for part in zip(*entries, strict=True))
        slope = scipy.sparse.coo_matrix((value * share[i], (i, j)), (size, size))
        i, c = (np.concatenate(part) for part in zip(*averages, strict=True))
        self._average = scipy.sparse.coo_matrix((share[i], (i, c)), (size, len(pressed))).tocsr()
        table = edge_table(mesh.cells, size)
        self._corrected = np.zeros(size, bool)
        self._corrected[table.nodes[table.boundary]] = True
        self._corrected &= (count > 0.0) & ~others
        keep = scipy.sparse.diags(self._corrected.astype(float))
        system = scipy.sparse.identity(size) - keep @ slope
        self._factor = scipy.sparse.linalg.splu(system.tocsc())

    def correction(self, pressure: Array) -> Array:
        """Return (nodes,) what is added to the averages of the cell pressures (cells,), Pa."""
        average = self._average @ pressure
        return np.where(self._corrected, self._factor.solve(average) - average, 0.0)
