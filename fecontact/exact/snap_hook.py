r"""Snap hook: an elastic rod whose nose slides over a catch while its root is pushed.

The catch is a plateau between two flanks of angle :math:`\alpha_0`, with rounded edges. Where its
outline has the slope :math:`\alpha` (negative behind the plateau), the force on the sliding nose, a
single point, has the angle :math:`\varphi = \alpha + \arctan\mu` to the normal of the path,
whatever the material of the hook:

.. math::  F_x = F_y\tan(\alpha + \arctan\mu).

Its magnitude follows from a rod with finite bending, shear and axial deformation (E. Reissner 1972,
doi:10.1007/BF01602645): with the angle :math:`\theta` of its sections, the forces :math:`N`,
:math:`Q` along and across them and the moment :math:`M`,

.. math::
    \theta' = \frac{M}{EI},\qquad
    \begin{pmatrix} x' \\ y' \end{pmatrix} = \Big(1 + \frac{N}{EA}\Big)
    \begin{pmatrix} \cos\theta \\ \sin\theta \end{pmatrix} + \frac{Q}{kGA}
    \begin{pmatrix} -\sin\theta \\ \cos\theta \end{pmatrix},\qquad
    M' = y'f_x - x'f_y,

:math:`f = P(-\sin\varphi, \cos\varphi)` being the force on the nose, which is fixed to the end of
the rod, :math:`e` below its axis. In plane strain :math:`E/(1-\nu^2)` replaces :math:`E`;
:math:`k = 5/6`. Every position of the nose on the outline gives one force and one position of the
root. The hook slides without snapping if the root advances monotonically with the nose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.exact.checks import require_finite, require_positive

PLACES = 60  # positions of the nose on each part of the outline
STEPS = 40  # Runge–Kutta steps along the rod: 1e-8 of the force
NEWTON = 12


@dataclass(frozen=True, kw_only=True)
class SnapHook:
    """Hook along x, initially with its root at x = 0 and its lower side at y = 0, in plane strain.

    Parameters
    ----------
    length: from the root to the nose [m]
    thickness: of the hook [m]
    nose: distance of the nose below the lower side [m]
    young: E [Pa]
    poisson: ν [-]
    friction: μ [-]
    angle: α₀ of the flanks [degrees]
    radius: of the rounded edges [m]
    height: of the plateau, its y [m]
    begin: x of the start of the plateau [m]
    end: x of the end of the plateau [m]
    speed: of the root [m/s]
    """

    length: float
    thickness: float
    nose: float
    young: float
    poisson: float
    friction: float
    angle: float
    radius: float
    height: float
    begin: float
    end: float
    speed: float

    def __post_init__(self) -> None:
        require_finite(self, *self.__dataclass_fields__)
        positive = [n for n in self.__dataclass_fields__ if n not in ("height", "friction")]
        require_positive(self, *positive)
        least = self._drop - self.nose
        if self.height <= least:
            raise ValueError(
                f"SnapHook: height must be above {least:g}, or the nose meets no flank, not "
                f"{self.height:g}."
            )

    @property
    def _drop(self) -> float:
        """Return the height from the plateau to the start of a flank [m]."""
        return self.radius * (1.0 - math.cos(math.radians(self.angle)))

    def _outline(self) -> tuple[Array, Array, Array]:
        """Return positions x, y of the nose in contact with the catch, and the slope α there."""
        steep, r = math.radians(self.angle), self.radius
        share = np.linspace(0.0, 1.0, PLACES)
        edge = self.height - self._drop
        low = (1.0 - share) * -self.nose + share * edge
        reach = r * math.sin(steep) + (edge - low) / math.tan(steep)
        turn = steep * (1.0 - share)
        arc = r * np.sin(turn), self.height - r * (1.0 - np.cos(turn))
        x = [self.begin - reach, self.begin - arc[0]]
        y, slope = [low, arc[1]], [np.full(PLACES, steep), turn]
        middle = self.begin + share * (self.end - self.begin)
        x += [middle, self.end + arc[0][::-1], self.end + reach[::-1]]
        y += [np.full(PLACES, self.height), arc[1][::-1], low[::-1]]
        slope += [np.zeros(PLACES), -turn[::-1], np.full(PLACES, -steep)]
        return np.concatenate(x), np.concatenate(y), np.concatenate(slope)

    def _bend(self, force: Array, moment: Array, phi: Array) -> tuple[Array, Array, Array]:
        """Return the position x, y of the nose relative to the root, and the residual of the
        moment at the rod's end, for forces P and moments at the root.
        """
        stiff = self.young / (1.0 - self.poisson**2)
        bending, h = stiff * self.thickness**3 / 12.0, self.thickness
        shear = 5.0 / 6.0 * self.young / (2.0 * (1.0 + self.poisson)) * h
        fx, fy = -force * np.sin(phi), force * np.cos(phi)

        def slope(state: Array) -> Array:
            cos, sin = np.cos(state[0]), np.sin(state[0])
            along, across = 1.0 + (fx * cos + fy * sin) / (stiff * h), (fy * cos - fx * sin) / shear
            x, y = along * cos - across * sin, along * sin + across * cos
            return np.array([state[3] / bending, x, y, y * fx - x * fy])

        state = np.array([0.0 * moment, 0.0 * moment, h / 2.0 + 0.0 * moment, moment])
        s = self.length / STEPS
        for _ in range(STEPS):
            k1 = slope(state)
            k2 = slope(state + s / 2.0 * k1)
            k3 = slope(state + s / 2.0 * k2)
            state = state + s / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + slope(state + s * k3))
        below = self.nose + h / 2.0
        arm_x, arm_y = below * np.sin(state[0]), -below * np.cos(state[0])
        return state[1] + arm_x, state[2] + arm_y, state[3] - (arm_x * fy - arm_y * fx)

    def path(self) -> tuple[Array, Array, Array]:
        """Return positions of the root [m], and the pushing force and the lifting force on
        the nose there [N, per metre of depth: N/m], in the order in which the nose moves over
        the catch.
        """
        x, y, slope = self._outline()
        phi = slope + math.atan(self.friction)
        bending = self.young / (1.0 - self.poisson**2) * self.thickness**3 / 12.0
        force = 3.0 * bending / self.length**3 * (y + self.nose)
        moment = force * self.length
        by_force, by_moment = 1e-6 * bending / self.length**2, 1e-6 * bending / self.length
        for _ in range(NEWTON):  # until position and moment residuals vanish
            _, high, more = self._bend(force, moment, phi)
            _, high_f, more_f = self._bend(force + by_force, moment, phi)
            _, high_m, more_m = self._bend(force, moment + by_moment, phi)
            a, b = (high_f - high) / by_force, (high_m - high) / by_moment
            c, d = (more_f - more) / by_force, (more_m - more) / by_moment
            lift, det = y - high, a * d - b * c
            force = force + (d * lift + b * more) / det
            moment = moment - (c * lift + a * more) / det
        root = x - self._bend(force, moment, phi)[0]
        return root, force * np.sin(phi), force * np.cos(phi)

    @property
    def slides(self) -> bool:
        """Return True if the root advances monotonically with the nose; otherwise the hook
        snaps.
        """
        return bool((np.diff(self.path()[0]) >= 0.0).all())

    @property
    def peak(self) -> tuple[float, float]:
        """Return the largest pushing force, and the position of the root there [m]."""
        root, push, _ = self.path()
        return float(push.max()), float(root[push.argmax()])

    def history(self, t: Array) -> dict[str, Array]:
        """Return the forces of :meth:`path` [N, per metre of depth: N/m]."""
        root, push, across = self.path()
        place = self.speed * np.asarray(t, dtype=float)
        forces = {"push": push, "across": across}
        return {name: np.interp(place, root, force, 0.0, 0.0) for name, force in forces.items()}
