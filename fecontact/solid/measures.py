"""How the x-y plane stands for bodies in space: strains, stiffness and volume.

Every integral over bodies and edges and every stress of `fecontact.solid` is taken by a measure,
and by nothing else: here alone it is said that bodies are 1 m deep and what becomes of the third
direction. Strains are (ε_xx, ε_yy, ε_zz, γ_xy), stresses (σ_xx, σ_yy, σ_zz, σ_xy).
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

import ufl

from fecontact.record import Array
from fecontact.solid.laws.law import Law

IN_PLANE = np.ix_([0, 1, 3], [0, 1, 3])


class Measure(Protocol):
    """The third direction of a plane model."""

    def stiffness(self, law: Law) -> Array:
        """D (4, 4) of σ = D ε, Pa, symmetric."""

    def strain(self, u: Any) -> Any:
        """ε(u), a UFL vector of four components."""

    def depth(self, x: Any) -> Any:
        """dV/dA, m, at places x (…, 2): numpy or UFL coordinates."""


class _Plane:
    """No strain that u(x, y) could cause in z, unit depth."""

    def strain(self, u: Any) -> Any:
        """(u_x,x, u_y,y, 0, u_x,y + u_y,x)."""
        slope = ufl.grad(u)
        return ufl.as_vector([slope[0, 0], slope[1, 1], 0, slope[0, 1] + slope[1, 0]])

    def depth(self, x: Any) -> Any:
        """1 m everywhere: forces, masses and energies are per metre."""
        return 1.0


class PlaneStrain(_Plane):
    """Bodies held between walls or long in z: ε_zz = 0."""

    def stiffness(self, law: Law) -> Array:
        """The law's own; σ_zz follows from the strains in the plane."""
        return law.stiffness()


class PlaneStress(_Plane):
    """Thin plates: σ_zz = 0."""

    def stiffness(self, law: Law) -> Array:
        """The inverse of the compliance in the plane; no stress in z."""
        matrix = np.zeros((4, 4))
        matrix[IN_PLANE] = np.linalg.inv(law.compliance()[IN_PLANE])
        return matrix


MEASURES: dict[str, Measure] = {"strain": PlaneStrain(), "stress": PlaneStress()}
"""The measure for each value of the study's key `plane`."""
