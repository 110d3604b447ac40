"""The weak forms of linear elastodynamics.

    ∫ ρ ü·v dV + ∫ σ(u)·ε(v) dV = ∫ b·v dV + ∫ (t − p n)·v dS,   σ = D ε

All parameters are coefficients, none is compiled in: each form is compiled once per element and
found in the cache by every later study.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import ufl
from dolfinx import fem

from fecontact.mesh.cells import Index, edge_table, find_edges
from fecontact.record import Array
from fecontact.solid.measures import Measure
from fecontact.solid.space import NodalSpace


class Forms:
    """The forms on a space, integrated by a measure over bodies of a thickness.

    thickness: (cells,) of the ModelMesh, by which the measure's depth is multiplied.
    """

    def __init__(self, space: NodalSpace, measure: Measure, thickness: Array) -> None:
        self.space, self.measure, self._thickness = space, measure, thickness
        metadata = {"quadrature_degree": space.element.quadrature}
        self._dx = ufl.dx(domain=space.domain, metadata=metadata)
        self._x = ufl.SpatialCoordinate(space.domain)
        self._depth = measure.depth(self._x) * space.cellwise(thickness)

    def depth(self, places: Array) -> Array:
        """dV/dA, m, at places (cells, points, 2) in the cells of this rank."""
        return np.asarray(self.measure.depth(places) * self._thickness[self.space.cell, None])

    def edge_depth(self, edges: Index) -> Array:
        """dA/ds, m, at the nodes of edges (E, 2 or 3) of the boundary of the ModelMesh."""
        mesh = self.space.mesh
        table = edge_table(mesh.cells, len(mesh.points))
        cell = table.cell[find_edges(table, edges, len(mesh.points))]
        depth = self.measure.depth(mesh.points[edges]) * self._thickness[cell, None]
        return np.broadcast_to(depth, edges.shape)

    def stress(self, u: Any, stiffness: fem.Function) -> Any:
        """σ(u) = D ε(u): xx, yy, zz, xy."""
        return ufl.dot(stiffness, self.measure.strain(u, self._x))

    def stiffness(self, stiffness: fem.Function) -> Any:
        """∫ σ(u)·ε(v) dV."""
        u, v = self._arguments()
        work = ufl.inner(self.stress(u, stiffness), self.measure.strain(v, self._x))
        return work * self._depth * self._dx

    def mass(self, density: fem.Function) -> Any:
        """∫ ρ u·v dV."""
        u, v = self._arguments()
        return density * ufl.inner(u, v) * self._depth * self._dx

    def body_force(self, density: fem.Function, direction: tuple[float, float]) -> Any:
        """∫ ρ g·v dV with a density given cell by cell."""
        g, v = fem.Constant(self.space.domain, direction), ufl.TestFunction(self.space.space)
        return density * ufl.inner(g, v) * self._depth * self._dx

    def edge_load(self, edges: Index, pressure: float, traction: tuple[float, float]) -> Any:
        """∫ (t − p n)·v dS over edges given by their nodes, n pointing out of the body."""
        domain = self.space.domain
        v, normal = ufl.TestFunction(self.space.space), ufl.FacetNormal(domain)
        t, p = fem.Constant(domain, traction), fem.Constant(domain, pressure)
        load = ufl.inner(t - p * normal, v) * self._depth
        return load * self.space.edge_measure(edges)

    def _arguments(self) -> tuple[Any, Any]:
        return ufl.TrialFunction(self.space.space), ufl.TestFunction(self.space.space)
