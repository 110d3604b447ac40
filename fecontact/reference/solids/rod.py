r"""Clamped rod with finite bending, shear and axial deformation, loaded at its free end.

E. Reissner (1972, doi:10.1007/BF01602645): with the angle :math:`\theta` of the sections, the
forces :math:`N`, :math:`Q` along and across them and the moment :math:`M`,

.. math::
    \theta' = \frac{M}{EI},\qquad
    \begin{pmatrix} x' \\ y' \end{pmatrix} = \Big(1 + \frac{N}{EA}\Big)
    \begin{pmatrix} \cos\theta \\ \sin\theta \end{pmatrix} + \frac{Q}{kGA}
    \begin{pmatrix} -\sin\theta \\ \cos\theta \end{pmatrix},\qquad
    M' = y'f_x - x'f_y,

:math:`f = P(-\sin\varphi, \cos\varphi)` being the force on a point that is fixed to the end of the
rod, at the distance :math:`e` from its axis. In plane strain :math:`E/(1-\nu^2)` replaces
:math:`E`; :math:`k = 5/6`. Without shear and axial deformation the rod is the elastica.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.oscillators.marching import step

STEPS = 40  # Runge–Kutta steps along the rod: 1e-8 of the force
NEWTON = 12


@dataclass(frozen=True, kw_only=True)
class Rod:
    """Rod along x with its clamp at the origin, in plane strain.

    Parameters
    ----------
    length: L [m]
    thickness: h [m]
    young: E [Pa]
    poisson: ν [-]
    eccentricity: e, distance of the loaded point above the axis [m]
    """

    length: float
    thickness: float
    young: float
    poisson: float
    eccentricity: float

    @property
    def bending(self) -> float:
        """Return EI [N m]."""
        return self.young / (1.0 - self.poisson**2) * self.thickness**3 / 12.0

    def bend(self, force: Array, moment: Array, phi: Array) -> tuple[Array, Array, Array]:
        """Return the position x, y of the loaded point, and the residual of the moment at the
        rod's end, for forces P with the angles φ and moments at the clamp, all (n,).
        """
        h, stiff = self.thickness, self.young / (1.0 - self.poisson**2)
        shear = 5.0 / 6.0 * self.young / (2.0 * (1.0 + self.poisson)) * h
        fx, fy = -force * np.sin(phi), force * np.cos(phi)

        def slope(state: Array) -> Array:
            cos, sin = np.cos(state[0]), np.sin(state[0])
            along, across = 1.0 + (fx * cos + fy * sin) / (stiff * h), (fy * cos - fx * sin) / shear
            x, y = along * cos - across * sin, along * sin + across * cos
            return np.array([state[3] / self.bending, x, y, y * fx - x * fy])

        state = np.array([0.0 * moment, 0.0 * moment, 0.0 * moment, moment])
        for _ in range(STEPS):
            state = step(slope, state, self.length / STEPS)
        arm_x, arm_y = -self.eccentricity * np.sin(state[0]), self.eccentricity * np.cos(state[0])
        return state[1] + arm_x, state[2] + arm_y, state[3] - (arm_x * fy - arm_y * fx)

    def press(
        self, phi: Array, normal: tuple[Array, Array], distance: Array, force: Array, moment: Array
    ) -> tuple[Array, Array]:
        """Return forces P and moments at the clamp that move the loaded point to given lines.

        phi: (n,) angles φ of the forces [rad]
        normal, distance: lines n·x = d
        force, moment: first guess
        """
        by_force, by_moment = (
            1e-6 * self.bending / self.length**2,
            1e-6 * self.bending / self.length,
        )

        def residuals(force: Array, moment: Array) -> tuple[Array, Array]:
            x, y, more = self.bend(force, moment, phi)
            return normal[0] * x + normal[1] * y - distance, more

        for _ in range(NEWTON):
            high, more = residuals(force, moment)
            high_f, more_f = residuals(force + by_force, moment)
            high_m, more_m = residuals(force, moment + by_moment)
            a, b = (high_f - high) / by_force, (high_m - high) / by_moment
            c, d = (more_f - more) / by_force, (more_m - more) / by_moment
            det = a * d - b * c
            change = (d * high - b * more) / det
            force, moment = force - change, moment + (c * high - a * more) / det
            if np.abs(change).max() <= 1e-12 * np.abs(force).max():
                break
        return force, moment
