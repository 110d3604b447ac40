"""Accumulated rotation of bodies since the start, over any number of revolutions."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.solid.corotational.model import CorotationalModel
from fecontact.solid.output.rotation import MeasuredRotation


class Turns:
    """Angles of all corotational parts, rad, tracked from step to step.

    A frame determines its angle modulo 2π; a body rotates by less than π in a step.

    farthest: largest rotation in a step so far, rad.
    travel: sum over all steps of the largest absolute rotation in the step, rad.
    """

    def __init__(self, solid: CorotationalModel | MeasuredRotation) -> None:
        self.solid = solid
        self.angles: Array = np.zeros(len(solid.angles(solid.initial()[0])))
        self.farthest, self.travel = 0.0, 0.0

    def follow(self, u: Array) -> None:
        """Include a step that ended with displacements u; collective."""
        more = self.solid.angles(u) - self.angles
        more -= 2.0 * np.pi * np.round(more / (2.0 * np.pi))
        self.angles += more
        self.farthest = max(self.farthest, float(np.abs(more).max()))
        self.travel += float(np.abs(more).max())

    def state(self) -> Array:
        """Return the angles, the largest rotation in a step, and the accumulated rotation."""
        return np.append(self.angles, [self.farthest, self.travel])

    def restore(self, state: Array) -> None:
        """Restore a state."""
        self.angles = np.array(state[:-2])
        self.farthest, self.travel = float(state[-2]), float(state[-1])
