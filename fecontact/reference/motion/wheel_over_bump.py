r"""Rigid disc rolling over a smooth bump without slip or loss of contact.

The ground is flat except for a cosine bump of height h and length L,

.. math::  f(x) = \tfrac h2\,(1 - \cos(2\pi x/L)), \quad 0 \le x \le L.

Where the disc of radius R touches it at x, its centre is R above along the normal,

.. math::  X = x - R f'/\sqrt{1 + f'^2}, \qquad Y = f + R/\sqrt{1 + f'^2},

and moves along the tangent, :math:`1 - \kappa R` times as fast as the contact point does along the
ground of curvature :math:`\kappa = f''/(1 + f'^2)^{3/2}`. The normal force does no work and neither
does friction where nothing slips; with :math:`\omega = v/R` and the inertia :math:`\frac12 mR^2`

.. math::  \tfrac34 v^2 + gY = \mathrm{const}, \qquad
           dt = \frac{(1 - \kappa R)\sqrt{1 + f'^2}}{v}\,dx .

Along the slope :math:`\varphi` friction is :math:`\frac13 mg\sin\varphi`, the normal force
:math:`m(g\cos\varphi + v^2\kappa/(1 - \kappa R))`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_non_negative, require_positive

POINTS = 20001  # along the bump; relative error of the trapezoidal rule 1e-8


@dataclass(frozen=True, kw_only=True)
class WheelOverBump:
    """Rigid disc rolling to +x over a bump.

    Parameters
    ----------
    radius: R of the disc [m]
    height, length: h and L of the bump [m]
    distance: of the disc from the foot of the bump, at t = 0 [m]
    velocity: on the flat ground, to +x [m/s]
    gravity: g [m/s²]
    friction_coefficient: μ [-], sufficient for rolling
    """

    radius: float
    height: float
    length: float
    distance: float
    velocity: float
    gravity: float
    friction_coefficient: float

    def __post_init__(self) -> None:
        require_positive(self, "radius", "height", "length", "velocity", "gravity")
        require_non_negative(self, "distance", "friction_coefficient")
        require_finite(self, *self.__dataclass_fields__)
        if self._curvature(0.0) * self.radius >= 1.0:
            raise ValueError("WheelOverBump: radius must be below that of the foot of the bump.")
        if self.top_velocity <= 0.0:
            raise ValueError(
                "WheelOverBump: velocity must be high enough to reach the top of the bump."
            )
        path = self._path()
        if (path["normal"] <= 0.0).any():
            raise ValueError(
                "WheelOverBump: velocity must be so low that the disc stays in contact."
            )
        if (path["friction"] > self.friction_coefficient * path["normal"]).any():
            raise ValueError(
                "WheelOverBump: friction_coefficient must be large enough for rolling."
            )

    @property
    def top_velocity(self) -> float:
        """Return v on the top of the bump, √(v₀² − 4 g h/3) [m/s]; 0 if it does not get there."""
        square = self.velocity**2 - 4.0 / 3.0 * self.gravity * self.height
        return math.sqrt(max(0.0, square))

    def _curvature(self, x: float) -> float:
        """Return f″ where f′ = 0 [1/m]."""
        wave = 2.0 * math.pi / self.length
        return 0.5 * self.height * wave**2 * math.cos(wave * x)

    def _path(self) -> dict[str, Array]:
        """Return time since the foot [s], centre [m], speed [m/s] and direction (cosine,
        sine) along the bump; normal force and friction per mass, N/kg.
        """
        wave, x = 2.0 * np.pi / self.length, np.linspace(0.0, self.length, POINTS)
        f = 0.5 * self.height * (1.0 - np.cos(wave * x))
        slope = 0.5 * self.height * wave * np.sin(wave * x)
        stretch = np.sqrt(1.0 + slope**2)
        curvature = 0.5 * self.height * wave**2 * np.cos(wave * x) / stretch**3
        y = f + self.radius / stretch - self.radius
        speed = np.sqrt(np.maximum(self.velocity**2 - 4.0 / 3.0 * self.gravity * y, 1e-300))
        pace = (1.0 - curvature * self.radius) * stretch / speed
        time = np.concatenate([[0.0], np.cumsum(0.5 * (pace[1:] + pace[:-1]) * np.diff(x))])
        bent = speed**2 * curvature / (1.0 - curvature * self.radius)
        return {
            "time": time,
            "x": x - self.radius * slope / stretch,
            "y": y,
            "speed": speed,
            "cosine": 1.0 / stretch,
            "sine": slope / stretch,
            "normal": self.gravity / stretch + bent,
            "friction": np.abs(self.gravity * slope / stretch) / 3.0,
        }

    def history(self, t: Array) -> dict[str, Array]:
        """Return the displacement x, y of the centre since t = 0 [m], its velocity x, y
        [m/s], and the angular velocity, anticlockwise [rad/s].
        """
        path, since = self._path(), np.asarray(t, dtype=float) - self.distance / self.velocity
        end = path["time"][-1]
        on = np.clip(since, 0.0, end)
        x, y, speed, cosine, sine = (
            np.interp(on, path["time"], path[name])
            for name in ("x", "y", "speed", "cosine", "sine")
        )
        flat = self.velocity * (since - on)  # before and behind the bump
        return {
            "x": self.distance + x + flat,
            "y": y,
            "velocity_x": speed * cosine,
            "velocity_y": speed * sine,
            "angular_velocity": (-1.0 / self.radius) * speed,
        }
