"""Control of the step size: the interface, and steps of constant size."""

from __future__ import annotations

from fecontact.arrays import Statuses
from fecontact.dynamics.motion import Motion
from fecontact.dynamics.statistics import Statistics


class Control:
    """Step-size control; the base class keeps the sizes constant."""

    adaptive = False

    def begin(self, statistics: Statistics, kinetic: float) -> None:
        """Continue from the statistics of another loop or of a saved state."""

    def judge(
        self,
        size: float,
        motions: tuple[Motion, Motion],
        statuses: tuple[Statuses, Statuses],
        kinetic: float,
        statistics: Statistics,
    ) -> None:
        """Choose the size of the next step, or raise StepRejected.

        motions, statuses: at the start and at the end of a solved step;
        kinetic: energy at its end, J.
        """

    def proceed(self, statistics: Statistics) -> None:
        """Set the size of the next step after a completed step."""
