r"""Elastica: large deflection of a slender cantilever under an end load.

The load P stays perpendicular to the undeformed axis; the rod is inextensible. With the angle
:math:`\theta_0` at the tip, :math:`k^2 = (1 + \sin\theta_0)/2` and :math:`\sin\varphi_0 =
1/(k\sqrt2)` (Bisshopp & Drucker 1945, doi:10.1090/qam/13360)

.. math::
    \sqrt\alpha = \int_{\varphi_0}^{\pi/2} \frac{d\varphi}{\sqrt{1 - k^2\sin^2\varphi}}, \quad
    \frac{w}{L} = 1 - \frac{2}{\sqrt\alpha}\int_{\varphi_0}^{\pi/2}\sqrt{1 - k^2\sin^2\varphi}\,
    d\varphi, \quad \frac{x}{L} = \sqrt{\frac{2\sin\theta_0}{\alpha}},

where :math:`\alpha = PL^2/(EI)`, w is the deflection of the tip and x its distance from the clamp.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.exact.checks import require_finite, require_positive

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(60)


@dataclass(frozen=True, kw_only=True)
class Elastica:
    """Cantilever with a load at its end.

    Parameters
    ----------
    length: L [m]
    stiffness: EI [N m², per metre of depth: N m]
    force: P [N, per metre of depth: N/m]
    """

    length: float
    stiffness: float
    force: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)

    @property
    def load(self) -> float:
        """Return α = P L²/(EI) [-]."""
        return self.force * self.length**2 / self.stiffness

    @property
    def angle(self) -> float:
        """Return θ₀ at the tip [rad]."""
        low, high = 0.0, math.pi / 2 * (1 - 1e-12)
        for _ in range(100):
            middle = (low + high) / 2
            short = _integrals(middle)[0] < math.sqrt(self.load)
            low, high = (middle, high) if short else (low, middle)
        return (low + high) / 2

    @property
    def tip(self) -> tuple[float, float]:
        """Return the displacement of the tip along the undeformed axis (towards the clamp, <
        0) and in the direction of the load [m].
        """
        angle = self.angle
        _, second = _integrals(angle)
        across = 1 - 2 / math.sqrt(self.load) * second
        along = math.sqrt(2 * math.sin(angle) / self.load) - 1
        return self.length * along, self.length * across


def _integrals(angle: float) -> tuple[float, float]:
    """Return the two elliptic integrals from φ₀ to π/2 for a tip angle, by Gauss quadrature."""
    k2 = (1 + math.sin(angle)) / 2
    low = math.asin(min(1.0, 1 / math.sqrt(2 * k2)))
    half = (math.pi / 2 - low) / 2
    root = np.sqrt(1 - k2 * np.sin(low + half * (1 + _NODES)) ** 2)
    return float(half * _WEIGHTS @ (1 / root)), float(half * _WEIGHTS @ root)
