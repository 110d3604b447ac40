"""The times of a run: even steps that do not drift, required times, and steps cut in parts.

Between stations (multiples of the step after the start, required times, the end) the loop makes one
step. A step that fails is cut in n parts, a part that fails in n parts again; after the last part
the loop is back on the station, and the next step is a whole one again.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from fecontact.arrays import Array

SAME = 1e-9  # share of a step below which two times are the same


class StepGrid:
    """Where the run is, and the next step."""

    def __init__(
        self,
        step: float,
        end: float,
        required_times: tuple[float, ...],
        cut: int,
        minimum: float,
        start: float = 0.0,
    ) -> None:
        self.step, self.start, self.end, self.minimum, self.parts = step, start, end, minimum, cut
        self._required_times = sorted({m for m in required_times if start < m < end} | {end})
        self._index = 0  # the last multiple of the step that was passed
        self.time = start
        self._levels: list[list[float]] = []  # of cut steps: start, end, size of a part, parts done
        self.cuts = 0

    @property
    def finished(self) -> bool:
        """True at the end of the run."""
        return self.time >= self.end

    @property
    def whole(self) -> bool:
        """True at a station, False between the parts of a cut step."""
        return not self._levels

    @property
    def is_output_time(self) -> bool:
        """Whether histories count the present time: here that of every step."""
        return True

    def _station(self) -> tuple[float, float]:
        """The next station and the step to it from the present one."""
        following = self.start + (self._index + 1) * self.step
        milestone = self._required_times[bisect_right(self._required_times, self.time)]
        if milestone < following - SAME * self.step:
            return milestone, milestone - self.time
        target = milestone if milestone < following + SAME * self.step else following
        on_grid = abs(self.time - self.start - self._index * self.step) < SAME * self.step
        return target, self.step if on_grid else target - self.time

    def next(self) -> tuple[float, float]:
        """End and size of the step to be tried."""
        if not self._levels:
            return self._station()
        start, end, part, done = self._levels[-1]
        return (start + (done + 1) * part if done + 1 < self.parts else end), part

    def cut(self) -> bool:
        """Cut the step to be tried in parts; False if they would be too short."""
        target, size = self.next()
        if size / self.parts < self.minimum:
            return False
        self._levels.append([self.time, target, size / self.parts, 0])
        self.cuts += 1
        return True

    def accept(self) -> None:
        """The step to be tried has been made."""
        target, _ = self.next()
        while self._levels:
            self._levels[-1][3] += 1
            if self._levels[-1][3] < self.parts:
                break
            self._levels.pop()
        self._pass(target)

    def _pass(self, target: float) -> None:
        """Be at a time, s."""
        self.time = target
        if target >= self.start + (self._index + 1) * self.step - SAME * self.step:
            self._index += 1

    def state(self) -> dict[str, Array]:
        """Where the run is, as plain arrays."""
        levels = np.array(self._levels, float).reshape(-1, 4)
        return {
            "grid": np.array([self._index, self.time, self.cuts], float),
            "grid_levels": levels,
        }

    def restore(self, state: dict[str, Array]) -> None:
        """Return to a state."""
        self._index, self.cuts = int(state["grid"][0]), int(state["grid"][2])
        self.time = float(state["grid"][1])
        self._levels = [list(map(float, level)) for level in state["grid_levels"]]
