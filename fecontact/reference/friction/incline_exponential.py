r"""Block sliding down an incline with exponential velocity weakening of friction.

With :math:`\mu(v) = \mu_k + (\mu_s - \mu_k)e^{-dv}` and :math:`\tan\theta > \mu_s`,

.. math::  \dot v = A - B e^{-dv}, \qquad A = g(\sin\theta - \mu_k\cos\theta), \quad
           B = g\cos\theta\,(\mu_s - \mu_k) ;

:math:`y = e^{dv}` obeys the linear equation :math:`\dot y = d(Ay - B)`, so that

.. math::  v(t) = \frac1d \ln\Bigl[\Bigl(e^{dv_0} - \frac BA\Bigr)e^{dAt} + \frac BA\Bigr] .

The displacement is its integral, by Gauss quadrature.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive


@dataclass(frozen=True, kw_only=True)
class InclineExponential:
    """Block on an inclined plane, sliding downwards.

    Parameters
    ----------
    gravity: g [m/s²]
    angle: θ of the slope [degrees], steeper than tan θ = μ_s
    static_coefficient, kinetic_coefficient: μ_s, μ_k ≤ μ_s [-]
    decay: d [s/m]
    mass: m [kg]
    initial_velocity: down the slope, ≥ 0 [m/s]
    """

    gravity: float
    angle: float
    static_coefficient: float
    kinetic_coefficient: float
    decay: float
    mass: float = 1.0
    initial_velocity: float = 0.0

    def __post_init__(self) -> None:
        require_positive(self, "gravity", "static_coefficient", "decay", "mass")
        require_non_negative(self, "angle", "kinetic_coefficient", "initial_velocity")
        require_finite(self, *self.__dataclass_fields__)
        if not self.static_coefficient < math.tan(math.radians(self.angle)):
            raise ValueError("InclineExponential: tan(angle) must be above static_coefficient.")

    def velocity(self, t: Array) -> Array:
        """Return v at times t [m/s]."""
        across = self.gravity * math.cos(math.radians(self.angle))
        down = self.gravity * math.sin(math.radians(self.angle))
        a = down - self.kinetic_coefficient * across
        ratio = across * (self.static_coefficient - self.kinetic_coefficient) / a
        rise = self.decay * a * np.asarray(t, dtype=float)
        start = math.exp(self.decay * self.initial_velocity)
        return np.asarray((rise + np.log(start - ratio + ratio * np.exp(-rise))) / self.decay)

    def history(self, t: Array) -> dict[str, Array]:
        """Return displacement [m], velocity [m/s] down the slope and friction on the block
        [N], t ≥ 0.
        """
        t = np.asarray(t, dtype=float)
        points, weights = np.polynomial.legendre.leggauss(60)
        inside = np.multiply.outer(t, 0.5 * (points + 1.0))
        v = self.velocity(t)
        drop = self.static_coefficient - self.kinetic_coefficient
        mu = self.kinetic_coefficient + drop * np.exp(-self.decay * v)
        normal = self.mass * self.gravity * math.cos(math.radians(self.angle))
        return {
            "displacement": 0.5 * t * (self.velocity(inside) @ weights),
            "velocity": v,
            "friction": -mu * normal,
        }
