"""Sheets of finite strain: the thickness at which no stress acts across it.

In plane stress the stretch λ_z = exp ε_z out of the plane is an unknown of every point of
quadrature. Its equation is local, and so it is eliminated where it stands (static condensation):

    ∂ψ/∂ε_z (∇u, ε_z) = 0,    K = ∂²ψ/∂u² − (∂²ψ/∂u ∂ε_z)(∂²ψ/∂ε_z²)⁻¹(∂²ψ/∂ε_z ∂u)

As ψ is stationary in ε_z, the force ∂ψ/∂u is that with ε_z as it is. (∂ψ/∂ε_z = λ_z P_zz = J σ_zz:
the condition is that of Cauchy's stress, too.) In the logarithm ε_z the stored energies of solids
are convex or nearly so, and λ_z stays positive whatever Newton's method tries.

A sheet that may change its thickness does not lock, as its volume does not constrain the strains in
its plane; so laws that hardly change their volume take their pressure point by point here, not from
whole cells (:mod:`fecontact.solid.hyperelastic.mean_dilatation`).
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

LONGEST = 0.5  # change of ε_z in an iteration: λ_z by a factor of up to 1.6
CLOSE = 1e-8  # last change of ε_z; Newton's method is quadratic, its square is rounding
MOST = 50  # iterations; fourteen of the longest bring λ_z to a thousandth


class Thinning:
    """ε_z at points of the cells of one kind, at displacements u.

    gradient: F with λ_z, in UFL, at these points and nowhere else.
    """

    def __init__(
        self,
        forms: PieceForms,
        laws: Sequence[tuple[Callable[[Any], Any], Mask]],
        u: fem.Function,
        degree: int,
    ) -> None:
        """laws: F ↦ ψ, Pa, and (cells,) of the ModelMesh; degree: of the quadrature whose points
        are meant."""
        piece = forms.piece
        self._domain, kind = piece.domain, piece.element.scalar.cell_type
        points, weights = basix.make_quadrature(kind, degree)
        element = basix.ufl.quadrature_element(kind.name, points=points, weights=weights)
        space = fem.functionspace(piece.domain, element)
        self._function, self._dofs = fem.Function(space), space.dofmap.list
        self._strain = ufl.variable(self._function)
        self.gradient = forms.gradient(u, ufl.exp(self._strain))
        self._known = False  # whether ε_z is already that of the next `update`
        self._laws = []
        for energy, cells in laws:
            slope = self._slope(energy(self.gradient))
            both = ufl.as_vector([slope, self._slope(slope)])
            here = np.flatnonzero(cells[piece.cell]).astype(np.int32)
            self._laws.append((fem.Expression(both, points), here))

    def _slope(self, value: Any) -> Any:
        """∂/∂ε_z."""
        return ufl.diff(value, self._strain)

    def softening(self, energy: Any, u: fem.Function, v: Any, w: Any) -> Any:
        """By how much the second derivative of ψ along v and w is less than with ε_z held, Pa."""
        slope = self._slope(energy)
        along, across = (ufl.derivative(slope, u, way) for way in (v, w))
        return along * across / self._slope(slope)

    def strains(self) -> Array:
        """(cells, points) ε_z of the last `update`, on this rank."""
        return np.asarray(self._function.x.array[self._dofs])

    def take(self, strains: Array) -> None:
        """Let these be the ones that the next `update` finds."""
        self._function.x.array[self._dofs] = strains
        self._known = True

    def forget(self) -> None:
        """Let the next `update` begin with a sheet of its first thickness."""
        self._function.x.array[:] = 0.0

    def update(self) -> None:
        """Find ε_z at the present displacements, from the last one; NaN where there is none."""
        strain = self._function.x.array
        if self._known:
            self._known = False
            return
        strain[~np.isfinite(strain)] = 0.0
        for expression, cells in self._laws:
            dofs = self._dofs[cells]
            for _ in range(MOST):
                found = expression.eval(self._domain, cells).reshape(*dofs.shape, 2)
                change = _step(found[..., 0], found[..., 1])
                strain[dofs] += change
                if not np.any(np.abs(change) > CLOSE):  # NaN is not
                    break
            else:
                strain[dofs] = np.where(np.abs(change) > CLOSE, np.nan, strain[dofs])


def _step(slope: Array, curvature: Array) -> Array:
    """Newton's step, downhill and not too long."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.clip(-slope / np.abs(curvature), -LONGEST, LONGEST))
