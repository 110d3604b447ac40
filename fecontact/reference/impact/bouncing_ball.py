r"""Ball bouncing on a rigid floor with Newton's law of restitution.

Dropped from the height :math:`H` at rest it lands with :math:`v_0 = \sqrt{2gH}` at :math:`t_1 =
v_0/g`; every rebound has :math:`e` times the velocity of the last one, so that

.. math::  t_n = \frac{v_0}{g}\Bigl(1 + 2e\,\frac{1 - e^{n-1}}{1 - e}\Bigr),\qquad
           h_n = e^{2n} H ,

:math:`h_n` the height reached after the n-th impact. It comes to rest after infinitely many impacts
in the finite time :math:`\frac{v_0}{g}\,\frac{1 + e}{1 - e}`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class BouncingBall:
    """Ball dropped at t = 0.

    Parameters
    ----------
    height: H, initial height of the ball above the floor [m]
    gravity: g [m/s²]
    restitution: e, 0 < e < 1 [1]
    """

    height: float
    gravity: float
    restitution: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)
        if self.restitution >= 1.0:
            raise ValueError("BouncingBall: restitution must be smaller than 1.")

    @property
    def fall(self) -> float:
        """Return t_1, the time of the first fall [s]."""
        return math.sqrt(2.0 * self.height / self.gravity)

    @property
    def rest(self) -> float:
        """Return the time at which the ball has come to rest [s]."""
        e = self.restitution
        return self.fall * (1.0 + e) / (1.0 - e)

    def impact(self, number: int) -> float:
        """Return t_n of the n-th impact, n ≥ 1 [s]."""
        e = self.restitution
        return self.fall * (1.0 + 2.0 * e * (1.0 - e ** (number - 1)) / (1.0 - e))

    def history(self, t: Array) -> dict[str, Array]:
        """Return height above the floor [m] and velocity [m/s], upwards."""
        t = np.asarray(t, dtype=float)
        e, g, fall = self.restitution, self.gravity, self.fall
        # number of past impacts, the inverse of t_n
        left = 1.0 - (t / fall - 1.0) * (1.0 - e) / (2.0 * e)
        with np.errstate(divide="ignore", invalid="ignore"):
            count = np.floor(np.log(left) / math.log(e) + 1.0)
        count = np.where(t < fall, 0.0, count)
        resting = t >= self.rest
        count = np.where(resting, 0.0, count)
        start = np.where(
            count > 0, fall * (1.0 + 2.0 * e * (1.0 - e ** (count - 1)) / (1.0 - e)), 0.0
        )
        speed = np.where(count > 0, g * fall * e**count, 0.0)
        height = np.where(count > 0, 0.0, self.height)
        flown = t - start
        y = height + speed * flown - 0.5 * g * flown**2
        return {
            "height": np.where(resting, 0.0, np.maximum(y, 0.0)),
            "velocity": np.where(resting, 0.0, speed - g * flown),
        }
