"""Quality limits of the path of a static analysis: jumps of contact forces and of bodies.

A static step finds an equilibrium, not necessarily the next one on the path. Two signs of steps
that lose the path:

- the normal force of a pair jumps up and down between steps, by a large part of its peak or many
  times, although no time function reverses there: the contact passes from node to node;
- a step moves a node much farther than all others do, although loads change little in it: bodies
  snap through from one equilibrium to another.
"""

from __future__ import annotations

import numpy as np

from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import RunWarning, wrong
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.timefunctions import function_of_time

JUMP = 0.3  # of the peak force: a rise and a fall of this size in two consecutive steps are a jump
JUMPS = 3  # of a pair: fewer can be a snap-through
ZIGZAG = 0.1  # of the force itself: a rise and a fall of this size are an alternation
ZIGZAGS = 10  # alternations of a pair that are not trusted, for any peak force
NOISE = 0.01  # of the largest peak of all pairs: smaller jumps are not counted
FARTHER = 10.0  # times the motion of an ordinary step
LITTLE = 0.1  # of the range of a function of time: a step with a small load increment
STORED_STEPS = 5  # stored steps with the largest motion


class StaticPath:
    """Static steps of a run so far.

    forces: (2 + JUMPS + 2, pairs) normal forces of the last two steps, the largest jumps, N, the
        number of alternations, and the peak, N.
    steps: (STORED_STEPS, 2) the largest motions of a step with a small load increment, m, and
        their times, s.
    clock: times of the last two steps, s, and number of steps.
    """

    def __init__(self, study: FiniteElementStudy, comm: MPI.Comm) -> None:
        self._comm, self._names = comm, list(study.contact)
        self._functions = [function_of_time(study.functions, name) for name in study.functions]
        times = np.linspace(0.0, study.time.end, 201)
        ranges = [np.ptp([function(t) for t in times]) for function in self._functions]
        self._ranges = np.maximum(np.array(ranges, float), 1e-300)
        self._u: Array | None = None
        self.forces: Array = np.zeros((4 + JUMPS, len(study.contact)))
        self.steps: Array = np.zeros((STORED_STEPS, 2))
        self.clock: Array = np.zeros(3)

    def begin_stage(self) -> None:
        """Discard the last displacements, because another stage has other free dofs."""
        self._u = None

    def resume(self, u: Array) -> None:
        """Continue after a step that ended with these displacements of the bodies, m."""
        self._u = u.copy()

    def follow(self, loop: TimeLoop, size: int) -> None:
        """Include a static step; size: number of free dofs of the bodies. Collective."""
        early, late, count = self.clock
        here = [np.array([f(t) for f in self._functions]) for t in (early, late, loop.time)]
        if len(self._names):
            self._follow_forces(loop, count, here)
        u = loop.now.u[:size]
        if self._u is not None:
            moved = self._comm.allreduce(float(np.abs(u - self._u).max(initial=0.0)), MPI.MAX)
            little = (np.abs(here[2] - here[1]) < LITTLE * self._ranges).all()
            if little and count > 1 and moved > self.steps[-1, 0]:
                self.steps[-1] = moved, loop.time
                self.steps = self.steps[np.argsort(-self.steps[:, 0], kind="stable")]
        self._u = u.copy()
        self.clock = np.array([late, loop.time, count + 1.0])

    def _follow_forces(self, loop: TimeLoop, count: float, here: list[Array]) -> None:
        force = loop.contact.sums()[:, 2]
        first, second = self.forces[:2]
        up, down = second - first, force - second
        turned = (here[1] - here[0]) * (here[2] - here[1]) < 0.0
        if count >= 2 and not turned.any():
            jump = np.where(up * down < 0.0, np.minimum(np.abs(up), np.abs(down)), 0.0)
            jumps = np.sort(np.concatenate([self.forces[2 : 2 + JUMPS], [jump]]), axis=0)
            self.forces[2 : 2 + JUMPS] = jumps[1:]
            size = np.abs([first, second, force]).max(axis=0)
            self.forces[-2] += jump > np.maximum(ZIGZAG * size, NOISE * self.forces[-1].max())
        self.forces[:2] = second, force
        self.forces[-1] = np.maximum(self.forces[-1], force)

    def warnings(self, shortest: float) -> list[RunWarning]:
        """Return a warning for each pair with force jumps, and for a body that snaps through.

        shortest: shortest boundary edge of the mesh, m.
        """
        least, (times, peak) = self.forces[2], self.forces[-2:]
        found = [
            wrong(
                f"contact.{name}: the normal force of this static analysis jumps by "
                f"{least[i]:.3g} N or more between two steps at least {JUMPS} times (peak "
                f"{peak[i]:.3g} N), and by more than {100 * ZIGZAG:g} % of its value "
                f"{times[i]:.0f} times (limit {ZIGZAGS}): contact passes from node to node. "
                "Round sharp corners of the tool or the slave, refine the slave edge, or reduce "
                "time.step."
            )
            for i, name in enumerate(self._names)
            if peak[i] > 0.0 and (least[i] > JUMP * peak[i] or times[i] >= ZIGZAGS)
        ]
        (moved, time), ordinary = self.steps[0], self.steps[-1, 0]
        if moved > max(shortest, FARTHER * ordinary) and ordinary > 0.0:
            found.append(
                RunWarning(
                    f"time.scheme: the static step to t = {time:.4g} s jumps to another "
                    f"equilibrium: nodes move by up to {moved:.3g} m, {moved / ordinary:.2g} times "
                    "as far as in other steps. Use a dynamic time.scheme if the path matters."
                )
            )
        return found
