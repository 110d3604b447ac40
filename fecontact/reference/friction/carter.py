r"""Steady rolling of a cylinder with a tangential force (Carter).

Rolling to :math:`+x` with the normal load P and the tangential load :math:`|Q| \le \mu P`, both per
metre, a Hertz contact of half-width a sticks next to its leading edge :math:`x = a`, over a width
2c, and slips behind:

.. math::  c = a\sqrt{1 - \frac{|Q|}{\mu P}}, \qquad d = a - c, \qquad
           q(x) = \mathrm{sign}(Q)\,\mu p_0\Bigl[\sqrt{1 - x^2/a^2}
                  - \frac{c}{a}\sqrt{1 - (x - d)^2/c^2}\,\Bigr]

with the second root only where :math:`|x - d| < c`. The traction :math:`\mu p_0\sqrt{1 - x^2/a^2}`
strains the two surfaces against each other by :math:`-\mu x/R`, the second ellipse by :math:`+\mu
(x - d)/R`: in the stick zone they differ by the constant :math:`\mu d/R`, which rolling converts
into a difference of speeds, the *creepage*

.. math::  \xi = \mathrm{sign}(Q)\,\frac{\mu d}{R}
               = \mathrm{sign}(Q)\,\frac{\mu a}{R}\Bigl(1 - \sqrt{1 - \frac{|Q|}{\mu P}}\Bigr),

of the mean speed: the driving side runs ahead. At the leading edge nothing has slipped yet, so the
stick zone begins there. (F. W. Carter 1926, doi:10.1098/rspa.1926.0100; K. L. Johnson, *Contact
Mechanics*, 1985, section 8.3.)

Assumption: Dundurs' :math:`\beta = 0`, equal materials, or an incompressible one on a rigid one.
With another β pressure alone strains the surfaces against each other by :math:`\beta p/p_0 \cdot
a/R`. Where all of the contact sticks, :math:`\int(\xi_0 - \beta\tfrac aR\sqrt{1 - x^2/a^2})
\sqrt{(a + x)/(a - x)}\,dx = 0` without a tangential load, which is a creepage of :math:`\xi_0 =
\frac{2}{\pi}\beta\frac aR` even for a free roller. The error for a small β is of that size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.contact.hertz import ellipse
from fecontact.reference.friction.cattaneo_mindlin import CattaneoMindlin


@dataclass(frozen=True, kw_only=True)
class CarterRolling(CattaneoMindlin):
    """Steady rolling to +x with a tangential load, |β| ≤ 0.02.

    Parameters are those of :class:`CattaneoMindlin`, whose stick zone is as wide, and
    ----------
    middle: x of the contact on the undeformed surface [m]
    """

    coupling: ClassVar[float] = 0.02

    middle: float = 0.0

    @property
    def creepage(self) -> float:
        """Return ξ, by which the driving surface is faster, of the rolling speed [-]."""
        size = self.friction_coefficient * (self.half_width - self.stick_half_width) / self.radius
        return math.copysign(size, self.tangential_load)

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure and tangential traction [Pa] at positions x of the surface [m]."""
        a, c = self.half_width, self.stick_half_width
        x = np.asarray(x, dtype=float) - self.middle
        behind = x - (a - c)
        traction = self.peak_pressure * (ellipse(x, a) - c / a * ellipse(behind, c))
        scale = math.copysign(self.friction_coefficient, self.tangential_load)
        return {**super().profile(x), "traction": scale * traction}
