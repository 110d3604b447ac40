"""The weak forms of linear elastodynamics in the plane.

    ∫ ρ ü·v dx + ∫ σ(u) : ε(v) dx = ∫ b·v dx + ∫ (t − p n)·v ds,   σ = λ tr ε I + 2μ ε

All parameters are coefficients, none is compiled in: each form is compiled once per element and
found in the cache by every later study.
"""

from __future__ import annotations

from typing import Any

import ufl
from dolfinx import fem

from fecontact.solid.space import NodalSpace


def strain(u: Any) -> Any:
    """ε(u) = ½(∇u + ∇uᵀ)."""
    return ufl.sym(ufl.grad(u))


def stress(u: Any, lame: fem.Function, shear: fem.Function) -> Any:
    """σ(u) = λ tr ε I + 2μ ε, the components in the plane."""
    return lame * ufl.tr(strain(u)) * ufl.Identity(2) + 2 * shear * strain(u)


def stiffness(space: NodalSpace, lame: fem.Function, shear: fem.Function) -> Any:
    """∫ σ(u) : ε(v) dx."""
    u, v = ufl.TrialFunction(space.space), ufl.TestFunction(space.space)
    return ufl.inner(stress(u, lame, shear), strain(v)) * _dx(space)


def mass(space: NodalSpace, density: fem.Function) -> Any:
    """∫ ρ u·v dx."""
    u, v = ufl.TrialFunction(space.space), ufl.TestFunction(space.space)
    return density * ufl.inner(u, v) * _dx(space)


def body_force(space: NodalSpace, density: fem.Function, direction: tuple[float, float]) -> Any:
    """∫ ρ g·v dx with a density given cell by cell."""
    v = ufl.TestFunction(space.space)
    return density * ufl.inner(fem.Constant(space.domain, direction), v) * _dx(space)


def edge_load(
    space: NodalSpace, measure: ufl.Measure, pressure: float, traction: tuple[float, float]
) -> Any:
    """∫ (t − p n)·v ds, n pointing out of the body."""
    v, normal = ufl.TestFunction(space.space), ufl.FacetNormal(space.domain)
    t, p = fem.Constant(space.domain, traction), fem.Constant(space.domain, pressure)
    return ufl.inner(t - p * normal, v) * measure


def _dx(space: NodalSpace) -> ufl.Measure:
    return ufl.dx(domain=space.domain, metadata={"quadrature_degree": space.element.quadrature})
