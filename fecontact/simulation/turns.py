"""How far bodies have turned since the start, over any number of turns."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.solid.turning import TurningSolid


class Turns:
    """The angles of all turning parts, rad, followed from step to step.

    A frame knows its angle up to whole turns; a body turns by less than half of one in a step.
    farthest: the largest angle of a step so far, rad.
    """

    def __init__(self, solid: TurningSolid) -> None:
        self.solid = solid
        self.angles: Array = np.zeros(len(solid.angles(solid.initial()[0])))
        self.farthest = 0.0

    def follow(self, u: Array) -> None:
        """Take account of a step that ended with displacements u; collective."""
        more = self.solid.angles(u) - self.angles
        more -= 2.0 * np.pi * np.round(more / (2.0 * np.pi))
        self.angles += more
        self.farthest = max(self.farthest, float(np.abs(more).max()))

    def state(self) -> Array:
        """Angles and the largest one of a step."""
        return np.append(self.angles, self.farthest)

    def restore(self, state: Array) -> None:
        """Return to a state."""
        self.angles, self.farthest = np.array(state[:-1]), float(state[-1])
