"""How the x-y plane stands for bodies in space: strains, stiffness, volume and rigid motions.

Every integral over bodies and edges and every stress of `fecontact.solid` is taken by a measure,
and by nothing else: here alone it is said how deep bodies are (a thickness multiplies it, body by
body) and what becomes of the third direction. Strains are (ε_xx, ε_yy, ε_zz, γ_xy), stresses
(σ_xx, σ_yy, σ_zz, σ_xy).
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

import ufl

from fecontact.record import Array
from fecontact.solid.laws.law import Law

IN_PLANE = np.ix_([0, 1, 3], [0, 1, 3])


class Measure(Protocol):
    """The third direction of a plane model.

    travels: whether a uniform motion in x, in y strains nothing. holding: the words for how a body
    is held against all its rigid motions. thins: whether the stretch in z of bodies of finite
    strain follows from σ_zz = 0 (:mod:`fecontact.solid.hyperelastic.plane_stress`).
    """

    travels: tuple[bool, bool]
    holding: str
    thins: bool

    def stiffness(self, law: Law) -> Array:
        """D (4, 4) of σ = D ε, Pa, symmetric."""

    def strain(self, u: Any, x: Any) -> Any:
        """ε(u), a UFL vector of four components, at UFL coordinates x."""

    def gradient(self, u: Any, x: Any, stretch: Any = 1) -> Any:
        """F = ∂x/∂X of finite strain, a UFL matrix 3 × 3, at UFL coordinates x at rest; stretch: in
        z, if u does not say it."""

    def depth(self, x: Any) -> Any:
        """dV/dA, m, at places x (…, 2), numpy or UFL coordinates, of bodies 1 m thick."""

    def rigid_motions(self, x: Array) -> Array:
        """Motions (N, 2, m) of points x (N, 2) that strain nothing, linearly independent."""


class _Plane:
    """No strain that u(x, y) could cause in z, unit depth."""

    travels = (True, True)
    holding = "in x, in y and against rotation"
    thins = False

    def strain(self, u: Any, x: Any) -> Any:
        """(u_x,x, u_y,y, 0, u_x,y + u_y,x)."""
        slope = ufl.grad(u)
        return ufl.as_vector([slope[0, 0], slope[1, 1], 0, slope[0, 1] + slope[1, 0]])

    def gradient(self, u: Any, x: Any, stretch: Any = 1) -> Any:
        """I + ∇u in the plane, and the stretch across it."""
        return _in_space(ufl.grad(u), stretch)

    def depth(self, x: Any) -> Any:
        """1 m everywhere."""
        return 1.0

    def rigid_motions(self, x: Array) -> Array:
        """Two translations and a rotation."""
        one, none = np.ones(len(x)), np.zeros(len(x))
        return np.array([[one, none, -x[:, 1]], [none, one, x[:, 0]]]).transpose(2, 0, 1)


class PlaneStrain(_Plane):
    """Bodies held between walls or long in z: ε_zz = 0."""

    def stiffness(self, law: Law) -> Array:
        """The law's own; σ_zz follows from the strains in the plane."""
        return law.stiffness()


class PlaneStress(_Plane):
    """Thin plates: σ_zz = 0."""

    thins = True

    def stiffness(self, law: Law) -> Array:
        """The inverse of the compliance in the plane; no stress in z."""
        matrix = np.zeros((4, 4))
        matrix[IN_PLANE] = np.linalg.inv(law.compliance()[IN_PLANE])
        return matrix


class Axisymmetric:
    """Bodies of revolution about the y axis, without twist: x is the radius r, z the hoop.

    A motion u_r stretches the circle of radius r: ε_zz = u_r/r. So nothing but a motion along the
    axis is rigid. No quadrature point lies on the axis, where u_r = 0
    (`fecontact.solid.conditions.axis`)."""

    travels = (False, True)
    holding = "in y"
    thins = False

    def stiffness(self, law: Law) -> Array:
        """The law's own."""
        return law.stiffness()

    def strain(self, u: Any, x: Any) -> Any:
        """(u_r,r, u_y,y, u_r/r, u_r,y + u_y,r)."""
        slope = ufl.grad(u)
        return ufl.as_vector([slope[0, 0], slope[1, 1], u[0] / x[0], slope[0, 1] + slope[1, 0]])

    def gradient(self, u: Any, x: Any, stretch: Any = 1) -> Any:
        """I + ∇u; a circle of radius r becomes one of r + u_r."""
        return _in_space(ufl.grad(u), 1 + u[0] / x[0])

    def depth(self, x: Any) -> Any:
        """2πr: forces, masses and energies are those of the whole ring."""
        return 2.0 * np.pi * x[..., 0]

    def rigid_motions(self, x: Array) -> Array:
        """The translation along the axis."""
        return np.stack([np.zeros(len(x)), np.ones(len(x))], axis=1)[:, :, None]


def _in_space(slope: Any, out_of_plane: Any) -> Any:
    """F of a displacement gradient in the plane and the stretch out of it."""
    return ufl.as_matrix(
        [
            [1 + slope[0, 0], slope[0, 1], 0],
            [slope[1, 0], 1 + slope[1, 1], 0],
            [0, 0, out_of_plane],
        ]
    )


MEASURES: dict[str, Measure] = {
    "strain": PlaneStrain(),
    "stress": PlaneStress(),
    "axisymmetric": Axisymmetric(),
}
"""The measure for each value of the study's key `plane`."""
