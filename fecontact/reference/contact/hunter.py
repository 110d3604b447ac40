r"""Rigid cylinder rolling or sliding without friction on a viscoelastic half plane (Hunter).

The half plane is a standard linear solid with constant Poisson's ratio
(:mod:`fecontact.reference.solids.viscoelastic`). In coordinates that move with the cylinder at the
speed V, the contact has the half-length c about a point ahead of the axis of the cylinder. With
:math:`f = E_0/E_\infty - 1`, :math:`\ell = V\tau_c`, :math:`k = 2(1-\nu^2)/(\pi E_0)`, :math:`\eta
= x/c`, the combination :math:`-\ell p' + (1 + f)p` satisfies the integral equation of an elastic
half plane, so that

.. math:: -\ell p' + (1 + f)p = \frac{\alpha + \beta\eta + \gamma T_2(\eta)}{\sqrt{1 - \eta^2}},
          \qquad \gamma = -\frac{c}{2\pi kR}.

The pressure vanishes at both ends, and the surface ahead of the contact has not been deformed:

.. math:: \alpha I_0(\kappa) - \beta I_1(\kappa) + \gamma I_2(\kappa) = 0, \qquad
          \alpha K_0(z) + \beta K_1(z) + \gamma K_2(z) = 0

with :math:`z = c/\ell` and :math:`\kappa = (1 + f)z`. The load is :math:`P = \pi c\alpha/(1 + f)`,
the contact reaches from :math:`-b` to :math:`a` with :math:`a, b = c \pm m`,
:math:`m = \ell - \pi kR\beta`, and the resistance is

.. math:: F = \frac{\pi c(\alpha m + \beta c/2) - \ell P}{(1 + f)R}.

(S. C. Hunter 1961, "The rolling contact of a rigid cylinder with a viscoelastic half space",
doi:10.1115/1.3641792.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive
from fecontact.reference.solids.viscoelastic import PressedCylinder

POINTS = 400  # of the trapezoidal rules below, which converge exponentially
BISECTIONS = 200


@dataclass(frozen=True, kw_only=True)
class HunterRolling(PressedCylinder):
    """Steady rolling to +x.

    Parameters are those of :class:`PressedCylinder` and
    ----------
    speed: V [m/s]
    middle: x of the axis of the cylinder [m]
    """

    speed: float
    middle: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_positive(self, "speed")
        require_finite(self, "speed", "middle")

    @property
    def _ratio(self) -> float:
        return self.instantaneous / self.long_term

    @property
    def _length(self) -> float:
        return self.speed * self.creep_time

    @property
    def _compliance(self) -> float:
        return 2 * (1 - self.poisson**2) / (math.pi * self.instantaneous)

    def _coefficients(self, c: float) -> tuple[float, float, float]:
        """Return α, β, γ [Pa] of a half-length c [m]."""
        z = c / self._length
        gamma = -c / (2 * math.pi * self._compliance * self.radius)
        rear, front = _first_kind(self._ratio * z), _second_kind(z)
        matrix = np.array([[rear[0], -rear[1]], [front[0], front[1]]])
        alpha, beta = np.linalg.solve(matrix, [-gamma * rear[2], -gamma * front[2]])
        return float(alpha), float(beta), gamma

    def _load_of(self, c: float) -> float:
        return math.pi * c * self._coefficients(c)[0] / self._ratio

    @cached_property
    def half_length(self) -> float:
        """Return c [m]."""
        low, high = 0.0, 2 * float(self.half_width(np.array(np.inf)))
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._load_of(middle) < self.load else (low, middle)
        return (low + high) / 2

    @property
    def shift(self) -> float:
        """Return m, by which the middle of the contact is ahead of the axis [m]."""
        beta = self._coefficients(self.half_length)[1]
        return self._length - math.pi * self._compliance * self.radius * beta

    @property
    def front(self) -> float:
        """Return a [m]."""
        return self.half_length + self.shift

    @property
    def rear(self) -> float:
        """Return b [m]."""
        return self.half_length - self.shift

    @property
    def resistance(self) -> float:
        """Return F/P [-]."""
        alpha, beta, _ = self._coefficients(self.half_length)
        moment = math.pi * self.half_length * (alpha * self.shift + beta * self.half_length / 2)
        return (moment - self._length * self.load) / (self._ratio * self.radius * self.load)

    def pressure(self, x: Array) -> Array:
        """Return the pressure [Pa] at positions x [m]."""
        c, (alpha, beta, gamma) = self.half_length, self._coefficients(self.half_length)
        eta = (np.asarray(x, dtype=float) - self.middle - self.shift) / c
        end = np.arccos(np.clip(eta, -1.0, 1.0))
        # p(x) = ∫ e^(−(1 + f)(x′ − x)/ℓ) q(x′) dx′/ℓ from x to the front, x′ = c cos φ.
        nodes, weights = np.polynomial.legendre.leggauss(80)
        phi = 0.5 * end[..., None] * (1 + nodes)
        density = alpha + beta * np.cos(phi) + gamma * np.cos(2 * phi)
        decay = np.exp(-self._ratio * c / self._length * (np.cos(phi) - np.cos(end)[..., None]))
        values = 0.5 * end * c / self._length * ((density * decay) @ weights)
        return np.where(np.abs(eta) < 1.0, values, 0.0)

    @property
    def peak_pressure(self) -> float:
        """Return the largest pressure [Pa]."""
        x = self.middle + np.linspace(-self.rear, self.front, 4001)
        return float(self.pressure(x).max())

    def profile(self, x: Array) -> dict[str, Array]:
        """Return the pressure [Pa] at positions x of the surface [m]."""
        return {"pressure": self.pressure(x)}


def _first_kind(x: float) -> Array:
    """Return e^(−x) I_n(x) for n = 0, 1, 2: mean of e^(x (cos θ − 1)) cos nθ."""
    theta = np.pi * (np.arange(POINTS) + 0.5) / POINTS
    weight = np.exp(x * (np.cos(theta) - 1.0))
    return np.array([np.mean(weight * np.cos(n * theta)) for n in range(3)])


def _second_kind(x: float) -> Array:
    """Return e^x K_n(x) for n = 0, 1, 2: ∫ e^(−x (cosh t − 1)) cosh nt dt over t > 0."""
    last = math.acosh(1.0 + 750.0 / x)
    step = last / POINTS
    t = step * (np.arange(POINTS) + 0.5)
    weight = np.exp(-x * (np.cosh(t) - 1.0))
    return np.array([step * np.sum(weight * np.cosh(n * t)) for n in range(3)])
