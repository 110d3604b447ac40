r"""Rocking of a rigid block on its two lower corners (Housner).

A block of width :math:`2b` and height :math:`2h`, with :math:`R = \sqrt{b^2+h^2}` and
:math:`\tan\alpha = b/h`, tilted by :math:`\theta` about a corner obeys

.. math::  \ddot\theta = -p^2\sin(\alpha - \theta), \qquad p^2 = \frac{3g}{4R},

so that :math:`\frac12\dot\theta^2 = p^2[\cos(\alpha-\theta_0) - \cos(\alpha-\theta)]` when it was
released at :math:`\theta_0`. The quarter of a period until it is upright is the integral of
:math:`d\theta/\dot\theta`; for a slender block, :math:`\sin\alpha \approx \alpha`, it is
:math:`\frac1p\operatorname{arcosh}\frac{1}{1-\theta_0/\alpha}`. Then the other corner strikes the
ground and the block rotates about it. The angular momentum about that corner is conserved, so the
fraction of the energy retained is

.. math::  r = \left(1 - \tfrac32\sin^2\alpha\right)^2

(Housner 1963, "The behavior of inverted pendulum structures during earthquakes").
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive

POINTS = 4001  # of the table of a quarter period


@dataclass(frozen=True, kw_only=True)
class RockingBlock:
    """Rigid block released from rest, tilted about a corner.

    Parameters
    ----------
    half_width: b [m]
    half_height: h [m]
    gravity: g [m/s²]
    tilt: θ₀, below α [rad]
    """

    half_width: float
    half_height: float
    gravity: float
    tilt: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)
        if self.tilt >= self.slenderness:
            raise ValueError(
                f"RockingBlock: tilt must be below α = {self.slenderness:g}, not {self.tilt:g}."
            )

    @property
    def slenderness(self) -> float:
        """Return α [rad]."""
        return math.atan2(self.half_width, self.half_height)

    @property
    def frequency(self) -> float:
        """Return p [1/s]."""
        return math.sqrt(0.75 * self.gravity / math.hypot(self.half_width, self.half_height))

    @property
    def kept(self) -> float:
        """Return r, the fraction of the energy retained in an impact [-]."""
        return (1.0 - 1.5 * math.sin(self.slenderness) ** 2) ** 2

    def slender_quarter(self, tilt: float) -> float:
        """Return Housner's quarter of a period of a slender block [s]."""
        return math.acosh(1.0 / (1.0 - tilt / self.slenderness)) / self.frequency

    def quarter(self, tilt: float) -> float:
        """Return the quarter of a period [s]."""
        return float(self._fall(tilt)[0][-1])

    def next_tilt(self, tilt: float) -> float:
        """Return the largest tilt on the other side after an impact [rad]."""
        upright = math.cos(self.slenderness)
        least = upright + self.kept * (math.cos(self.slenderness - tilt) - upright)
        return self.slenderness - math.acos(least)

    def _fall(self, tilt: float) -> tuple[Array, Array]:
        """Return times [s] and tilts [rad] from rest until the block is upright.

        With θ = θ₀ − s² the integrand 2 s/|θ̇| is smooth; it is integrated by the trapezoidal rule.
        """
        alpha, s = self.slenderness, np.linspace(0.0, math.sqrt(tilt), POINTS)
        half = 0.5 * s[1:] ** 2  # cos(α−θ₀) − cos(α−θ) = 2 sin(α−θ₀+s²/2) sin(s²/2)
        speed = self.frequency * np.sqrt(4.0 * np.sin(alpha - tilt + half) * np.sin(half))
        first = 2.0 / (self.frequency * math.sqrt(2.0 * math.sin(alpha - tilt)))
        rate = np.concatenate([[first], 2.0 * s[1:] / speed])
        steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(s)
        return np.concatenate([[0.0], np.cumsum(steps)]), tilt - s**2

    def history(self, t: Array) -> dict[str, Array]:
        """Return the rotation since release, initially towards the upright position [rad]."""
        t = np.asarray(t, dtype=float)
        end, tilt, start, side = float(np.max(t, initial=0.0)), self.tilt, 0.0, 1.0
        times, tilts = self._fall(tilt)
        angle = np.interp(t, times, tilts)
        start = times[-1]
        while start < end and tilt > 1e-6 * self.tilt:
            tilt, side = self.next_tilt(tilt), -side
            times, tilts = self._fall(tilt)
            whole = np.concatenate([times[-1] - times[::-1], times[-1] + times[1:]])
            path = np.concatenate([tilts[::-1], tilts[1:]])
            swing = (t > start) & (t <= start + whole[-1])
            angle = np.where(swing, side * np.interp(t - start, whole, path), angle)
            start += whole[-1]
        return {"rotation": self.tilt - np.where(t > start, 0.0, angle)}
