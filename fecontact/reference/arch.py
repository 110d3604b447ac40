r"""Clamped circular arch under a vertical force on its crown, through its limit points.

The arch is an elastic rod with finite bending, shear and axial deformation (E. Reissner 1972,
doi:10.1007/BF01602645) and initial curvature :math:`-1/R`. With the notation of
:mod:`fecontact.reference.solids.rod` the half from the crown to the right clamp follows from

.. math::
    \theta' = -\frac1R + \frac{M}{EI},\qquad
    \begin{pmatrix} x' \\ y' \end{pmatrix} = \Big(1 + \frac{N}{EA}\Big)
    \begin{pmatrix} \cos\theta \\ \sin\theta \end{pmatrix} + \frac{Q}{kGA}
    \begin{pmatrix} -\sin\theta \\ \cos\theta \end{pmatrix},\qquad
    M' = y'f_x - x'f_y,

with :math:`f = (-H, P/2)`, the thrust H and the force P. For a given deflection of the crown, H, P
and the moment at the crown follow from x, y and θ at the clamp by Newton's method.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive
from fecontact.reference.oscillators.marching import step

STEPS = 20  # Runge–Kutta steps along the half: 1e-8 of the force
STRIDES = 40  # steps of the deflection up to the height of the arch
NEWTON = 12
IMAGINARY = 1e-30  # derivatives by complex steps


@dataclass(frozen=True, kw_only=True)
class ClampedArch:
    """Arch that deforms symmetrically, in plane strain.

    Parameters
    ----------
    radius: R of the axis [m]
    half_angle: between crown and clamp [degrees]
    thickness: h [m]
    young: E [Pa]
    poisson: ν [-]
    speed: of the crown, downwards [m/s]
    """

    radius: float
    half_angle: float
    thickness: float
    young: float
    poisson: float
    speed: float

    def __post_init__(self) -> None:
        require_finite(self, *self.__dataclass_fields__)
        require_positive(self, *[n for n in self.__dataclass_fields__ if n != "poisson"])

    @property
    def rise(self) -> float:
        """Return the height of the crown above the clamps [m]."""
        return self.radius * (1.0 - math.cos(math.radians(self.half_angle)))

    def path(self, deflection: Array) -> tuple[Array, Array]:
        """Return the forces P on the crown and the thrusts H [N, per metre of depth: N/m] at
        increasing deflections of the crown, (n,) [m].
        """
        bending = self.young / (1.0 - self.poisson**2) * self.thickness**3 / 12.0
        scale: Array = np.array([1.0, 1.0 / self.radius, 1.0 / self.radius])
        scale *= bending / self.radius  # M at the crown, H, P/2
        unknown: Array = np.zeros(3)
        last, at = unknown, 0.0
        forces = []
        for w in deflection:
            for way in np.linspace(at, w, 2 + int(STRIDES * abs(w - at) / self.rise))[1:]:
                guess = 2.0 * unknown - last
                unknown, last = self._solve(guess, scale, float(way)), unknown
            forces.append(unknown * scale)
            at = float(w)
        found = np.array(forces)
        return 2.0 * found[:, 2], found[:, 1]

    def history(self, t: Array) -> dict[str, Array]:
        """Return the reactions of the right half [N/m]: downwards at the crown along y, inwards
        at the clamp along x.
        """
        force, thrust = self.path(self.speed * np.asarray(t, dtype=float))
        return {"crown": np.asarray(-force / 2.0), "clamp": np.asarray(-thrust)}

    def _solve(self, unknown: Array, scale: Array, deflection: float) -> Array:
        """Return M at the crown, H and P/2, divided by their scales, from a first guess."""
        for _ in range(NEWTON):
            missing, slope = self._clamp(unknown * scale, scale, deflection)
            change = np.linalg.solve(slope, missing)
            unknown = unknown - change
            if np.abs(change).max() <= 1e-6 * (1.0 + np.abs(unknown).max()):  # then 1e-12 remains
                return unknown
        raise ValueError(f"ClampedArch: no equilibrium found at the deflection {deflection:g} m.")

    def _clamp(self, unknown: Array, scale: Array, deflection: float) -> tuple[Array, Array]:
        """Return the residuals of θ, x/R and y/R at the clamp and their derivatives by M, H and
        P/2, each divided by its scale.
        """
        moment, thrust, half = unknown[:, None] + 1j * IMAGINARY * np.diag(scale)
        h, stiff = self.thickness, self.young / (1.0 - self.poisson**2)
        shear = 5.0 / 6.0 * self.young / (2.0 * (1.0 + self.poisson)) * h
        bending, angle = stiff * h**3 / 12.0, math.radians(self.half_angle)

        def slope(state: Array) -> Array:
            cos, sin = np.cos(state[0]), np.sin(state[0])
            along = 1.0 + (half * sin - thrust * cos) / (stiff * h)
            across = (half * cos + thrust * sin) / shear
            x, y = along * cos - across * sin, along * sin + across * cos
            turn = state[3] / bending - 1.0 / self.radius
            return np.array([turn, x, y, -y * thrust - x * half])

        still = 0.0 * moment
        state = np.array([still, still, still + self.rise - deflection, moment])
        for _ in range(STEPS):
            state = step(slope, state, self.radius * angle / STEPS)
        place = np.array([-angle, math.sin(angle) * self.radius, 0.0])
        missing = (state[:3] - place[:, None]) / np.array([[1.0], [self.radius], [self.radius]])
        return np.real(missing[:, 0]), np.imag(missing) / IMAGINARY
