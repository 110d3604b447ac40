r"""Stick zone of a rigid flat round punch on an elastic half-space with friction.

Axisymmetric counterpart of :mod:`fecontact.reference.contact.stuck_punch`, including the effect of
the traction on the pressure. Pressure p and radial traction q under the punch (radius a = 1) are
those of two functions on (0, 1),

.. math::  p(r) = -\frac1r\frac{d}{dr}\int_r^1 \frac{t\,\psi(t)}{\sqrt{t^2 - r^2}}\,dt, \qquad
           q(r) = -\frac{d}{dr}\int_r^1 \frac{\varphi(t)}{\sqrt{t^2 - r^2}}\,dt,

the Hankel transforms of which are :math:`\int\psi\cos kt\,dt` and :math:`\int\varphi\sin kt\,dt`.
With :math:`\beta = (1 - 2\nu)/(2(1 - \nu))` the surface moves by

.. math::  w \propto \int_0^\infty (\hat p - \beta\hat q)\,J_0(kr)\,dk, \qquad
           u \propto \int_0^\infty (\hat q - \beta\hat p)\,J_1(kr)\,dk .

Abel's equations turn w = const under the punch, u = 0 where it sticks (r < c) and q = μp where it
slips into

.. math::
    \psi(t) = 1 + \frac\beta\pi \int_{-1}^1 \frac{\varphi(s)}{s - t}\,ds, \qquad
    \varphi(t) = -\frac\beta\pi \int_{-1}^1 \frac{\psi(s)}{s - t}\,ds \quad (t < c),

.. math::
    \varphi(t) = \mu\Bigl(\psi(t) + \frac{2t}{\pi}\int_t^1 \psi(s)\,
        \frac{\partial}{\partial s}\frac{K(\sqrt{1 - t^2/s^2})}{s}\,ds\Bigr) \quad (t > c),

φ being continued as an odd, ψ as an even function, and K the complete elliptic integral of the
first kind. q is bounded at c if φ is continuous there: that is the equation for c, for any
load. (D. A. Spence, *Proc. Royal Society A* 305, 1968, p. 55, and *J. Elasticity* 5, 1975, p. 297,
who shows that c/a is the same under a sphere.)

Without the second term of ψ (the effect of the traction on the pressure), φ is known and the
equation is

.. math::  \frac{1}{2k}\ln\frac{1 + k}{1 - k} = \frac\mu\beta K(\sqrt{1 - k^2}), \qquad k = c/a .

The complete system is solved with φ and ψ constant on panels that shorten towards c and 1;
integrals over them are known in closed form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_positive
from fecontact.reference.contact.stuck_punch import RoughPunch, elliptic

PANELS = 60  # on each side of c: c/a to 3e-4
HALVINGS = 40  # of the search interval of c


@dataclass(frozen=True, kw_only=True)
class StuckRoundPunch(RoughPunch):
    """Stick zone under a round punch.

    Parameters
    ----------
    radius: a [m]
    """

    radius: float

    def __post_init__(self) -> None:
        require_positive(self, "radius")
        super().__post_init__()

    @property
    def stick_radius(self) -> float:
        """Return c [m]."""
        return self.radius * _root(lambda c: _jump(c, self.friction, self.coupling))

    @property
    def uncoupled_stick_radius(self) -> float:
        """Return c [m] for the pressure of the frictionless punch."""

        def excess(k: float) -> float:
            stick_term = math.log((1.0 + k) / (1.0 - k)) / (2.0 * k)
            return stick_term - self.friction / self.coupling * float(elliptic(np.array(k)))

        return self.radius * _root(excess)


def _root(excess) -> float:  # type: ignore[no-untyped-def]
    """Return the root of a function that is negative near 0 and positive near 1."""
    low, high = 1e-6, 1.0 - 1e-9
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) < 0.0 else (low, middle)
    return 0.5 * (low + high)


def _panels(c: float) -> tuple[Array, Array]:
    """Return ends of panels on (0, 1), of which c is one, and their middles."""
    x = np.linspace(0.0, 1.0, PANELS + 1)
    inside = c * (1.0 - (1.0 - x) ** 3)
    outside = c + (1.0 - c) * x**3 * (10.0 - 15.0 * x + 6.0 * x**2)
    ends = np.concatenate([inside, outside[1:]])
    return ends, 0.5 * (ends[1:] + ends[:-1])


def _jump(c: float, friction: float, coupling: float) -> float:
    """Return the jump of φ at c for a stick zone of radius c."""
    ends, t = _panels(c)
    low, high, of = ends[:-1], ends[1:], t[:, None]
    right = np.log(np.abs((high - of) / (low - of))) / np.pi
    left = np.log((low + of) / (high + of)) / np.pi
    odd, even = right - left, right + left  # 1/π ∫ ds/(s − t) of odd and even functions
    begin, end = np.maximum(low, of), np.maximum(high, of)
    slip = 2.0 / np.pi * of * (elliptic(of / end) / end - elliptic(of / begin) / begin)
    from_pressure = np.where(of < c, -coupling * even, friction * (np.eye(len(t)) + slip))
    matrix = np.eye(len(t)) - from_pressure @ (coupling * odd)
    phi = np.linalg.solve(matrix, from_pressure.sum(axis=1))
    n = PANELS
    below = phi[n - 1] + (c - t[n - 1]) * (phi[n - 1] - phi[n - 2]) / (t[n - 1] - t[n - 2])
    above = phi[n] + (c - t[n]) * (phi[n + 1] - phi[n]) / (t[n + 1] - t[n])
    return float(below - above)
