"""Weak forms of linear elastodynamics and their assembly.

    ∫ ρ ü·v dV + ∫ σ(u)·ε(v) dV = ∫ b·v dV + ∫ (t − p n)·v dS,   σ = D ε

All parameters are coefficients, so each form is compiled once per element and cached for later
studies.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import ufl
from dolfinx import fem
from petsc4py import PETSc

from fecontact import compat
from fecontact.arrays import Mask
from fecontact.mesh.cells import Index, edge_table, find_edges
from fecontact.record import Array
from fecontact.solid.fem.edges import EdgePoints, edge_points
from fecontact.solid.fem.measures import Measure
from fecontact.solid.fem.piece import Piece
from fecontact.solid.fem.space import NodalSpace


@dataclass(frozen=True)
class Depth:
    """dV/dA of the cells of the ModelMesh: their thickness times the depth of the measure.

    thickness: (cells,) m.
    sheet: (cells,) True for plane-stress cells of an axisymmetric model, whose thickness is dV/dA.
    """

    measure: Measure
    thickness: Array
    sheet: Mask

    def at(self, places: Array, cells: Index) -> Array:
        """Return dV/dA, m, at positions (c, points, 2) in or at cells (c,)."""
        depth = np.where(self.sheet[cells, None], 1.0, self.measure.depth(places))
        return np.asarray(depth * self.thickness[cells, None])

    def weight(self, piece: Piece, x: Any) -> Any:
        """Return dV/dA in UFL at coordinates x of a piece."""
        if not self.sheet.any():
            return self.measure.depth(x) * piece.cellwise(self.thickness)
        around = piece.cellwise(np.where(self.sheet, 0.0, self.thickness))
        alone = piece.cellwise(np.where(self.sheet, self.thickness, 0.0))
        return self.measure.depth(x) * around + alone


class PieceForms:
    """Forms on the cells of one kind, integrated by a measure over bodies of a depth.

    weight: dV/dA in UFL.
    """

    def __init__(self, piece: Piece, depth: Depth) -> None:
        self.piece, self._measure, self._depth = piece, depth.measure, depth
        self._metadata = {"quadrature_degree": piece.element.quadrature}
        self._dx = ufl.dx(domain=piece.domain, metadata=self._metadata)
        self._x = ufl.SpatialCoordinate(piece.domain)
        self.weight = depth.weight(piece, self._x)

    def depth(self, places: Array) -> Array:
        """Return dV/dA, m, at positions (cells, points, 2) in the cells of this rank."""
        return self._depth.at(places, self.piece.cell)

    def stress(self, u: Any, stiffness: fem.Function) -> Any:
        """Return σ(u) = D ε(u): xx, yy, zz, xy."""
        return ufl.dot(stiffness, self._measure.strain(u, self._x))

    def strain(self, u: Any) -> Any:
        """Return ε(u): xx, yy, zz, γ_xy."""
        return self._measure.strain(u, self._x)

    @property
    def hoop(self) -> bool:
        """Return True for axisymmetric bodies, with the hoop strain ε_zz = u_r/r."""
        return self._measure.hoop

    @property
    def thins(self) -> bool:
        """Return True if the z stretch of finite-strain bodies follows from σ_zz = 0."""
        return self._measure.thins

    def gradient(self, u: Any, stretch: Any = 1) -> Any:
        """Return F = ∂x/∂X at displacements u; stretch: z stretch, if u does not determine it."""
        return self._measure.gradient(u, self._x, stretch)

    def measure_over(self, tagged: list[tuple[int, Any]]) -> Any:
        """Return dA over sets of cells, each with its tag."""
        return ufl.Measure(
            "dx", domain=self.piece.domain, subdomain_data=tagged, metadata=self._metadata
        )

    def stiffness(self, stiffness: fem.Function) -> Any:
        """Return ∫ σ(u)·ε(v) dV."""
        u, v = self._arguments()
        work = ufl.inner(self.stress(u, stiffness), self._measure.strain(v, self._x))
        return work * self.weight * self._dx

    def mass(self, density: fem.Function) -> Any:
        """Return ∫ ρ u·v dV."""
        u, v = self._arguments()
        return density * ufl.inner(u, v) * self.weight * self._dx

    def body_force(self, density: fem.Function, direction: tuple[float, float]) -> Any:
        """Return ∫ ρ g·v dV with a density for each cell."""
        g, v = fem.Constant(self.piece.domain, direction), ufl.TestFunction(self.piece.space)
        return density * ufl.inner(g, v) * self.weight * self._dx

    def _arguments(self) -> tuple[Any, Any]:
        return ufl.TrialFunction(self.piece.space), ufl.TestFunction(self.piece.space)


class Forms:
    """Matrices and vectors of the forms on a space, with parameters for each cell."""

    def __init__(self, space: NodalSpace, depth: Depth) -> None:
        self.space, self.measure, self._depth = space, depth.measure, depth
        self.pieces = [PieceForms(piece, depth) for piece in space.pieces]

    def stiffness(self, stiffness: Array) -> PETSc.Mat:
        """Return K for matrices D (cells, 4, 4), Pa, over all dofs."""
        parts = [forms.stiffness(forms.piece.cellwise(stiffness)) for forms in self.pieces]
        return self.space.matrix([compat.assemble_matrix(part) for part in parts])

    def mass(self, density: Array) -> PETSc.Mat:
        """Return M for densities (cells,), kg/m³, over all dofs."""
        parts = [forms.mass(forms.piece.cellwise(density)) for forms in self.pieces]
        return self.space.matrix([compat.assemble_matrix(part) for part in parts])

    def body_force(self, density: Array, direction: tuple[float, float]) -> Array:
        """Return ∫ ρ g·v dV on the dofs owned by this rank, density (cells,)."""
        parts = [
            forms.body_force(forms.piece.cellwise(density), direction) for forms in self.pieces
        ]
        return self.space.vector([compat.assemble_vector(part) for part in parts])

    def edge_points(self, edges: Index) -> EdgePoints:
        """Return Gauss points of boundary edges, given by their nodes with the body on the left."""
        mesh = self.space.mesh
        found = edge_points(mesh.points, edges)
        depth = self._depth.at(found.place, self.cells_of(edges))
        return replace(found, area=found.area * depth)

    def edge_load(self, at: EdgePoints, traction: Array) -> Array:
        """Return ∫ t·v dS on the dofs owned by this rank.

        t: (E, Q, 2) Pa at Gauss points of edges.
        """
        return self.space.owned(at.force(traction, len(self.space.mesh.points)))

    def edge_depth(self, edges: Index) -> Array:
        """Return dA/ds, m, at the nodes of boundary edges (E, 2 or 3) of the ModelMesh."""
        mesh = self.space.mesh
        depth = self._depth.at(mesh.points[edges], self.cells_of(edges))
        return np.broadcast_to(depth, edges.shape)

    def thickness(self, edges: Index) -> Array:
        """Return the thickness (E,) of the bodies adjacent to edges, m."""
        return self._depth.thickness[self.cells_of(edges)]

    def cells_of(self, edges: Index) -> Index:
        """Return the cell of each edge."""
        mesh = self.space.mesh
        table = edge_table(mesh.cells, len(mesh.points))
        return table.cell[find_edges(table, edges, len(mesh.points))]
