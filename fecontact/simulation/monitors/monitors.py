"""Run-time diagnostics: strain limits, mesh quality, overlap of bodies and tools, resolution.

The equations of a step do not reveal these errors. They are sampled about 100 times in a run;
bodies without a common contact pair that may come into contact are sampled in every step.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.record import ModelMesh, RunWarning, Scalar, wrong
from fecontact.simulation.monitors.bulk_limits import BulkLimits
from fecontact.simulation.monitors.chords import ChordErrors
from fecontact.simulation.monitors.energy_limits import Resolution
from fecontact.simulation.monitors.error_estimate import Coarseness
from fecontact.simulation.monitors.overlap import FAR, BodyOverlap
from fecontact.simulation.monitors.penetration import PenetrationShare
from fecontact.simulation.monitors.phase import PhaseError
from fecontact.simulation.monitors.tool_overlap import ToolOverlap
from fecontact.simulation.monitors.warnings import LOCKS, locked_bodies
from fecontact.solid.solid import Solid
from fecontact.study.finite_element import FiniteElementStudy


class Monitors:
    """Samples of a run so far.

    needs_every_step: True if steps between two samples matter.
    axis: distance by which nodes have crossed the symmetry axis, m, and its time, s.
    steps: number of steps since the last sample.
    """

    def __init__(self, study: FiniteElementStudy, mesh: ModelMesh) -> None:
        self._study, self._linear = study, mesh.cells.shape[1] <= 4
        cells = {n: mesh.cell_groups[b.cells or n] for n, b in study.bodies.items()}
        none, laws = (
            np.empty(0, np.int64),
            {n: study.materials[study.bodies[n].material] for n in cells},
        )
        finite = np.concatenate([none, *(cells[name] for name in study.finite)])
        small = [cells[name] for name, law in laws.items() if law.finite and law.small_strain]
        rotating = np.concatenate([none, *small])
        rings = np.full(len(mesh.cells), study.axisymmetric)
        rings[np.concatenate([none, *(cells[name] for name in study.sheets)])] = False
        self._strains = BulkLimits(mesh, rings, finite, rotating, study.corotational)
        groups = mesh.edge_groups
        paired = [
            (groups[pair.slave][0, 0], groups[pair.master][0, 0])
            for pair in study.contact.values()
            if pair.master in groups and pair.master not in study.tools
        ]
        nodes = np.array(paired, np.int64).reshape(-1, 2)
        layers = {name: body.layer for name, body in study.bodies.items()}
        self._bodies = BodyOverlap(mesh, cells, finite, nodes, layers, study.sheets)
        self._tools = ToolOverlap(mesh, self._bodies.shortest, len(study.contact))
        on_springs = bool(study.springs or study.foundations)
        self._penetration = PenetrationShare(mesh, not on_springs)
        self._chords = ChordErrors(study, mesh, not on_springs)
        self._coarseness = Coarseness(len(study.bodies))
        locked = locked_bodies(study, mesh)
        self._locked = {name: text for name, ratio, text in locked if ratio >= LOCKS}
        at_rest = all(support.function is None for support in study.supports.values())
        self.resolution = Resolution(at_rest and not study.corotational and not study.finite)
        self.phase = PhaseError()
        # Largest neglected energy, J, relative residual and strain energy, J, of a reduced model.
        self.reduction: Array = np.zeros(3)
        self.needs_every_step = self._bodies.has_unpaired_bodies
        self._radius = mesh.points[:, 0]
        self.axis: Array = np.zeros(2)
        self.steps, self._due = 0, FAR

    @property
    def shortest(self) -> float:
        """Return the shortest boundary edge of the mesh, m."""
        return self._bodies.shortest

    def sample(self, solid: Solid, loop: TimeLoop, step: float, displacement: Array) -> None:
        """Include the current state after a step of the given size, s. Collective.

        displacement: of all nodes (N, 2), m, on rank 0.
        """
        u, t, steps = loop.now.u[: solid.size], loop.time, self.steps
        self.resolution.sample(loop, step)
        self._sample_reduction(solid, loop)
        straining = solid.deformation(u)
        strained = displacement if straining is u else solid.nodal(straining, t)
        if solid.comm.rank == 0:
            self._strains.sample(strained, t)
            self._bodies.sample(displacement, t, loop.contact.recession, steps)
            self._tools.sample(loop.contact, displacement, t, steps)
            self._penetration.sample(loop)
            self._chords.sample(loop)
            if self._study.axisymmetric:
                self._sample_axis(displacement, t)
        # The state at t = 0 need not be an equilibrium.
        if t > 0.0 and self._coarseness.due(loop.ledger.strain):
            self._coarseness.sample(solid.energy_error_estimate(u, t), t)
        self._plan(solid, loop)

    def _sample_reduction(self, solid: Solid, loop: TimeLoop) -> None:
        """Include the error of a reduced model. Collective."""
        if self._study.reduced:
            own, now = solid.size, loop.now
            contact = loop.forces_on_dofs()[: solid.surface.size]
            motion = now.u[:own], now.v[:own], now.a[:own]
            found = solid.reduction_error(motion, contact, loop.time)
            self.reduction = np.maximum(self.reduction, (*found, loop.ledger.strain))

    def follow(self, solid: Solid, loop: TimeLoop) -> None:
        """Sample the overlap of bodies if those without a common pair may overlap. Collective."""
        if self.steps < self._due:
            return
        displacement = solid.nodal(loop.now.u[: solid.size], loop.time)
        if solid.comm.rank == 0:
            recession = loop.contact.recession
            self._bodies.sample(displacement, loop.time, recession, self.steps)
        self._plan(solid, loop)

    def _plan(self, solid: Solid, loop: TimeLoop) -> None:
        """Choose the next sampling time of bodies without a common pair. Collective."""
        self.steps = 0
        if not self.needs_every_step:
            return
        velocity = solid.nodal(loop.now.v[: solid.size], loop.time, 1)
        steps = FAR
        if solid.comm.rank == 0:
            steps = self._bodies.pace(velocity * loop.scheme.longest)
        self._due = solid.comm.bcast(steps)

    def _sample_axis(self, displacement: Array, time: float) -> None:
        crossed = -float((self._radius + displacement[:, 0]).min())
        if crossed > self.axis[0]:
            self.axis = np.array([crossed, time])

    def warnings(self, loop: TimeLoop, energy: float, overlap: float) -> list[RunWarning]:
        """Return a warning for each exceeded limit.

        energy: energy input of the run, J.
        overlap: limit of overlap, in shortest edges.
        """
        return [
            *self._strains.warnings(),
            *self._bodies.warnings(overlap),
            *self._tools.warnings(loop.contact.pairs, overlap),
            *self._beyond_axis(overlap),
            *self._penetration.warnings(),
            *self._chords.warnings(),
            *self._coarseness.warnings(
                list(self._study.bodies), self._linear, energy, self._locked
            ),
        ]

    def _beyond_axis(self, overlap: float) -> list[RunWarning]:
        crossed, time = self.axis
        if crossed <= overlap * self._bodies.shortest:
            return []
        return [
            wrong(
                f"plane: nodes cross the axis of symmetry by up to {crossed:.3g} m (t = {time:.4g} "
                "s): the body overlaps itself there. Constrain the inner edge, for example by "
                "contact with a rigid tool along x = 0"
            )
        ]

    def scalars(self, overlap: float) -> dict[str, Scalar]:
        """Return the overlaps of a run with their quality limit.

        overlap: limit, in shortest edges.
        """
        found = {}
        if self._bodies.possible:
            found["overlap"] = self._bodies.scalar(overlap)
        if self._study.tools:
            found["overlap.tools"] = self._tools.scalar(overlap)
        return found

    def state(self) -> dict[str, Array]:
        """Return the state needed to resume a run."""
        return {
            "strains": self._strains.largest,
            "bodies": self._bodies.deepest,
            "tools": self._tools.deepest,
            "between": self._tools.between,
            "on_edges": self._tools.on_edges,
            "touched": self._tools.touched,
            "place": self._tools.place,
            "axis": self.axis,
            "penetration": self._penetration.found,
            "chords": self._chords.work,
            "chord_pressures": self._chords.pressures,
            "pace": np.array([self.steps, self._due], float),
            "coarseness": self._coarseness.found,
            "resolution": self.resolution.sum,
            "phase": self.phase.state(),
            "reduction": self.reduction,
        }

    def restore(self, state: dict[str, Array]) -> None:
        """Restore a state."""
        self._strains.largest = np.array(state["strains"])
        self._bodies.deepest = np.array(state["bodies"])
        self._tools.deepest = np.array(state["tools"])
        self._tools.between = np.array(state["between"])
        self._tools.on_edges = np.array(state["on_edges"])
        self._tools.touched = np.array(state["touched"])
        self._tools.place = np.array(state["place"])
        self.axis = np.array(state["axis"])
        self._penetration.found = np.array(state["penetration"])
        self._chords.work = np.array(state["chords"])
        self._chords.pressures = np.array(state["chord_pressures"])
        self.steps, self._due = map(int, state["pace"])
        self._coarseness.found = np.array(state["coarseness"])
        self.resolution.sum = np.array(state["resolution"])
        self.phase.restore(state["phase"])
        self.reduction = np.array(state["reduction"])
