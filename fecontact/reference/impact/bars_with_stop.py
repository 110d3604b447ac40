r"""Impact of a moving bar on an equal clamped bar with an elastic stop between them.

The struck end of a bar is loaded by the contact force F. It sends a wave of velocity :math:`F/Z`,
:math:`Z = EA/c`, to the far end, which returns after :math:`T = 2L/c`: with the same sign from a
free end, with the opposite sign from a clamped end. At the struck end its velocity is doubled:

.. math::  \dot u_1 = -v + \frac{1}{Z}\Bigl[F(t) + 2\sum_{n\ge 1} F(t - nT)\Bigr], \qquad
           \dot u_2 = -\frac{1}{Z}\Bigl[F(t) + 2\sum_{n\ge 1} (-1)^n F(t - nT)\Bigr], \qquad
           F = k\,\langle u_2 - u_1 - g\rangle.

The delay equations are integrated by the trapezoidal rule with T a multiple of the step.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array


@dataclass(frozen=True, kw_only=True)
class BarsWithStop:
    """Bar that flies in the direction −x against an equal bar, clamped at its far end.

    length: L, m; young: E, Pa; density: ρ, kg/m³; area: A, m²; speed: v, m/s; gap: g, m;
    stiffness: k of the stop, N/m.
    """

    length: float
    young: float
    density: float
    area: float
    speed: float
    gap: float
    stiffness: float

    def end_displacement(self, time: Array, steps_per_period: int = 4000) -> Array:
        """Return the displacement of the struck end of the first bar, m.

        time: (n,) s.
        """
        wave_speed = math.sqrt(self.young / self.density)
        impedance, period = self.young * self.area / wave_speed, 2.0 * self.length / wave_speed
        n, step = steps_per_period, period / steps_per_period
        count = int(time.max() / step) + 2
        force, first, second = np.zeros(count + 1), np.zeros(count + 1), np.zeros(count + 1)
        for i in range(count):
            free, clamped = 0.0, 0.0  # reflected forces, summed over both ends of the step
            for j in (i, i + 1):
                returned = force[j - n :: -n][: j // n] if j >= n else np.zeros(0)
                free += float(returned.sum())
                clamped += float(returned[::2].sum() - returned[1::2].sum())
            half = 0.5 * step / impedance
            first[i + 1] = first[i] - step * self.speed + step * free / impedance + half * force[i]
            second[i + 1] = second[i] + step * clamped / impedance - half * force[i]
            overlap = second[i + 1] - first[i + 1] - self.gap
            force[i + 1] = max(0.0, overlap / (1.0 / self.stiffness + 2.0 * half))
            first[i + 1] += half * force[i + 1]
            second[i + 1] -= half * force[i + 1]
        return np.interp(time, step * np.arange(count + 1), first)
