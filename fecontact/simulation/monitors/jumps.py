"""Jumps of a static analysis with stabilisation: which body, when, how far, and their energy.

A body jumps in damped steps (:mod:`fecontact.dynamics.steps.stabilised`), or where the contact
solver itself finds the next equilibrium, for example of a body that slips to a wall. The latter is
a step that moves a node much farther than the last one and releases energy.
"""

from __future__ import annotations

import numpy as np

from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.dynamics.steps.stabilised import RELEASED, Jump
from fecontact.record import ModelMesh, RunWarning, Scalar
from fecontact.simulation.owners import cells_of
from fecontact.solid.solid import Solid
from fecontact.study.finite_element import FiniteElementStudy

LIMIT = 0.5  # of the energy input: a larger release is not described by a static analysis
NEGLIGIBLE = 1e-3  # of the energy input: a jump that releases less is not reported
FARTHER = 10.0  # times as fast as in the last step
MAX_REPORTED = 5  # jumps reported one by one


class Jumps:
    """Jumps of a run so far.

    rows: (n, 5) time, s; node that moves most; its displacement x, y, m; released energy, J.
    last: (4,) time of the last step, s, its largest velocity, m/s, released energy, and work of
        loads without friction, J.
    """

    def __init__(self, study: FiniteElementStudy, mesh: ModelMesh) -> None:
        self._study, self._mesh = study, mesh
        self.rows: Array = np.zeros((0, 5))
        self.last: Array = np.zeros(4)

    def follow(self, loop: TimeLoop, solid: Solid) -> bool:
        """Include the jumps of the last step; return True if there are any. Collective."""
        found, loop.jumps = loop.jumps, []
        moved = loop.now.u - loop.before.u
        own = float(np.abs(moved[: solid.size]).max(initial=0.0))
        farthest = float(solid.comm.allreduce(own, MPI.MAX))
        before, speed, spent, work = self.last
        ledger, size = loop.ledger, loop.time - before
        lost = ledger.numerical + ledger.contact_loss
        done = ledger.external_work - ledger.friction
        self.last = np.array([loop.time, farthest / size if size > 0.0 else 0.0, lost, done])
        far = 0.0 < FARTHER * speed < self.last[1] and not found
        if far and lost - spent > RELEASED * abs(done - work):
            found = [Jump(loop.time, moved, lost - spent)]
        for jump in found:
            nodal = solid.comm.bcast(solid.spread(jump.increment[: solid.size]))
            node = int(np.argmax(np.einsum("nx,nx->n", nodal, nodal)))
            row = [jump.time, node, *nodal[node], jump.energy]
            self.rows = np.concatenate([self.rows, [row]])
        return bool(found)

    def warnings(self, energy: float) -> list[RunWarning]:
        """Return a warning for each jump; energy: input of the run, J."""
        reported = [row for row in self.rows if abs(row[4]) > NEGLIGIBLE * energy]
        found = [RunWarning(self._text(row)) for row in reported[:MAX_REPORTED]]
        if len(reported) > MAX_REPORTED:
            last, others = reported[-1][0], len(reported) - MAX_REPORTED
            text = f"time.stabilization: {others} more jumps, the last at t = {last:.6g} s"
            found.append(RunWarning(text))
        return found

    def _text(self, row: Array) -> str:
        time, number, x, y, energy = row
        node = int(number)
        bodies = (n for n in self._study.bodies if node in cells_of(n, self._study, self._mesh))
        place = self._mesh.points[node]
        return (
            f"bodies.{next(bodies)}: the body jumps to another equilibrium at t = {time:.6g} s: "
            f"the point ({place[0]:.6g}, {place[1]:.6g}) m, undeformed, moves by ({x:.3g}, "
            f"{y:.3g}) m and {energy:.3g} J are released. The motion in between is not computed. "
            "Use a dynamic time.scheme if it matters."
        )

    def scalars(self, released: float, energy: float) -> dict[str, Scalar]:
        """Return the released energy relative to the energy input, with its limit."""
        meaning = "energy released by jumps (stabilisation), relative to the energy input"
        return {"stabilization.share": Scalar(abs(released) / energy, "1", meaning, LIMIT)}
