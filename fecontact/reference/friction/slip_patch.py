r"""Slip patch between two half planes with slip-weakening friction.

The faces are pressed with p and sheared by :math:`\tau(x) = T(1 - |x|/B)`; the strength decreases
from :math:`\tau_p = \mu_s p` by :math:`W = (\mu_s - \mu_d)p/D` per slip. Where T exceeds
:math:`\tau_p`, a patch :math:`|x| < a` slips by :math:`\delta(x)`,

.. math::  \tau(x) - \frac{\mu^*}{2\pi}\int_{-a}^{a}\frac{\delta'(\xi)}{x - \xi}\,\mathrm d\xi
           = \tau_p - W\delta(x), \qquad \mu^* = \frac{G}{1-\nu} .

With :math:`x = a\cos\theta` and :math:`\delta = \sum c_n\sin n\theta` the integral is
:math:`(\pi/a)\sum n c_n \sin n\theta/\sin\theta`; times :math:`\sin\theta\sin m\theta`, integrated,
that is a linear system. At the ends the stress is finite: :math:`\sum n c_n = 0`, which gives T for
a given a.

The patch grows steadily until T has its largest value, at the half length

.. math::  a_c = 0.579\,\mu^*/W

for any shape of the load, because the homogeneous system has a solution there. Beyond it the
growth is unstable (K. Uenishi & J. R. Rice 2003, doi:10.1029/2001JB001681, whose nucleation length
is :math:`2a_c = 1.158\,\mu^*/W`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive

TERMS = 60  # of the series; the fiftieth is 1e-6 of the first, by the kink of the load


def _products() -> Array:
    r"""Return (N, N) :math:`\int_0^\pi \sin\theta\sin n\theta\sin m\theta\,\mathrm d\theta`."""
    n = np.arange(1, TERMS + 1)

    def part(k: Array) -> Array:
        """Return ∫ sin θ cos kθ dθ: 2/(1 − k²) for even k, else 0."""
        return np.where(k % 2 == 0, 2.0 / (1.0 - k.astype(float) ** 2 + (k % 2)), 0.0)

    return 0.5 * (part(np.abs(n[:, None] - n)) - part(n[:, None] + n))


def critical_ratio() -> float:
    """Return a_c W/μ*, the smallest eigenvalue: 0.579."""
    n = np.arange(1, TERMS + 1)
    scale = np.sqrt(1.0 / n)
    symmetric = scale[:, None] * _products() * scale
    return float(0.25 * np.pi / np.linalg.eigvalsh(symmetric)[-1])


@dataclass(frozen=True, kw_only=True)
class SlipPatch:
    """Slip patch of given half length, and the load in equilibrium with it.

    Parameters
    ----------
    young, poisson: E [Pa], ν [-] of both half planes, in plane strain
    pressure: p [Pa]
    static_coefficient, dynamic_coefficient: μ_s, μ_d [-]
    distance: D, slip over which μ decreases [m]
    reach: B, distance at which the load is zero [m]
    half_length: a < a_c [m]
    """

    young: float
    poisson: float
    pressure: float
    static_coefficient: float
    dynamic_coefficient: float
    distance: float
    reach: float
    half_length: float

    def __post_init__(self) -> None:
        require_positive(self, "young", "pressure", "static_coefficient", "distance")
        require_positive(self, "reach", "half_length")
        require_finite(self, *self.__dataclass_fields__)
        if not self.half_length < min(self.critical_length, self.reach):
            raise ValueError(
                "SlipPatch: half_length must be smaller than the critical one, "
                f"{self.critical_length:g} m, and than the reach, but is {self.half_length:g}."
            )

    @property
    def modulus(self) -> float:
        """Return μ* = G/(1 − ν) [Pa]."""
        return 0.5 * self.young / (1.0 - self.poisson**2)

    @property
    def weakening(self) -> float:
        """Return W [Pa/m]."""
        fall = self.static_coefficient - self.dynamic_coefficient
        return fall * self.pressure / self.distance

    @property
    def critical_length(self) -> float:
        """Return a_c [m]."""
        return critical_ratio() * self.modulus / self.weakening

    def _solved(self) -> tuple[float, Array]:
        """Return T [Pa], and the c_n [m]."""
        a, n = self.half_length, np.arange(1, TERMS + 1)
        matrix = np.diag(0.25 * np.pi * self.modulus / a * n) - self.weakening * _products()
        points, weights = np.polynomial.legendre.leggauss(4 * TERMS)
        angle = 0.25 * np.pi * (points + 1.0)  # half: the load has a kink in the middle
        tested = np.sin(angle) * np.sin(np.multiply.outer(n, angle)) * weights * 0.25 * np.pi
        doubled = np.where(n % 2 == 1, 2.0, 0.0)
        load = doubled * (tested @ (1.0 - a * np.cos(angle) / self.reach))
        strength = doubled * tested.sum(axis=1) * self.static_coefficient * self.pressure
        by_load, by_strength = np.linalg.solve(matrix, np.stack([load, strength], axis=1)).T
        largest = float(n @ by_strength / (n @ by_load))
        return largest, largest * by_load - by_strength

    @property
    def load(self) -> float:
        """Return T in equilibrium with the patch [Pa]."""
        return self._solved()[0]

    def profile(self, x: Array) -> dict[str, Array]:
        """Return slip [m] and friction stress [Pa], against the load on the upper side, at x
        [m].
        """
        c = self._solved()[1]
        s = np.clip(np.asarray(x, dtype=float) / self.half_length, -1.0, 1.0)
        slip = np.sin(np.multiply.outer(np.arccos(s), np.arange(1, TERMS + 1))) @ c
        strength = self.static_coefficient * self.pressure - self.weakening * slip
        return {
            "slip": slip,
            "traction": -np.where(np.abs(s) < 1.0, strength, self._stick_traction(x)),
        }

    def _stick_traction(self, x: Array) -> Array:
        """Return the shear stress outside the patch [Pa]: the load plus the stress caused by slip.

        Outside the patch the integral has the closed form (π/a) Σ n c_n z⁻ⁿ/sinh u with |x|/a =
        cosh u, z = eᵘ.
        """
        load, c = self._solved()
        far = np.maximum(np.abs(np.asarray(x, dtype=float)) / self.half_length, 1.0 + 1e-12)
        u, n = np.arccosh(far), np.arange(1, TERMS + 1)
        added = (np.exp(-np.multiply.outer(u, n)) @ (n * c)) / np.sinh(u)
        applied = load * np.maximum(1.0 - np.abs(x) / self.reach, 0.0)
        return np.asarray(applied + 0.5 * self.modulus / self.half_length * added)
