r"""Cyclic tangential loading of a Hertz line contact (Mindlin & Deresiewicz, in the plane).

The normal load P is constant. Q increases from zero to a first reversal :math:`Q_1`, decreases to a
second reversal :math:`Q_2`, and increases again, not beyond :math:`Q_1`. At each reversal the whole
contact sticks; slip in the other direction then grows from the edges inwards. Its contribution to
the traction is twice that of the first loading, because :math:`\mu p` changes sign:

.. math::  q(x) = \mu p_0\Bigl[E_a - E_c - 2\,(E_a - E_b) + 2\,(E_a - E_d)\Bigr],
           \qquad E_b(x) = \frac{b}{a}\sqrt{1 - x^2/b^2},

.. math::  c = a\sqrt{1 - \frac{Q_1}{\mu P}}, \quad
           b = a\sqrt{1 - \frac{Q_1 - Q}{2\mu P}}, \quad
           d = a\sqrt{1 - \frac{Q - Q_2}{2\mu P}}

(in the third stage with :math:`Q_2` for Q in b; terms of later stages are omitted; in the first
stage the present Q replaces :math:`Q_1`). So at :math:`Q = Q_1` again the traction is that of the
first reversal: the loop closes.

Tractions :math:`\mu p_0 E_b` stretch one surface relative to the other by :math:`-2\mu p_0 x/(E^*
a)` where :math:`|x| < b`; farther out :math:`x - \sqrt{x^2 - b^2}` replaces x (x > 0). So in a
stage that reduces the stick zone to b the slip is, once in the first stage and twice in the others,

.. math::  s(x) = \frac{2\mu p_0}{E^* a}\int_b^{|x|}\!\sqrt{t^2 - b^2}\,\mathrm{d}t
                = \frac{\mu p_0}{E^* a}\Bigl[|x|\sqrt{x^2 - b^2}
                  - b^2\,\mathrm{arcosh}\frac{|x|}{b}\Bigr],

and the work it dissipates is :math:`2\int_b^a \mu p\, s\, \mathrm{d}x`, as the traction is
:math:`\mu p` wherever there is slip. (R. D. Mindlin & H. Deresiewicz 1953, for spheres; K. L.
Johnson, *Contact Mechanics*, 1985, section 7.4. Here for cylinders, derived in the same way.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite
from fecontact.reference.contact.hertz import ellipse
from fecontact.reference.friction.cattaneo_mindlin import CattaneoMindlin

POINTS = 200  # Gauss–Legendre points; the integrand is smooth in the angle


@dataclass(frozen=True, kw_only=True)
class MindlinLoop(CattaneoMindlin):
    """Partial slip in the second or third loading stage.

    Parameters (in addition to those of Cattaneo–Mindlin; `tangential_load` is the present Q)
    ----------
    first_turn: Q₁ [N/m], 0 ≤ Q₁ ≤ μP
    second_turn: Q₂ [N/m], −Q₁ ≤ Q₂ ≤ Q₁; the present Q in the second stage
    """

    first_turn: float
    second_turn: float

    def __post_init__(self) -> None:
        super().__post_init__()
        require_finite(self, "first_turn", "second_turn")
        limit = self.friction_coefficient * self.load
        if not abs(self.second_turn) <= self.first_turn <= limit:
            raise ValueError(
                "MindlinLoop: turns must obey |second_turn| ≤ first_turn ≤ μP = "
                f"{limit:g} N/m, but are {self.second_turn:g} and {self.first_turn:g}."
            )
        if not self.second_turn <= self.tangential_load <= self.first_turn:
            raise ValueError(
                "MindlinLoop: tangential_load must lie between the turns, but is "
                f"{self.tangential_load:g}."
            )

    def _stuck(self, change: float) -> float:
        """Return half the stick width after Q has changed by this amount since a reversal, m."""
        share = change / (2.0 * self.friction_coefficient * self.load)
        return self.half_width * math.sqrt(max(0.0, 1.0 - share))

    def profile(self, x: Array) -> dict[str, Array]:
        """Return pressure and tangential traction [Pa] at distances x from the middle [m]."""
        a, turned = self.half_width, self.first_turn - self.second_turn
        ways = (
            (1.0, self._stuck(2.0 * self.first_turn)),
            (-2.0, self._stuck(turned)),
            (2.0, self._stuck(self.tangential_load - self.second_turn)),
        )
        traction = np.zeros_like(x)
        for factor, b in ways:
            traction += factor * (ellipse(x, a) - b / a * ellipse(x, b))
        traction *= self.friction_coefficient * self.peak_pressure
        return {**super().profile(x), "traction": traction}

    def dissipated(self, way: int) -> float:
        """Return the friction work of loading stage 1, 2 or 3 up to the present load, per
        metre of depth [J/m].
        """
        changes = {
            1: (1.0, 2.0 * self.first_turn),
            2: (2.0, self.first_turn - self.second_turn),
            3: (2.0, self.tangential_load - self.second_turn),
        }
        factor, change = changes[way]
        a, b, slip_scale = self.half_width, self._stuck(change), self.friction_coefficient
        slip_scale *= factor * self.peak_pressure / (self.modulus * a)
        nodes, weights = np.polynomial.legendre.leggauss(POINTS)
        # x = a sin θ removes the square-root singularity at the edge of the pressure.
        low = math.asin(b / a)
        angle = low + (0.5 * math.pi - low) * 0.5 * (nodes + 1.0)
        x = a * np.sin(angle)
        root = np.sqrt(np.maximum(x**2 - b**2, 0.0))
        area = x * root - (b**2 * np.arccosh(np.maximum(x / b, 1.0)) if b > 0.0 else 0.0)
        pressure = self.friction_coefficient * self.peak_pressure * np.cos(angle)
        integrand = pressure * slip_scale * area * a * np.cos(angle)
        return float(2.0 * (0.5 * math.pi - low) * 0.5 * weights @ integrand)
