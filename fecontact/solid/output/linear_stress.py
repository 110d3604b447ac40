"""Stress of linear materials at the nodes of their cells, extrapolated from σ = D ε(u) at points.

The displacement gradient of an isoparametric cell with shape functions N_a and nodes x_a is

    ∂u/∂x = (Σ_a u_a ⊗ ∂N_a/∂ξ) (Σ_a x_a ⊗ ∂N_a/∂ξ)⁻¹.

Stresses are sampled about 100 times in a run. Compiled for this purpose, a sample costs less than
a step; an expression of dolfinx costs several steps.
"""

from __future__ import annotations

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
        self._extrapolation, self._at_points = extrapolation, np.empty((len(points), 4))
        table = piece.element.scalar.tabulate(1, points)
        self._shapes = np.ascontiguousarray(table[0])
        self._slopes = np.ascontiguousarray(np.moveaxis(table[1:], 0, -1))
        geometry = piece.domain.geometry
        self._geometry = np.ascontiguousarray(geometry.x[:, :2])
        self._vertices = np.ascontiguousarray(compat.geometry_dofmap(piece.domain))
        self._blocks = np.ascontiguousarray(piece.space.dofmap.list)
        _, first, of_cell = np.unique(materials.body, return_index=True, return_inverse=True)
        self._stiffness, self._body = materials.stiffness[first], of_cell[piece.cell]
        self._hoop = hoop

    def __call__(self, u: Array, cells: Index) -> Array:
        """Return the stress (c, n, 4), Pa, of given cells; u: all dofs of this rank, m."""
        out = np.empty((len(cells), len(self._extrapolation), 4))
        sample(
            *(u.reshape(-1, 2), cells, self._geometry, self._vertices, self._blocks),
            *(self._shapes, self._slopes, self._stiffness, self._body, self._hoop),
            *(self._extrapolation, self._at_points, out),
        )
        return out


@kernel
def sample(u, cells, x, vertices, blocks, *arrays):  # type: ignore[no-untyped-def]
    """Set out (c, n, 4) to the stress of cells at their nodes.

    u, x: (blocks, 2) and (vertices, 2) displacements and coordinates of the nodes;
    vertices, blocks: (cells, n) rows of x and of u of each cell;
    shapes: (k, n) shape functions, slopes: (k, n, 2) their derivatives in reference coordinates;
    stiffness: (bodies, 4, 4) D, body: (cells,) index in it; hoop: True for axisymmetric bodies;
    extrapolation: (n, k) from points to nodes; at_points: (k, 4) work space.
    """
    shapes, slopes, stiffness, body, hoop, extrapolation, at_points, out = arrays
    k, n = shapes.shape
    for row in range(len(cells)):
        c = cells[row]
        m = body[c]
        for q in range(k):
            ux = uy = vx = vy = xx = xy = yx = yy = radius = outward = 0.0
            for a in range(n):
                d, e = slopes[q, a, 0], slopes[q, a, 1]
                p, b = vertices[c, a], blocks[c, a]
                xx, xy = xx + x[p, 0] * d, xy + x[p, 0] * e
                yx, yy = yx + x[p, 1] * d, yy + x[p, 1] * e
                ux, uy = ux + u[b, 0] * d, uy + u[b, 0] * e
                vx, vy = vx + u[b, 1] * d, vy + u[b, 1] * e
                radius += shapes[q, a] * x[p, 0]
                outward += shapes[q, a] * u[b, 0]
            area = xx * yy - xy * yx
            strain_x = (ux * yy - uy * yx) / area
            strain_y = (vy * xx - vx * xy) / area
            strain_z = outward / radius if hoop else 0.0
            shear = (uy * xx - ux * xy + vx * yy - vy * yx) / area
            for i in range(4):
                in_plane = stiffness[m, i, 0] * strain_x + stiffness[m, i, 1] * strain_y
                out_of_plane = stiffness[m, i, 2] * strain_z + stiffness[m, i, 3] * shear
                at_points[q, i] = in_plane + out_of_plane
        for a in range(n):
            for i in range(4):
                at_node = 0.0
                for q in range(k):
                    at_node += extrapolation[a, q] * at_points[q, i]
                out[row, a, i] = at_node


@kernel
def add_at_nodes(nodes, stress, total):  # type: ignore[no-untyped-def]
    """Add the stress (c, k, 4) of cells at their nodes (c, k) to the sums (N, 4)."""
    for c in range(nodes.shape[0]):
        for a in range(nodes.shape[1]):
            for i in range(4):
                total[nodes[c, a], i] += stress[c, a, i]
