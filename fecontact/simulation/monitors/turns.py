"""How far bodies have turned since the start, over any number of turns."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.solid.corotational.model import CorotationalModel
from fecontact.solid.output.rotation import MeasuredRotation


class Turns:
    """The angles of all turning parts, rad, followed from step to step.

    A frame knows its angle up to whole turns; a body turns by less than half of one in a step.
    farthest: the largest angle of a step so far; way: how far one has turned, to and fro, rad.
    """

    def __init__(self, solid: CorotationalModel | MeasuredRotation) -> None:
        self.solid = solid
        self.angles: Array = np.zeros(len(solid.angles(solid.initial()[0])))
        self.farthest, self.way = 0.0, 0.0

    def follow(self, u: Array) -> None:
        """Take account of a step that ended with displacements u; collective."""
        more = self.solid.angles(u) - self.angles
        more -= 2.0 * np.pi * np.round(more / (2.0 * np.pi))
        self.angles += more
        self.farthest = max(self.farthest, float(np.abs(more).max()))
        self.way += float(np.abs(more).max())

    def state(self) -> Array:
        """Angles, the largest one of a step, and the way."""
        return np.append(self.angles, [self.farthest, self.way])

    def restore(self, state: Array) -> None:
        """Return to a state."""
        self.angles = np.array(state[:-2])
        self.farthest, self.way = float(state[-2]), float(state[-1])
