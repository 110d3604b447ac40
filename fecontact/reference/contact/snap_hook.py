r"""Snap hook: an elastic rod whose nose slides over a catch while its root is pushed.

The catch is a plateau between two flanks of angle :math:`\alpha_0`, with rounded edges. Where its
outline has the slope :math:`\alpha` (negative behind the plateau), the force on the sliding nose, a
single point, has the angle :math:`\varphi = \alpha + \arctan\mu` to the normal of the path,
for any material of the hook:

.. math::  F_x = F_y\tan(\alpha + \arctan\mu).

Its magnitude follows from a rod with finite bending, shear and axial deformation
(:mod:`fecontact.reference.solids.rod`), :math:`f = P(-\sin\varphi, \cos\varphi)` being the force on
the nose. Every position of the nose on the outline gives one force and one position of the root.
The hook slides without snapping if the root advances monotonically with the nose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array
from fecontact.reference.checks import require_finite, require_positive
from fecontact.reference.solids.rod import Rod

PLACES = 60  # positions of the nose on each part of the outline


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
                f"SnapHook: height must be above {least:g}, otherwise the nose does not touch "
                f"the flank, not {self.height:g}."
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

    def path(self) -> tuple[Array, Array, Array]:
        """Return positions of the root [m], and the pushing force and the lifting force on
        the nose there [N, per metre of depth: N/m], in the order in which the nose moves over
        the catch.
        """
        x, y, slope = self._outline()
        phi, above = slope + math.atan(self.friction), self.thickness / 2.0
        rod = Rod(
            length=self.length,
            thickness=self.thickness,
            young=self.young,
            poisson=self.poisson,
            eccentricity=-self.nose - above,
        )
        force = 3.0 * rod.bending / self.length**3 * (y + self.nose)
        upwards = np.zeros(len(y)), np.ones(len(y))
        force, moment = rod.press(phi, upwards, y - above, force, force * self.length)
        root = x - rod.bend(force, moment, phi)[0]
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
