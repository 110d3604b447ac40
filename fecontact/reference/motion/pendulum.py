r"""Physical pendulum released from rest at any angle.

With the inertia :math:`I` about the hinge, the mass :math:`m` and the distance :math:`d` of its
centre from the hinge, :math:`I\ddot\varphi = -mgd\sin\varphi`. From :math:`\varphi_0` at rest, with
:math:`\omega_0^2 = mgd/I` and the modulus :math:`k = \sin(\varphi_0/2)` (Landau & Lifshitz,
Mechanics, § 11),

.. math::
    T = \frac{4}{\omega_0}K(k) = \frac{2\pi}{\omega_0\,\mathrm{agm}(1, \cos\frac{\varphi_0}{2})},
    \qquad \sin\frac{\varphi}{2} = k\,\mathrm{sn}(\omega_0 t + K, k).

sn follows from the arithmetic-geometric means :math:`a_n, c_n` of 1 and :math:`k' = \sqrt{1-k^2}`:
:math:`\psi_N = 2^N a_N u`, :math:`\sin(2\psi_{n-1} - \psi_n) = \frac{c_n}{a_n} \sin\psi_n`,
:math:`\mathrm{sn}\,u = \sin\psi_0` (Abramowitz & Stegun, 16.4).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive


@dataclass(frozen=True, kw_only=True)
class PhysicalPendulum:
    """Rigid body on a hinge, released from rest.

    Parameters
    ----------
    gravity: g [m/s²]
    distance: d, of the centre of mass from the hinge [m]
    inertia: I/m, square of the radius of gyration about the hinge [m²]
    amplitude: φ₀ from the position of rest, below 180 [degrees]
    """

    gravity: float
    distance: float
    inertia: float
    amplitude: float

    def __post_init__(self) -> None:
        require_positive(self, *self.__dataclass_fields__)
        require_finite(self, *self.__dataclass_fields__)
        if self.amplitude >= 180.0:
            raise ValueError(
                f"PhysicalPendulum: amplitude must be below 180 degrees, not {self.amplitude:g}."
            )

    @property
    def frequency(self) -> float:
        """Return ω₀ of small swings [rad/s]."""
        return math.sqrt(self.gravity * self.distance / self.inertia)

    def _means(self) -> list[tuple[float, float]]:
        """Return a_n, c_n of the arithmetic-geometric mean."""
        half = math.radians(self.amplitude) / 2.0
        a, b, c = 1.0, math.cos(half), math.sin(half)
        means = [(a, c)]
        while abs(c) > 1e-15 * a:
            a, b, c = (a + b) / 2.0, math.sqrt(a * b), (a - b) / 2.0
            means.append((a, c))
        return means

    @property
    def period(self) -> float:
        """Return T of a full oscillation [s]."""
        return 2.0 * math.pi / (self.frequency * self._means()[-1][0])

    def history(self, t: Array) -> dict[str, Array]:
        """Return the angle from the equilibrium position, and since the release [rad]."""
        means = self._means()
        u = self.frequency * (np.asarray(t, dtype=float) + self.period / 4.0)
        psi = 2.0 ** (len(means) - 1) * means[-1][0] * u
        for a, c in means[:0:-1]:
            psi = 0.5 * (psi + np.arcsin(np.clip(c / a * np.sin(psi), -1.0, 1.0)))
        k = math.sin(math.radians(self.amplitude) / 2.0)
        angle = 2.0 * np.arcsin(k * np.sin(psi))
        return {"angle": angle, "rotation": angle - math.radians(self.amplitude)}
