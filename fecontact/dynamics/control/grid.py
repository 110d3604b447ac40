"""Times of a run: equal steps without drift, required times, and cutback of failed steps.

Between stations (multiples of the step after the start, required times, the end) the loop makes one
step. A failed step is cut into n parts, and a failed part into n parts again. After the last part
the loop is at the station, and the next step is a whole one.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from fecontact.arrays import Array

TIME_TOLERANCE = 1e-9  # fraction of a step below which two times are equal


class StepGrid:
    """Current time of a run and its next step."""

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
        self._index = 0  # index of the last multiple of the step that was reached
        self.time = start
        self._levels: list[list[float]] = []  # cut steps: start, end, part size, parts done
        self.cuts = 0

    @property
    def finished(self) -> bool:
        """Return True at the end of the run."""
        return self.time >= self.end

    @property
    def depth(self) -> int:
        """Return how often the next step has been cut back."""
        return len(self._levels)

    @property
    def whole(self) -> bool:
        """Return True at a station, False between the parts of a cut step."""
        return not self._levels

    @property
    def is_output_time(self) -> bool:
        """Return True if histories include the current time; here that of every step."""
        return True

    def _station(self) -> tuple[float, float]:
        """Return the next station and the step to it from the current one."""
        following = self.start + (self._index + 1) * self.step
        milestone = self._required_times[bisect_right(self._required_times, self.time)]
        if milestone < following - TIME_TOLERANCE * self.step:
            return milestone, milestone - self.time
        target = milestone if milestone < following + TIME_TOLERANCE * self.step else following
        on_grid = abs(self.time - self.start - self._index * self.step) < TIME_TOLERANCE * self.step
        return target, self.step if on_grid else target - self.time

    def next(self) -> tuple[float, float]:
        """Return end and size of the next step."""
        if not self._levels:
            return self._station()
        start, end, part, done = self._levels[-1]
        return (start + (done + 1) * part if done + 1 < self.parts else end), part

    def cut(self) -> bool:
        """Cut the next step into parts; return False if they would be too short."""
        target, size = self.next()
        if size / self.parts < self.minimum:
            return False
        self._levels.append([self.time, target, size / self.parts, 0])
        self.cuts += 1
        return True

    def accept(self) -> None:
        """Advance to the end of the completed step."""
        target, _ = self.next()
        while self._levels:
            self._levels[-1][3] += 1
            if self._levels[-1][3] < self.parts:
                break
            self._levels.pop()
        self._pass(target)

    def _pass(self, target: float) -> None:
        """Set the current time, s."""
        self.time = target
        if target >= self.start + (self._index + 1) * self.step - TIME_TOLERANCE * self.step:
            self._index += 1

    def state(self) -> dict[str, Array]:
        """Return the state as plain arrays."""
        levels = np.array(self._levels, float).reshape(-1, 4)
        return {
            "grid": np.array([self._index, self.time, self.cuts], float),
            "grid_levels": levels,
        }

    def restore(self, state: dict[str, Array]) -> None:
        """Restore a state."""
        self._index, self.cuts = int(state["grid"][0]), int(state["grid"][2])
        self.time = float(state["grid"][1])
        self._levels = [list(map(float, level)) for level in state["grid_levels"]]
