"""Plane strain, plane stress and axisymmetry: strains, stiffness, volume and rigid-body motions.

All integrals over bodies and edges and all stresses of `fecontact.solid` use a measure. Only the
measure defines the depth of bodies (multiplied by the thickness of each body) and the treatment of
the third direction. Strains are (ε_xx, ε_yy, ε_zz, γ_xy), stresses (σ_xx, σ_yy, σ_zz, σ_xy).
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

import ufl

from fecontact.record import Array
from fecontact.solid.laws.law import Law

IN_PLANE = np.ix_([0, 1, 3], [0, 1, 3])


class Measure(Protocol):
    """Treatment of the third direction of a plane model.

    travels: True if a uniform motion in x, in y causes no strain.
    holding: text describing how to constrain all rigid-body motions of a body.
    hoop: True if a radial displacement strains the circumference, ε_zz = u_r/r.
    thins: True if the z stretch of finite-strain bodies follows from σ_zz = 0
        (:mod:`fecontact.solid.hyperelastic.plane_stress`).
    """

    travels: tuple[bool, bool]
    holding: str
    hoop: bool
    thins: bool

    def stiffness(self, law: Law) -> Array:
        """Return D (4, 4) of σ = D ε, Pa, symmetric."""

    def strain(self, u: Any, x: Any) -> Any:
        """Return ε(u), a UFL vector of four components, at UFL coordinates x."""

    def gradient(self, u: Any, x: Any, stretch: Any = 1) -> Any:
        """Return the deformation gradient F = ∂x/∂X, a UFL matrix 3 × 3, at coordinates x.

        stretch: z stretch, if u does not determine it.
        """

    def depth(self, x: Any) -> Any:
        """Return dV/dA, m, at positions x (…, 2), numpy or UFL coordinates, for a thickness
        of 1 m.
        """

    def rigid_motions(self, x: Array) -> Array:
        """Return linearly independent strain-free motions (N, 2, m) of points x (N, 2)."""


class _Plane:
    """Plane model of unit depth in which u(x, y) causes no strain in z."""

    travels = (True, True)
    holding = "in x, in y and against rotation"
    hoop = False
    thins = False

    def strain(self, u: Any, x: Any) -> Any:
        """Return (u_x,x, u_y,y, 0, u_x,y + u_y,x)."""
        slope = ufl.grad(u)
        return ufl.as_vector([slope[0, 0], slope[1, 1], 0, slope[0, 1] + slope[1, 0]])

    def gradient(self, u: Any, x: Any, stretch: Any = 1) -> Any:
        """Return I + ∇u in the plane with the stretch in z."""
        return _in_space(ufl.grad(u), stretch)

    def depth(self, x: Any) -> Any:
        """Return 1 m everywhere."""
        return 1.0

    def rigid_motions(self, x: Array) -> Array:
        """Return two translations and a rotation."""
        one, none = np.ones(len(x)), np.zeros(len(x))
        return np.array([[one, none, -x[:, 1]], [none, one, x[:, 0]]]).transpose(2, 0, 1)


class PlaneStrain(_Plane):
    """Plane strain, ε_zz = 0: bodies confined between walls or long in z."""

    def stiffness(self, law: Law) -> Array:
        """Return D of the material; σ_zz follows from the in-plane strains."""
        return law.stiffness()


class PlaneStress(_Plane):
    """Plane stress, σ_zz = 0: thin plates."""

    thins = True

    def stiffness(self, law: Law) -> Array:
        """Return the inverse of the in-plane compliance; σ_zz = 0."""
        matrix = np.zeros((4, 4))
        matrix[IN_PLANE] = np.linalg.inv(law.compliance()[IN_PLANE])
        return matrix


class Axisymmetric:
    """Axisymmetric bodies about the y axis, without twist: x is the radius r, z the hoop direction.

    A displacement u_r stretches the circle of radius r: ε_zz = u_r/r. Only a translation along the
    axis is rigid. No quadrature point lies on the axis, where u_r = 0
    (`fecontact.solid.conditions.axis`).
    """

    travels = (False, True)
    holding = "in y"
    hoop = True
    thins = False

    def stiffness(self, law: Law) -> Array:
        """Return D of the material."""
        return law.stiffness()

    def strain(self, u: Any, x: Any) -> Any:
        """Return (u_r,r, u_y,y, u_r/r, u_r,y + u_y,r)."""
        slope = ufl.grad(u)
        return ufl.as_vector([slope[0, 0], slope[1, 1], u[0] / x[0], slope[0, 1] + slope[1, 0]])

    def gradient(self, u: Any, x: Any, stretch: Any = 1) -> Any:
        """Return I + ∇u; a circle of radius r deforms to radius r + u_r."""
        return _in_space(ufl.grad(u), 1 + u[0] / x[0])

    def depth(self, x: Any) -> Any:
        """Return 2πr: forces, masses and energies are for the full circumference."""
        return 2.0 * np.pi * x[..., 0]

    def rigid_motions(self, x: Array) -> Array:
        """Return the translation along the axis."""
        return np.stack([np.zeros(len(x)), np.ones(len(x))], axis=1)[:, :, None]


def _in_space(slope: Any, out_of_plane: Any) -> Any:
    """Return F from an in-plane displacement gradient and the out-of-plane stretch."""
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
"""Measure for each value of the study key `plane`."""
