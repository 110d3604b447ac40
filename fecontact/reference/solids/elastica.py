r"""Elastica: large deflection of a slender cantilever under an end load.

The load P keeps its direction, at the angle :math:`\delta` to the undeformed axis (90°: across it;
0: compression). The rod is inextensible. With the angle :math:`\theta_0` by which the tip rotates,
:math:`k = \sin((\delta + \theta_0)/2)` and :math:`\sin\varphi_0 = \sin(\delta/2)/k`
(Love 1927; for 90° Bisshopp & Drucker 1945, doi:10.1090/qam/13360)

.. math::
    \sqrt\alpha = \int_{\varphi_0}^{\pi/2} \frac{d\varphi}{\sqrt{1 - k^2\sin^2\varphi}}, \quad
    \frac{x}{L} = \frac{2}{\sqrt\alpha}\int_{\varphi_0}^{\pi/2}\sqrt{1 - k^2\sin^2\varphi}\,
    d\varphi - 1, \quad \frac{y}{L} = \frac{2k\cos\varphi_0}{\sqrt\alpha},

where :math:`\alpha = PL^2/(EI)`, and x and y are the coordinates of the tip against the load and
across it, with the clamp as origin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.reference.checks import require_finite, require_positive

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(60)


@dataclass(frozen=True, kw_only=True)
class Elastica:
    """Cantilever with a load at its end.

    Parameters
    ----------
    length: L [m]
    stiffness: EI [N m², per metre of depth: N m]
    force: P [N, per metre of depth: N/m]
    direction: δ, between 0 and 180 [degrees]
    """

    length: float
    stiffness: float
    force: float
    direction: float = 90.0

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
        low, high = 0.0, (math.pi - math.radians(self.direction)) * (1 - 1e-12)
        for _ in range(100):
            middle = (low + high) / 2
            short = self._integrals(middle)[0] < math.sqrt(self.load)
            low, high = (middle, high) if short else (low, middle)
        return (low + high) / 2

    @property
    def tip(self) -> tuple[float, float]:
        """Return the displacement of the tip along the undeformed axis (towards the clamp, <
        0) and across it, to the side of the load [m].
        """
        angle, delta, root = self.angle, math.radians(self.direction), math.sqrt(self.load)
        against = 2.0 / root * self._integrals(angle)[1] - 1.0
        squared = math.sin((delta + angle) / 2.0) ** 2 - math.sin(delta / 2.0) ** 2
        aside = 2.0 / root * math.sqrt(squared)  # 2 k cos φ₀/√α
        along = against * math.cos(delta) + aside * math.sin(delta) - 1.0
        return self.length * along, self.length * (
            aside * math.cos(delta) - against * math.sin(delta)
        )

    def _integrals(self, angle: float) -> tuple[float, float]:
        """Return the two elliptic integrals from φ₀ to π/2 for an angle of the tip, by Gauss
        quadrature.
        """
        delta = math.radians(self.direction)
        k = math.sin((delta + angle) / 2.0)
        low = math.asin(min(1.0, math.sin(delta / 2.0) / k))
        half = (math.pi / 2 - low) / 2
        root = np.sqrt(1 - k**2 * np.sin(low + half * (1 + _NODES)) ** 2)
        return float(half * _WEIGHTS @ (1 / root)), float(half * _WEIGHTS @ root)
