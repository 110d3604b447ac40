r"""Masses on lumped obstacles with wear that increases the gap.

A mass that slides along an obstacle with the constant speed :math:`v` wears it by

.. math::  \dot w = \kappa v F, \qquad F = k_n (y - w),

:math:`\kappa` being Archard's coefficient over the rubbing area. With :math:`p = y - w` that is a
linear system.

*Impact.* Without other forces :math:`m\ddot y = -k_n p`, so that
:math:`\ddot p + \kappa v k_n \dot p + \omega^2 p = 0`: wear is a dashpot. A mass that arrives with
:math:`u` leaves after :math:`\pi/(\omega\sqrt{1-\zeta^2})` with :math:`e\,u`,

.. math::  e = \exp\Bigl(-\frac{\pi\zeta}{\sqrt{1-\zeta^2}}\Bigr), \qquad
           \zeta = \frac{\kappa v k_n}{2\omega}, \qquad \omega^2 = \frac{k_n}{m},

and the wear depth is :math:`\kappa v` times the impulse, :math:`\kappa v m (1 + e) u`.

*Pressed on.* A spring :math:`K` and a force :math:`P` press the mass,
:math:`m\ddot y = P - K y - k_n p`. Slowly :math:`w = (P/K)(1 - e^{-\kappa v K_s t})` with
:math:`1/K_s = 1/K + 1/k_n`; with inertia :math:`(y, \dot y, w)` follows from the eigenvalues of a
3 × 3 matrix.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class WornSlot:
    """Mass that flies back and forth between two faces and slides along them.

    Parameters
    ----------
    mass: m [kg]
    speed: across the slot at t = 0, towards the face ahead [m/s]
    sliding_speed: v along the faces [m/s]
    clearance: from the start to either face [m]
    stiffness: k_n of the faces [N/m]
    wear: wear volume per normal force and slip [1/Pa]
    area: rubbing area of each face [m²]
    """

    mass: float
    speed: float
    sliding_speed: float
    clearance: float
    stiffness: float
    wear: float
    area: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)
        if self._damping >= 1.0:
            raise ValueError("WornSlot: the wear is so fast that the mass does not return.")

    @property
    def _rate(self) -> float:
        """Return κ v, m/(N·s)."""
        return self.wear / self.area * self.sliding_speed

    @property
    def _damping(self) -> float:
        """Return ζ."""
        return 0.5 * self._rate * math.sqrt(self.stiffness * self.mass)

    def history(self, t: Array) -> dict[str, Array]:
        """Return the displacement across the slot [m], velocity [m/s] and wear depth of both
        faces [m].
        """
        t = np.asarray(t, dtype=float)
        x, v, depth_of_wear = np.empty(t.size), np.empty(t.size), np.empty(t.size)
        own, beaten = math.sqrt(self.stiffness / self.mass), math.sqrt(1.0 - self._damping**2)
        lasts = math.pi / (own * beaten)
        restitution = math.exp(-math.pi * self._damping / beaten)
        begin, place, speed, side = 0.0, 0.0, self.speed, 1.0
        depth = [0.0, 0.0]  # of the face ahead, and of that behind
        while begin <= t.max():
            face = 0 if side > 0.0 else 1
            wall = self.clearance + depth[face]
            meets = begin + (wall - side * place) / speed
            flying = (t >= begin) & (t < meets)
            x[flying] = place + side * speed * (t[flying] - begin)
            v[flying], depth_of_wear[flying] = side * speed, sum(depth)
            touching = (t >= meets) & (t < meets + lasts)
            since = own * (t[touching] - meets)
            swing = np.exp(-self._damping * since) * speed
            p = swing * np.sin(beaten * since) / (own * beaten)
            rises = swing * (
                np.cos(beaten * since) - self._damping / beaten * np.sin(beaten * since)
            )
            slower = speed - rises - self._rate * self.stiffness * p  # of y: impulse over the mass
            off = self._rate * self.mass * slower
            x[touching], v[touching] = side * (wall + p + off), side * (speed - slower)
            depth_of_wear[touching] = sum(depth) + off
            depth[face] += self._rate * self.mass * (1.0 + restitution) * speed
            begin, place = meets + lasts, side * (self.clearance + depth[face])
            speed, side = restitution * speed, -side
        return {"displacement": x, "velocity": v, "wear_depth": depth_of_wear}


@dataclass(frozen=True, kw_only=True)
class WornSlider:
    """Mass pressed by a spring and a force on a sliding obstacle; at rest at t = 0.

    Parameters
    ----------
    mass: m [kg]
    spring: K [N/m]
    force: P at its end [N]
    sliding_speed: v of the obstacle [m/s]
    stiffness: k_n of the obstacle [N/m]
    wear: wear volume per normal force and slip [1/Pa]
    area: rubbing area [m²]
    """

    mass: float
    spring: float
    force: float
    sliding_speed: float
    stiffness: float
    wear: float
    area: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)

    def history(self, t: Array) -> dict[str, Array]:
        """Return the displacement from first contact [m], normal force [N] and wear depth [m].

        The motion starts in equilibrium of springs and force.
        """
        m, k, kn = self.mass, self.spring, self.stiffness
        rate = self.wear / self.area * self.sliding_speed
        matrix = np.array(
            [[0.0, 1.0, 0.0], [-(k + kn) / m, 0.0, kn / m], [rate * kn, 0.0, -rate * kn]]
        )
        end = np.array([self.force / k, 0.0, self.force / k])
        start = np.array([self.force / (k + kn), 0.0, 0.0])
        values, vectors = np.linalg.eig(matrix)
        weights = np.linalg.solve(vectors, (start - end).astype(complex))
        rises = np.exp(np.multiply.outer(np.asarray(t, dtype=float), values)) * weights
        y, _, w = (end + (rises @ vectors.T).real).T
        return {"displacement": y, "force": kn * (y - w), "wear_depth": w}
