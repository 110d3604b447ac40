"""What is looked at now and then in a run, because no equation of a step would tell: strains beyond
those of linear bodies, meshes too coarse for the stresses, bodies inside each other and inside
tools."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh, RunWarning, Scalar
from fecontact.simulation.bulk_limits import BulkLimits
from fecontact.simulation.coarseness import Coarseness
from fecontact.simulation.energy_limits import Resolution
from fecontact.simulation.overlap import BodyOverlap
from fecontact.simulation.tool_overlap import ToolOverlap
from fecontact.solid.solid import Solid
from fecontact.study.finite_element import FiniteElementStudy


class Looks:
    """The looks of a run so far."""

    def __init__(self, study: FiniteElementStudy, mesh: ModelMesh) -> None:
        self._study, self._linear = study, mesh.cells.shape[1] <= 4
        cells = {n: mesh.cell_groups[b.cells or n] for n, b in study.bodies.items()}
        finite = np.concatenate([np.empty(0, np.int64), *(cells[name] for name in study.finite)])
        self._strains = BulkLimits(mesh, study.axisymmetric, finite, study.turning)
        self._bodies = BodyOverlap(mesh, cells)
        self._tools = ToolOverlap(mesh, self._bodies.shortest)
        self._coarseness = Coarseness(len(study.bodies))
        self.resolution = Resolution()

    def look(self, solid: Solid, loop: TimeLoop, step: float) -> None:
        """Take account of the present state, after a step of the given size, s. Collective."""
        self.resolution.sample(loop, step)
        u, t = loop.now.u[: solid.size], loop.time
        displacement = solid.nodal(u, t)
        strained = solid.nodal(solid.deformation(u), t)
        if solid.comm.rank == 0:
            self._strains.look(strained, t)
            self._bodies.look(displacement, t, loop.contact.sunken)
            self._tools.look(loop.contact, displacement, t)
        if self._coarseness.due(loop.ledger.strain):
            self._coarseness.look(solid.roughness(u, t), t)

    def warnings(self, loop: TimeLoop, energy: float, overlap: float) -> list[RunWarning]:
        """One sentence for each limit that was left; energy: put into the run, J; overlap: its
        limit, in shortest edges."""
        return [
            *self._strains.warnings(),
            *self._bodies.warnings(overlap),
            *self._tools.warnings(loop.contact.pairs, overlap),
            *self._coarseness.warnings(list(self._study.bodies), self._linear, energy),
        ]

    def scalars(self, overlap: float) -> dict[str, Scalar]:
        """Numbers that tell how far the run is to be trusted; overlap: as above."""
        found = {}
        if len(self._study.bodies) > 1:
            found["overlap"] = self._bodies.scalar(overlap)
        if self._study.tools:
            found["overlap.tools"] = self._tools.scalar(overlap)
        return found

    def state(self) -> dict[str, Array]:
        """What a run that goes on must know."""
        return {
            "strains": self._strains.largest,
            "bodies": self._bodies.deepest,
            "tools": self._tools.deepest,
            "coarseness": self._coarseness.found,
            "resolution": self.resolution.sum,
        }

    def restore(self, state: dict[str, Array]) -> None:
        """Return to a state."""
        self._strains.largest = np.array(state["strains"])
        self._bodies.deepest = np.array(state["bodies"])
        self._tools.deepest = np.array(state["tools"])
        self._coarseness.found = np.array(state["coarseness"])
        self.resolution.sum = np.array(state["resolution"])
