"""Jumps of a static analysis with stabilisation: which body, when, how far, and their energy."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh, RunWarning, Scalar
from fecontact.simulation.owners import cells_of
from fecontact.solid.solid import Solid
from fecontact.study.finite_element import FiniteElementStudy

LIMIT = 0.5  # of the energy input: a larger release is not described by a static analysis
NEGLIGIBLE = 1e-6  # of the energy input: a jump that releases less is not reported
MOST = 5  # jumps reported one by one


class Jumps:
    """Jumps of a run so far.

    rows: (n, 5) time, s; node that moves most; its displacement x, y, m; released energy, J.
    """

    def __init__(self, study: FiniteElementStudy, mesh: ModelMesh) -> None:
        self._study, self._mesh = study, mesh
        self.rows: Array = np.zeros((0, 5))

    def follow(self, loop: TimeLoop, solid: Solid) -> bool:
        """Include the jumps of the last step; return True if there are any. Collective."""
        found, loop.jumps = loop.jumps, []
        for jump in found:
            moved = solid.comm.bcast(solid.spread(jump.increment[: solid.size]))
            node = int(np.argmax(np.einsum("nx,nx->n", moved, moved)))
            row = [jump.time, node, *moved[node], jump.energy]
            self.rows = np.concatenate([self.rows, [row]])
        return bool(found)

    def warnings(self, energy: float) -> list[RunWarning]:
        """Return a warning for each jump; energy: input of the run, J."""
        told = [row for row in self.rows if abs(row[4]) > NEGLIGIBLE * energy]
        found = [RunWarning(self._text(row)) for row in told[:MOST]]
        if len(told) > MOST:
            last = told[-1][0]
            text = (
                f"time.stabilisation: {len(told) - MOST} more jumps, the last at t = {last:.6g} s"
            )
            found.append(RunWarning(text))
        return found

    def _text(self, row: Array) -> str:
        time, number, x, y, energy = row
        node = int(number)
        bodies = (n for n in self._study.bodies if node in cells_of(n, self._study, self._mesh))
        place = self._mesh.points[node]
        return (
            f"bodies.{next(bodies)}: the body jumps to another equilibrium at t = {time:.6g} s: "
            f"the point ({place[0]:.6g}, {place[1]:.6g}) m, undeformed, moves by "
            f"({x:.3g}, {y:.3g}) m and {energy:.3g} J are released. The motion in between is not "
            "computed. Use a dynamic time.scheme if it matters."
        )

    def scalars(self, released: float, energy: float) -> dict[str, Scalar]:
        """Return the released energy relative to the energy input, with its limit."""
        meaning = "energy released by jumps (stabilisation), relative to the energy input"
        return {"stabilisation.share": Scalar(abs(released) / energy, "1", meaning, LIMIT)}
