r"""Two frictionless concentric rings of one material under the external pressure
:math:`P_0 + P_2\cos 2\varphi`.

The mean is Lamé's: the joint transmits the radial stress of a single ring. For the rest each ring
has Airy's stress function (J. H. Michell 1899)

.. math::  \phi = (A r^2 + B r^4 + C r^{-2} + D)\cos 2\varphi,

.. math::  \sigma_r = (-2A - 6C r^{-4} - 4D r^{-2})\cos 2\varphi,\qquad
           \tau = 2(A + 3B r^2 - 3C r^{-4} - D r^{-2})\sin 2\varphi,

and in plane strain, with the shear modulus :math:`\mu`, the radial displacement

.. math::  2\mu u_r = (-2A r - 4\nu B r^3 + 2C r^{-3} + 4(1-\nu) D r^{-1})\cos 2\varphi,

from :math:`2\mu\varepsilon_r = (1-\nu)\sigma_r - \nu\sigma_\varphi` integrated over r. Neither ring
has shear stress on its circles; the pressure :math:`p_2\cos 2\varphi` of the joint is the one with
which both rings have the same radial displacement there. The joint is closed everywhere as long as
:math:`|p_2| < p_0`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class RingInRing:
    """Rings between the radii inner, joint and outer.

    Parameters
    ----------
    inner, joint, outer: radii [m]
    young: Young's modulus [Pa]
    poisson: Poisson's ratio
    mean, cosine: P₀ and P₂ of the pressure outside [Pa]
    """

    inner: float
    joint: float
    outer: float
    young: float
    poisson: float
    mean: float
    cosine: float

    def __post_init__(self) -> None:
        require_positive(self, "inner", "joint", "outer", "young", "mean")
        require_finite(self, "inner", "joint", "outer", "young", "poisson", "mean", "cosine")
        if not self.inner < self.joint < self.outer:
            raise ValueError("RingInRing: the radii must grow from inner to joint to outer.")
        if not 0.0 <= self.poisson < 0.5:
            raise ValueError("RingInRing: Poisson's ratio must be at least 0 and less than 0.5.")
        if abs(self.pressures()[1]) >= self.pressures()[0]:
            raise ValueError("RingInRing: the rings separate; the cosine must be smaller.")

    def pressures(self) -> tuple[float, float]:
        """Return p₀ and p₂ of the joint, Pa."""
        a, c, b = self.inner, self.joint, self.outer
        mean = self.mean * b * b * (1 - (a / c) ** 2) / (b * b - a * a)
        # Displacements of the joint for unit pressure in it, and for the pressure outside alone.
        inside = self._displacement(a, c, 0.0, 1.0, c)
        outside = self._displacement(c, b, 1.0, 0.0, c)
        loaded = self._displacement(c, b, 0.0, self.cosine, c)
        return mean, loaded / (inside - outside)

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure [Pa] of the joint at positions x = c cos φ [m]: cos 2φ = 2 (x/c)² − 1."""
        mean, cosine = self.pressures()
        part = np.asarray(x, dtype=float) / self.joint
        return {"pressure": mean + cosine * (2 * part**2 - 1)}

    def displacements(self) -> tuple[float, float]:
        """Return the mean and cosine of the radial displacement of the joint, m."""
        a, c, b, nu = self.inner, self.joint, self.outer, self.poisson
        stress = -self.mean * b * b / (b * b - a * a)
        mean = (1 + nu) / self.young * stress * ((1 - 2 * nu) * c + a * a / c)
        return mean, self._displacement(a, c, 0.0, self.pressures()[1], c)

    def _displacement(
        self, low: float, high: float, inside: float, outside: float, r: float
    ) -> float:
        """Return u_r / cos 2φ at r of a ring between two radii under p cos 2φ inside and
        outside, m.
        """
        rows, right = [], []
        for radius, pressure in ((low, inside), (high, outside)):
            rows += [
                [-2.0, 0.0, -6.0 * radius**-4, -4.0 * radius**-2],
                [1.0, 3.0 * radius**2, -3.0 * radius**-4, -(radius**-2)],
            ]
            right += [-pressure, 0.0]
        a, b, c, d = np.linalg.solve(np.array(rows), np.array(right))
        nu = self.poisson
        double = -2 * a * r - 4 * nu * b * r**3 + 2 * c * r**-3 + 4 * (1 - nu) * d / r
        return float(double * (1 + nu) / self.young)
