"""What every material law is: a settings table with common keys, and two matrices.

Stresses (σ_xx, σ_yy, σ_zz, σ_xy) and strains (ε_xx, ε_yy, ε_zz, γ_xy), with γ_xy = 2 ε_xy, are
those of a body in space whose properties are symmetric about the x-y plane, so that no shear out of
the plane arises. What the third direction does (plane strain, plane stress) is not the law's
affair but the measure's (`fecontact.solid.measures`).
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fecontact.study.base import Number, StudyModel, si

Matrix = NDArray[np.float64]


class Law(Protocol):
    """Linear elasticity, σ = C ε and ε = S σ; both matrices (4, 4), symmetric, C = S⁻¹."""

    def stiffness(self) -> Matrix:
        """C, Pa."""

    def compliance(self) -> Matrix:
        """S, 1/Pa."""


class Elastic(StudyModel):
    """The keys that materials of every law have: density and Rayleigh damping.

    C = rayleigh_mass·M + rayleigh_stiffness·K.
    """

    density: Number = si("kg/m³", "density ρ; 0 is allowed on a held body", ge=0)
    rayleigh_mass: Number = si("1/s", "damping proportional to the mass", 0.0, ge=0)
    rayleigh_stiffness: Number = si("s", "damping proportional to the stiffness", 0.0, ge=0)

    def compliance(self) -> Matrix:
        """S of :class:`Law`, 1/Pa."""
        raise NotImplementedError

    def stiffness(self) -> Matrix:
        """C of :class:`Law`, Pa."""
        return np.asarray(np.linalg.inv(self.compliance()), dtype=np.float64)

    def in_words(self) -> str:
        """The elastic constants in a few words, for legends."""
        raise NotImplementedError
