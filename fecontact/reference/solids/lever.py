r"""Lever on a hinge that bends a clamped strip with its straight face, without friction.

The face passes through the hinge H and has the angle :math:`\beta` below the x axis. The corner of
the strip slides along it. The force P on the corner is normal to the face,

.. math:: f = -P(\sin\beta, \cos\beta),\qquad
    (c - H)\cdot(\sin\beta, \cos\beta) = 0,

where c is the position of the corner of the strip (:mod:`fecontact.reference.solids.rod`). A point
of the face at the distance :math:`\ell` from the hinge moves down by :math:`u = \ell\sin\beta`. A
vertical force F drives it. The moments about the hinge are balanced,

.. math:: F\,\ell\cos\beta = P\,|c - H|.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive
from fecontact.reference.solids.rod import Rod

ANGLES = 40  # angles of the lever between which forces are interpolated
STAGES = 4  # parts of the angle in which the solution is found


@dataclass(frozen=True, kw_only=True)
class LeverOnStrip:
    """Strip along x with its clamp at x = 0 and its axis at y = 0, in plane strain.

    Parameters
    ----------
    length: of the strip [m]
    thickness: of the strip [m]
    young: E [Pa]
    poisson: ν [-]
    hinge: x of the hinge of the lever, which is at the height of the upper side of the strip [m]
    arm: ℓ, distance of the driven point from the hinge [m]
    travel: displacement u of the driven point, downwards, at the end [m]
    duration: time in which the travel increases linearly [s]
    """

    length: float
    thickness: float
    young: float
    poisson: float
    hinge: float
    arm: float
    travel: float
    duration: float

    def __post_init__(self) -> None:
        require_finite(self, *self.__dataclass_fields__)
        require_positive(self, *(n for n in self.__dataclass_fields__ if n != "poisson"))
        if self.hinge >= self.length:
            raise ValueError(
                f"LeverOnStrip: hinge must be below length = {self.length:g}, not {self.hinge:g}."
            )
        if self.travel >= self.arm:
            raise ValueError(
                f"LeverOnStrip: travel must be below arm = {self.arm:g}, not {self.travel:g}."
            )

    def path(self) -> dict[str, Array]:
        """Return angles β of the lever [rad], the driving force F and the force P [N, per metre of
        depth: N/m], and the displacement of the corner of the strip [m].
        """
        above = self.thickness / 2.0
        rod = Rod(
            length=self.length,
            thickness=self.thickness,
            young=self.young,
            poisson=self.poisson,
            eccentricity=above,
        )
        angle = math.asin(self.travel / self.arm) * np.arange(ANGLES, dtype=float) / (ANGLES - 1)
        force: Array = np.zeros(ANGLES)
        moment: Array = np.zeros(ANGLES)
        for stage in range(1, STAGES + 1):
            beta = angle * stage / STAGES
            sin, cos = np.sin(beta), np.cos(beta)
            to_hinge = sin * self.hinge + cos * above
            force, moment = rod.press(math.pi - beta, (sin, cos), to_hinge, force, moment)
        x, y, _ = rod.bend(force, moment, math.pi - angle)
        reach = cos * (x - self.hinge) - sin * (y - above)
        drive = force * reach / (self.arm * cos)
        return {
            "angle": angle,
            "drive": drive,
            "force": force,
            "x": x - self.length,
            "y": y - above,
        }

    def history(self, t: Array) -> dict[str, Array]:
        """Return the quantities of :meth:`path` over time; the angle is negative (clockwise)."""
        path = self.path()
        share = np.clip(np.asarray(t, dtype=float) / self.duration, 0.0, 1.0)
        angle = np.arcsin(share * self.travel / self.arm)
        found = {name: np.interp(angle, path["angle"], value) for name, value in path.items()}
        return found | {"angle": -found["angle"]}
