"""Plane stress at finite strain: thickness stretch with σ_zz = 0.

The out-of-plane stretch λ_z = exp ε_z is an unknown of every quadrature point. Its equation is
local and is eliminated there (static condensation):

    ∂ψ/∂ε_z (∇u, ε_z) = 0,    K = ∂²ψ/∂u² − (∂²ψ/∂u ∂ε_z)(∂²ψ/∂ε_z²)⁻¹(∂²ψ/∂ε_z ∂u)

As ψ is stationary in ε_z, the force ∂ψ/∂u is evaluated at fixed ε_z. (∂ψ/∂ε_z = λ_z P_zz = J σ_zz:
the condition also holds for the Cauchy stress.) In the logarithmic strain ε_z, the stored energies
of solids are convex or nearly so, and λ_z stays positive in every iteration.

Plane stress does not lock, because the thickness can change and the volume does not constrain the
in-plane strains. Nearly incompressible materials therefore use the pressure of each point here, not
that of whole cells (:mod:`fecontact.solid.hyperelastic.mean_dilatation`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import basix
import basix.ufl
import ufl
from dolfinx import fem

from fecontact.arrays import Mask
from fecontact.record import Array
from fecontact.solid.fem.forms import PieceForms

LONGEST = 0.5  # largest change of ε_z in an iteration: a factor of up to 1.6 in λ_z
CLOSE = 1e-8  # last change of ε_z; convergence is quadratic, so its square is round-off
MAX_ITERATIONS = 50  # iterations; fourteen of the longest reduce λ_z to a thousandth


class PlaneStress:
    """ε_z at points of the cells of one kind, at displacements u.

    gradient: F with λ_z, in UFL, valid only at these points.
    """

    def __init__(
        self,
        forms: PieceForms,
        laws: Sequence[tuple[Callable[[Any], Any], Mask]],
        u: fem.Function,
        degree: int,
    ) -> None:
        """Set up the local problem.

        laws: F ↦ ψ, Pa, and (cells,) of the ModelMesh.
        degree: degree of the quadrature that defines the points.
        """
        piece = forms.piece
        self._domain, kind = piece.domain, piece.element.scalar.cell_type
        points, weights = basix.make_quadrature(kind, degree)
        element = basix.ufl.quadrature_element(kind.name, points=points, weights=weights)
        space = fem.functionspace(piece.domain, element)
        self._function, self._dofs = fem.Function(space), space.dofmap.list
        self._strain = ufl.variable(self._function)
        self.gradient = forms.gradient(u, ufl.exp(self._strain))
        self._known = False  # True if ε_z already solves the next `update`
        self._laws = []
        for energy, cells in laws:
            slope = self._slope(energy(self.gradient))
            both = ufl.as_vector([slope, self._slope(slope)])
            here = np.flatnonzero(cells[piece.cell]).astype(np.int32)
            self._laws.append((fem.Expression(both, points), here))

    def _slope(self, value: Any) -> Any:
        """Return ∂/∂ε_z."""
        return ufl.diff(value, self._strain)

    def softening(self, energy: Any, u: fem.Function, v: Any, w: Any) -> Any:
        """Return the reduction of ∂²ψ along v and w relative to fixed ε_z, Pa."""
        slope = self._slope(energy)
        along, across = (ufl.derivative(slope, u, direction) for direction in (v, w))
        return along * across / self._slope(slope)

    def strains(self) -> Array:
        """Return (cells, points) ε_z of the last `update`, on this rank."""
        return np.asarray(self._function.x.array[self._dofs])

    def take(self, strains: Array) -> None:
        """Set the result of the next `update`."""
        self._function.x.array[self._dofs] = strains
        self._known = True

    def forget(self) -> None:
        """Start the next `update` from the undeformed thickness."""
        self._function.x.array[:] = 0.0

    def update(self) -> None:
        """Solve for ε_z at the current displacements, from the last values.

        ε_z is NaN without a solution.
        """
        strain = self._function.x.array
        if self._known:
            self._known = False
            return
        strain[~np.isfinite(strain)] = 0.0
        for expression, cells in self._laws:
            dofs = self._dofs[cells]
            for _ in range(MAX_ITERATIONS):
                found = expression.eval(self._domain, cells).reshape(*dofs.shape, 2)
                change = _step(found[..., 0], found[..., 1])
                strain[dofs] += change
                if not np.any(np.abs(change) > CLOSE):  # false for NaN
                    break
            else:
                strain[dofs] = np.where(np.abs(change) > CLOSE, np.nan, strain[dofs])


def _step(slope: Array, curvature: Array) -> Array:
    """Return a descent step of Newton's method of limited length."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.clip(-slope / np.abs(curvature), -LONGEST, LONGEST))
