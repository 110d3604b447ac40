"""Isoparametric elements in dolfinx: one basix element for geometry and displacement.

tri3, quad4 and tri6 are Lagrange elements. quad8 is the eight-node serendipity element with point
values at corners and mid-sides as degrees of freedom. The serendipity element of basix spans the
same polynomials but has edge moments as dofs, so quad8 is defined here: span{ξⁱηʲ, i, j ≤ 2}
without ξ²η².
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import basix
import basix.ufl


@dataclass(frozen=True)
class Element:
    """Plane element.

    vtk_to_basix: node i of the basix cell is node vtk_to_basix[i] in VTK order.
    quadrature: degree integrated exactly on the reference cell, 2×2 Gauss points for quad4 and 3×3
        for quad8 (full integration of mass and stiffness of straight-sided cells).
    """

    scalar: Any
    vtk_to_basix: NDArray[np.int64]
    quadrature: int

    @property
    def vector(self) -> Any:
        """Return the element of displacements and coordinates."""
        return basix.ufl.blocked_element(self.scalar, shape=(2,))


def _serendipity() -> Any:
    """Return the nodal quad8 as a basix custom element."""
    cell = basix.CellType.quadrilateral
    corners, topology = basix.geometry(cell), basix.topology(cell)
    nodes = [
        [corners[vertex] for vertex in topology[0]],
        [corners[edge].mean(axis=0)[None] for edge in topology[1]],
        [np.zeros((0, 2))],
        [],
    ]
    point_value = np.ones((1, 1, 1, 1))
    functionals = [
        [point_value] * 4,
        [point_value] * 4,
        [np.zeros((0, 1, 0, 1))],
        [],
    ]
    # basix numbers the orthonormal polynomials p_i(ξ) p_j(η), i, j ≤ 2, as 3i + j. The ninth, the
    # only one that contains ξ²η², is omitted.
    polynomials = np.eye(8, 9)
    return basix.ufl.custom_element(
        cell,
        [],
        polynomials,
        nodes,
        functionals,
        0,
        basix.MapType.identity,
        basix.SobolevSpace.H1,
        False,
        1,
        2,
    )


def element(nodes: int) -> Element:
    """Return the element with 3, 4, 6 or 8 nodes."""
    match nodes:
        case 3:
            scalar = basix.ufl.element("Lagrange", "triangle", 1)
            return Element(scalar, np.array([0, 1, 2]), 3)
        case 4:
            scalar = basix.ufl.element("Lagrange", "quadrilateral", 1)
            return Element(scalar, np.array([0, 1, 3, 2]), 3)
        case 6:
            scalar = basix.ufl.element("Lagrange", "triangle", 2)
            return Element(scalar, np.array([0, 1, 2, 4, 5, 3]), 5)
        case 8:
            order = np.array([0, 1, 3, 2, 4, 7, 5, 6])
            return Element(_serendipity(), order, 5)
    raise ValueError(f"an element with {nodes} nodes is not supported")
