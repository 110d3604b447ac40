"""Control of the step size: the interface, and steps of constant size."""

from __future__ import annotations

from fecontact.arrays import Statuses
from fecontact.dynamics.motion import Motion
from fecontact.dynamics.statistics import Statistics


class Control:
    """Choice of the step sizes; the base class leaves them as they are."""

    adaptive = False

    def begin(self, statistics: Statistics, kinetic: float) -> None:
        """Continue where another loop, or this one before it was restored, has stopped."""

    def judge(
        self,
        size: float,
        motions: tuple[Motion, Motion],
        statuses: tuple[Statuses, Statuses],
        kinetic: float,
        statistics: Statistics,
    ) -> None:
        """Choose the size of the next step, or raise TooLong; motions and contact statuses: at the
        start and at the end of a solved step, kinetic: energy there, J."""

    def proceed(self, statistics: Statistics) -> None:
        """Set the size of the next step, after the last one has been made."""
