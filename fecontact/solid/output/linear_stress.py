"""Stress of linear materials at the nodes of their cells, extrapolated from σ = D ε(u) at points.

The displacement gradient of an isoparametric cell with shape functions N_a and nodes x_a is

    ∂u/∂x = Σ_a u_a ⊗ g_a,    g_a = J⁻ᵀ ∂N_a/∂ξ,    J = Σ_a x_a ⊗ ∂N_a/∂ξ.

Points and extrapolation do not change, so that the stress at the nodes is a fixed linear function
of u: the g_a, extrapolated to the nodes, are stored. Stresses are sampled about 100 times in a run;
a sample then costs less than a step.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from fecontact import compat
from fecontact.kernels import kernel
from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.materials import CellMaterials
from fecontact.solid.fem.piece import Piece


class LinearStress:
    """Stress in the cells of one kind.

    points: (k, 2) reference coordinates of the sampling points;
    extrapolation: (n, k) matrix from these points to the n nodes of a cell;
    hoop: True for axisymmetric bodies, whose ε_zz is u_r/r.
    """

    def __init__(
        self,
        piece: Piece,
        points: Array,
        extrapolation: Array,
        materials: CellMaterials,
        hoop: bool,
    ) -> None:
        self._piece, self._points, self._extrapolation = piece, points, extrapolation
        self._blocks = np.ascontiguousarray(piece.space.dofmap.list)
        _, first, of_cell = np.unique(materials.body, return_index=True, return_inverse=True)
        self._stiffness, self._body = materials.stiffness[first], of_cell[piece.cell]
        self._hoop = hoop

    @cached_property
    def _gradients(self) -> tuple[Array, Array]:
        """Compute g_a (cells, n, n, 2) at the nodes, and N_a/r (cells, n, n) of axisymmetric
        bodies, (cells, n, 0) of others.
        """
        table = self._piece.element.scalar.tabulate(1, self._points)
        domain = self._piece.domain
        x = domain.geometry.x[compat.geometry_dofmap(domain), :2]
        slopes = np.moveaxis(table[1:], 0, -1)  # (k, n, 2)
        inverse = np.linalg.inv(np.einsum("cai,qaj->cqij", x, slopes, optimize=True))
        at_points = np.einsum("qaj,cqji->cqai", slopes, inverse, optimize=True)
        at_nodes = np.einsum("nq,cqai->cnai", self._extrapolation, at_points, optimize=True)
        around = np.zeros((*at_nodes.shape[:2], 0))
        if self._hoop:
            radius = np.einsum("qa,ca->cq", table[0], x[:, :, 0])
            shares = table[0] / radius[:, :, None]
            around = np.einsum("nq,cqa->cna", self._extrapolation, shares, optimize=True)
        return np.ascontiguousarray(at_nodes), np.ascontiguousarray(around)

    def __call__(self, u: Array, cells: Index) -> Array:
        """Return the stress (c, n, 4), Pa, of given cells; u: all dofs of this rank, m."""
        out = np.empty((len(cells), len(self._extrapolation), 4))
        at, known = u.reshape(-1, 2), (self._blocks, *self._gradients)
        sample(at, cells, *known, self._stiffness, self._body, out)
        return out


@kernel
def sample(u, cells, blocks, gradients, around, *arrays):  # type: ignore[no-untyped-def]
    """Set out (c, n, 4) to the stress of cells at their nodes.

    u: (blocks, 2) displacements of the nodes; blocks: (cells, n) rows of u of each cell;
    gradients, around: (cells, n, n, 2) and (cells, n, n or 0) as :class:`LinearStress` stores them;
    arrays: (bodies, 4, 4) D, (cells,) index in it, out.
    """
    stiffness, body, out = arrays
    n = blocks.shape[1]
    for row in range(len(cells)):
        c = cells[row]
        m, first = body[c], u[blocks[c, 0]]
        for a in range(n):
            strain_x = strain_y = strain_z = shear = 0.0
            for b in range(1, n):  # Σ g_a = 0: without the translation no digits are lost
                x, y = u[blocks[c, b], 0] - first[0], u[blocks[c, b], 1] - first[1]
                by_x, by_y = gradients[c, a, b, 0], gradients[c, a, b, 1]
                strain_x += by_x * x
                strain_y += by_y * y
                shear += by_y * x + by_x * y
            for b in range(around.shape[2]):
                strain_z += around[c, a, b] * u[blocks[c, b], 0]
            for i in range(4):
                in_plane = stiffness[m, i, 0] * strain_x + stiffness[m, i, 1] * strain_y
                out_of_plane = stiffness[m, i, 2] * strain_z + stiffness[m, i, 3] * shear
                out[row, a, i] = in_plane + out_of_plane


@kernel
def add_at_nodes(nodes, stress, total):  # type: ignore[no-untyped-def]
    """Add the stress (c, k, 4) of cells at their nodes (c, k) to the sums (N, 4)."""
    for c in range(nodes.shape[0]):
        for a in range(nodes.shape[1]):
            for i in range(4):
                total[nodes[c, a], i] += stress[c, a, i]
