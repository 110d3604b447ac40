r"""Stick zone of a rigid flat punch on an elastic half-plane with friction.

Under the pressure of the punch without friction, :math:`p = P/(\pi\sqrt{a^2 - x^2})`, the surface
would move towards the middle. For :math:`|x| < c` the traction q prevents this (stick),

.. math::  \int_{-a}^{a} \frac{q(s)}{x - s}\,ds = -\pi\beta\,p(x), \qquad
           \beta = \frac{1 - 2\nu}{2(1 - \nu)},

and slips beyond, :math:`q = \mu p\,\mathrm{sign}\,x`. (K. L. Johnson, *Contact Mechanics*,
Cambridge University Press 1985, eq. 2.25.) On (−c, c) that is an equation for q with the right side
:math:`G(x) = -\pi\beta p(x) - \int_{c<|s|<a} \mu p(s)\,\mathrm{sign}\,s/(x - s)\,ds`; a solution
bounded at ±c exists if :math:`\int_{-c}^{c} G/\sqrt{c^2 - x^2}\,dx = 0`. With :math:`\int_{-c}^{c}
dx/(\sqrt{c^2 - x^2}(x - s)) = -\pi\,\mathrm{sign}\,s/\sqrt{s^2 - c^2}` and k = c/a the two parts
are complete elliptic integrals of the first kind,

.. math::  \mu K(\sqrt{1 - k^2}) = \beta K(k),

for any load. The effect of q on the pressure, of the order βμ, is neglected. (L. A. Galin
1945; solved with this effect by D. A. Spence, *Proc. Cambridge Philosophical Society* 73, 1973, p.
249.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class RoughPunch:
    """Rigid punch with friction on an elastic body, plane or round.

    Parameters
    ----------
    friction: μ [-]
    poisson: ν of the body [-], less than 1/2
    """

    friction: float
    poisson: float

    def __post_init__(self) -> None:
        require_positive(self, "friction")
        require_non_negative(self, "poisson")
        if self.poisson >= 0.5:
            raise ValueError(f"{type(self).__name__}: Poisson's ratio must be less than 0.5.")

    @property
    def coupling(self) -> float:
        """Return β [-]."""
        return (1.0 - 2.0 * self.poisson) / (2.0 * (1.0 - self.poisson))


@dataclass(frozen=True, kw_only=True)
class StuckPunch(RoughPunch):
    """Stick zone under a flat punch.

    Parameters
    ----------
    half_width: a [m]
    """

    half_width: float

    def __post_init__(self) -> None:
        require_positive(self, "half_width")
        super().__post_init__()

    @property
    def stick_half_width(self) -> float:
        """Return c [m]: the root of K(√(1 − k²))/K(k) = β/μ, whose left side falls from ∞ to 0."""
        wanted, low, high = self.coupling / self.friction, 0.0, 1.0
        while high - low > 1e-15:
            k = 0.5 * (low + high)
            complements = elliptic(np.array([k, math.sqrt(1.0 - k * k)]))
            ratio = complements[0] / complements[1]
            low, high = (k, high) if ratio > wanted else (low, k)
        return 0.5 * (low + high) * self.half_width


def elliptic(k: Array) -> Array:
    """Return K(√(1 − k²)) = π/(2 M(1, k)), M the arithmetic-geometric mean, for 0 < k ≤ 1."""
    a, b = np.ones_like(k), k
    for _ in range(40):
        a, b = 0.5 * (a + b), np.sqrt(a * b)
        if np.all(a - b <= 1e-15 * a):
            break
    return np.asarray(0.5 * np.pi / a)
