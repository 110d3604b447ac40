r"""Radial oscillation of an incompressible thick-walled tube under step pressure (Knowles).

The volume is constant, :math:`r^2 = R^2 + g` with :math:`g = a^2 - A^2` of the bore, so the motion
has one degree of freedom: :math:`\dot r = \dot g/2r`. With :math:`D = B^2 - A^2`, the kinetic
energy and, of a Mooney–Rivlin body with :math:`\mu = 2(c_{10} + c_{01})` and :math:`\lambda = r/R`,
the stored one are

.. math::
    T = \frac{\rho}{2}\int\dot r^2\,2\pi r\,dr = \frac{\pi\rho}{8}\dot g^2\ln\frac{b^2}{a^2},\qquad
    V = \int\frac{\mu}{2}(\lambda^2 + \lambda^{-2} - 2)\,2\pi R\,dR
    = \frac{\pi\mu}{2}\,g\ln\frac{B^2a^2}{A^2b^2}

per length. A pressure :math:`p` in the bore from :math:`t = 0` on, at rest, does the work
:math:`\pi p g = T + V`. The motion reverses where :math:`B^2a_1^2/A^2b_1^2 = e^{2p/\mu}`, in closed
form. With :math:`g = \tfrac12 g_1(1 - \cos\varphi)`, and the same :math:`x` as :math:`\ln(1 + x) =
2p/\mu - \ln(B^2a^2/A^2b^2)`,

.. math::
    \dot\varphi^2 = \frac{4\mu}{\rho}\,\frac{\ln(1+x)}{x}\,
    \frac{D}{a^2\,b_1^2\,\ln(b^2/a^2)},\qquad x = \frac{D\,g_1(1 + \cos\varphi)}{2\,a^2\,b_1^2},

which is smooth and even in :math:`\varphi`: :math:`1/\dot\varphi` is a short cosine series, and
:math:`t` its integral (J. K. Knowles, "Large-amplitude oscillations of a tube of incompressible
elastic material", Quarterly of Applied Mathematics 18 (1960) 71–77, and, of a sudden pressure,
Journal of Applied Mechanics 29 (1962) 283–286).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive

TERMS = 64  # of the cosine series; rounding is reached at a third of them


@dataclass(frozen=True, kw_only=True)
class PulsingTube:
    """Incompressible Mooney–Rivlin tube, at rest until a pressure acts in its bore.

    Parameters
    ----------
    inner: A, undeformed radius of the bore [m]
    outer: B, undeformed outer radius [m]
    shear: μ = 2 (c₁₀ + c₀₁) [Pa]
    density: ρ [kg/m³]
    pressure: p < μ ln(B/A), the limit of bounded oscillation [Pa]
    """

    inner: float
    outer: float
    shear: float
    density: float
    pressure: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)
        if self.outer <= self.inner:
            raise ValueError(f"PulsingTube: outer must exceed inner, but is {self.outer:g}.")
        most = self.shear * math.log(self.outer / self.inner)
        if self.pressure >= most:
            raise ValueError(
                f"PulsingTube: pressure must be below {most:g} Pa, not {self.pressure:g}."
            )

    @property
    def widest(self) -> float:
        """Return a₁, the largest radius of the bore [m]."""
        grown = math.exp(2.0 * self.pressure / self.shear) * self.inner**2
        wall = self.outer**2 - self.inner**2
        return math.sqrt(wall * grown / (self.outer**2 - grown))

    def _series(self) -> Array:
        """Return c_k of 1/φ̇ = Σ c_k cos kφ [s]."""
        angle = np.pi * (np.arange(TERMS) + 0.5) / TERMS
        wall, most = self.outer**2 - self.inner**2, self.widest**2 - self.inner**2
        bore = self.inner**2 + most * (1.0 - np.cos(angle)) / 2.0
        outside = self.widest**2 + wall
        x = wall * most * (1.0 + np.cos(angle)) / (2.0 * bore * outside)
        stiff = 4.0 * self.shear / self.density * np.log1p(x) / x
        rate = np.sqrt(stiff * wall / (bore * outside * np.log1p(wall / bore)))
        waves = np.cos(np.outer(np.arange(TERMS), angle))
        found: Array = 2.0 / TERMS * waves @ (1.0 / rate)
        found[0] /= 2.0
        return found

    @property
    def period(self) -> float:
        """Return the time between two instants of rest [s]."""
        return float(2.0 * np.pi * self._series()[0])

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacements of the bore and of the outer surface [m]."""
        t, series, k = np.asarray(t, dtype=float), self._series(), np.arange(1, TERMS)
        phase = t / series[0]
        for _ in range(30):
            waves = np.outer(phase, k)
            late = series[0] * phase + np.sin(waves) @ (series[1:] / k) - t
            phase = phase - late / (series[0] + np.cos(waves) @ series[1:])
        grown = (self.widest**2 - self.inner**2) * (1.0 - np.cos(phase)) / 2.0
        return {
            "bore": np.sqrt(self.inner**2 + grown) - self.inner,
            "outside": np.sqrt(self.outer**2 + grown) - self.outer,
        }
