"""Stress of nearly incompressible cells at their nodes, from the mean stress of a patch of cells.

With a pressure that is constant in each cell, the strains in a cell deviate by the part of the
pressure that varies over it, an error of first order. The mean stress of a cell is more accurate
(O. C. Zienkiewicz & J. Z. Zhu 1992, doi:10.1002/nme.1620330702). Each cell therefore extrapolates
its mean stress to its nodes,

    σ_ci = σ_c + g_c · (X_i − X_c),

with the gradient g_c of the linear function that fits best, in the sense of least squares, the mean
stresses of the cells of its body that share a node with it. In directions in which these cells do
not extend, as across a layer of one cell, the gradient is that of the stress in the cell.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse

from fecontact.arrays import Array, Index, Integers, Mask
from fecontact.mesh.cells import by_kind
from fecontact.record import ModelMesh

EXTENT = 0.3  # least mean square distance of the cells of a patch, in squares of the cell size


class PatchRecovery:
    """Linear fits over patches of cells, in the reference configuration."""

    def __init__(self, mesh: ModelMesh, body: Integers, chosen: Mask) -> None:
        """Set up.

        body: (cells,) body of each cell; a patch has cells of one body.
        chosen: (cells,) True for the cells of this recovery.
        """
        self._points, self._chosen = mesh.points, chosen
        count = len(mesh.cells)
        parts = [
            (np.repeat(rows[chosen[rows]], cells.shape[1]), cells[chosen[rows]].ravel())
            for rows, cells in by_kind(mesh.cells)
        ]
        cell, node = (np.concatenate(part) for part in zip(*parts, strict=True))
        size = count, len(mesh.points)
        touch = scipy.sparse.csr_matrix((np.ones(len(cell)), (cell, node)), size)
        number = np.maximum(np.bincount(cell, minlength=count), 1.0)[:, None]
        self._centre = (touch @ mesh.points) / number
        arm = mesh.points[node] - self._centre[cell]
        # Lengths are measured in the size of a cell: Σ s sᵀ / k = 1 over its k nodes.
        shape = _moments(cell, arm, count)[chosen] / number[chosen][:, :, None]
        self._unit = np.zeros((count, 2, 2))
        self._unit[chosen] = np.linalg.inv(np.linalg.cholesky(shape))
        near = (touch @ touch.T).tocoo()
        same = body[near.row] == body[near.col]
        row, column = near.row[same], near.col[same]
        ones = np.ones(len(row))
        self._patch = scipy.sparse.csr_matrix((ones, (row, column)), (count, count))
        cells_in = np.maximum(np.bincount(row, minlength=count), 1.0)[:, None]
        mean = (self._patch @ self._centre) / cells_in
        scaled = np.einsum("nij,nj->ni", self._unit[row], self._centre[column] - mean[row])
        square, axes = np.linalg.eigh(_moments(row, scaled, count))
        extends = square > EXTENT * cells_in
        inverse = np.where(extends, 1.0 / np.maximum(square, 1e-300), 0.0)
        fit = np.einsum("cil,cl,cml->cim", axes, inverse, axes)
        weight = np.einsum("nim,nm->ni", fit[row], scaled)
        self._fit = [
            scipy.sparse.csr_matrix((weight[:, i], (row, column)), (count, count)) for i in (0, 1)
        ]
        self._inner = np.einsum("cil,cl,cml->cim", axes, np.where(extends, 0.0, 1.0), axes)

    def patch(self, cells: Mask) -> Mask:
        """Return the cells (cells,) of the patches of some cells (cells,)."""
        found: Mask = (self._patch @ cells.astype(float)) > 0.0
        return found | cells

    def gradients(self, means: Array) -> Array:
        """Return the gradients (cells, 2, 4) of the mean stresses (cells, 4), Pa per cell size."""
        return np.stack([fit @ means for fit in self._fit], axis=1)

    def recover(self, cells: Index, nodes: Index, stress: Array, gradients: Array) -> Array:
        """Return the stress (c, k, 4) of cells at their nodes (c, k), from that of each cell, Pa.

        Cells of other materials keep their stress; gradients: of all cells.
        """
        arm = self._points[nodes] - self._centre[cells][:, None]
        scaled = np.einsum("cij,ckj->cki", self._unit[cells], arm)
        inner = np.einsum("cki,ckm->cim", scaled, stress) / nodes.shape[1]
        slope = gradients[cells] + np.einsum("cij,cjm->cim", self._inner[cells], inner)
        linear = stress.mean(axis=1, keepdims=True) + np.einsum("cki,cim->ckm", scaled, slope)
        return np.where(self._chosen[cells][:, None, None], linear, stress)


def _moments(owner: Integers, arm: Array, count: int) -> Array:
    """Return Σ a aᵀ (count, 2, 2) of the arms (n, 2) of each owner, m²."""
    out = np.zeros((count, 2, 2))
    np.add.at(out, owner, arm[:, :, None] * arm[:, None, :])
    return out
