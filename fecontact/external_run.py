"""Run of a loop around user-defined matrices or forms, with histories, fields and report.

The result has the same parts as that of a study: energies and contact forces over time, contact
surfaces, displacements, velocities and (if the user supplies it) stress, key figures, a verdict.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np

import ufl
from dolfinx import fem, plot
from petsc4py import PETSc

from fecontact import compat
from fecontact.arrays import Array, Integers
from fecontact.dynamics.checked_loop import LIMITS, CheckedLoop
from fecontact.external import PetscBulk
from fecontact.record import FieldSeries, History, ModelMesh, RunRecord, Scalar
from fecontact.results.folder.result import Result
from fecontact.simulation.output.append_buffer import AppendBuffer
from fecontact.simulation.output.history import LEDGER
from fecontact.simulation.output.peaks import Peaks
from fecontact.simulation.output.snapshots import Surfaces
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.load import study_from_dict
from fecontact.study.output_names import OF_A_PAIR
from fecontact.study.plugins import reading

BODIES = "bodies"
MEANINGS = {
    "energy.gain": "largest spurious energy gain, relative to the energy input",
    "energy.balance_error": "largest error of the energy balance, relative to the energy input",
    "residual.equilibrium": "largest residual of the equations of motion, relative to the forces",
}
UNCHECKED = "own forms: strains, mesh quality and overlap outside the contact pairs are not checked"
Stress = Callable[[fem.Function], Any]
"""Displacement ↦ stress tensor, 2 × 2 or 3 × 3, in UFL, Pa."""


def run_loop(
    loop: CheckedLoop,
    title: str = "own forms",
    *,
    fields_every: int = 1,
    stress: Stress | None = None,
) -> Result:
    """Advance a loop of :func:`contact_loop` to its end and return the result.

    fields_every: fields are saved at every n-th step; 0 for none. stress: displacement ↦ Cauchy
    stress in UFL, for the view and the key figures (projected to the nodes). Fields are saved on
    rank 0. Collective.

    >>> result = fecontact.run_loop(loop, "Pad under a punch", stress=sigma)
    >>> result.save("results/pad")                    # writes report.html, CSV and ParaView files
    """
    if not isinstance(loop, CheckedLoop) or loop.model is None:
        raise InputError("run_loop: loop must come from fecontact.contact_loop.")
    saved = _Saved(loop, title, stress)
    started = clock.perf_counter()
    saved.keep(0.0, 0, fields_every > 0)
    steps = 0
    while not loop.finished:
        report = loop.advance()
        steps += 1
        due = fields_every > 0 and (steps % fields_every == 0 or loop.finished)
        saved.keep(report.step, report.iterations, due)
    record = saved.record()
    record.timings["steps"] = clock.perf_counter() - started
    return Result.of(saved.study, record, [])


class _Saved:
    """Histories, surfaces and fields of a loop so far."""

    def __init__(self, loop: CheckedLoop, title: str, stress: Stress | None) -> None:
        self._loop, bulk = loop, loop.model
        assert isinstance(bulk, PetscBulk)
        self._bulk, self._comm = bulk, bulk.comm
        self.study = _study(loop, title)
        self._nodes = _Nodes(bulk)
        self._stress = None if stress is None else _Projection(bulk, stress)
        self._surfaces = Surfaces(loop)
        self._peaks = Peaks(self.study, self._nodes.mesh)
        self._peaks.begin_stage(loop.contact)
        energies = self.study.energies
        self._ledger = attrgetter(*(LEDGER.get(name, name) for name in energies))
        self._units = {f"energy.{name}": "J/m" for name in energies}
        for names, unit in ((OF_A_PAIR[:2], "N/m"), (OF_A_PAIR[2:], "1")):
            pairs = self.study.contact
            self._units |= {f"contact.{pair}.{name}": unit for pair in pairs for name in names}
        self._units |= {"solver.step": "s", "solver.iterations": "1"}
        self._table = AppendBuffer((1 + len(self._units),))
        self._times: list[float] = []
        self._fields: dict[str, list[Array]] = {"displacement": [], "velocity": [], "stress": []}

    def keep(self, step: float, iterations: int, fields: bool) -> None:
        """Save the current state. Collective."""
        loop = self._loop
        sums, surface = loop.contact.sums(), loop.contact.surface_state()
        row = [loop.time, *self._ledger(loop.ledger), *sums[:, 2:4].ravel(), *sums[:, 4:].ravel()]
        self._table.append(np.array([*row, step, iterations]))
        self._surfaces.keep(surface)
        self._peaks.follow(loop, surface)
        if not fields:
            return
        moved = self._bulk.displacement(loop.now.u)
        found = {"displacement": self._nodes.gathered(moved)}
        self._peaks.take_motion(found["displacement"], self._comm, loop.time)
        found["velocity"] = self._nodes.gathered(self._bulk.velocity(loop.now.v))
        found["stress"] = np.zeros((len(found["velocity"]), 4))
        if self._stress is not None:
            both = [self._nodes.gathered(part) for part in self._stress(moved)]
            found["stress"] = np.hstack(both)[:, [0, 1, 2, 3]]
            self._peaks.take(found["stress"], self._comm, loop.time)
        self._times.append(loop.time)
        for name, values in found.items():
            self._fields[name].append(values)

    def record(self) -> RunRecord:
        """Return the results so far."""
        loop, rows = self._loop, self._table.rows
        columns = {name: rows[:, i].copy() for i, name in enumerate(self._units, 1)}
        figures = [f for f in self._peaks.figures() if self._stress or f.unit != "Pa" or f.node]
        fields = None
        if self._times and self._comm.rank == 0:
            saved = {name: np.array(values) for name, values in self._fields.items()}
            fields = FieldSeries(np.array(self._times), **saved)
        quality = loop.quality
        return RunRecord(
            history=History(rows[:, 0].copy(), columns, dict(self._units)),
            scalars={
                name: Scalar(value, "1", MEANINGS[name], LIMITS[name])
                for name, value in quality.items()
            }
            | {f.name: Scalar(f.value, f.unit, f"{f.label} of the run") for f in figures},
            key_figures=figures,
            mesh=self._nodes.mesh,
            fields=fields,
            surfaces=self._surfaces.series(),
            notes=[UNCHECKED],
            statistics=loop.statistics.as_dict(False),
        )


def _study(loop: CheckedLoop, title: str) -> FiniteElementStudy:
    """Return the tables of a loop as a study, for the report; it cannot be run."""
    own = {"law": "registered", "energy": "own forms", "values": {}, "density": 0.0}
    data = {
        "title": title,
        "kind": "finite-element",
        "mesh": {"file": "own-forms.msh"},
        "materials": {"own": own},
        "bodies": {BODIES: {"material": "own"}},
        **{name: table for name, table in loop.tables.items() if table},
    }
    with reading():
        study = study_from_dict(data)
    assert isinstance(study, FiniteElementStudy)
    return study


class _Nodes:
    """Nodes of a space, numbered as in its contact surfaces: mesh on every rank, fields on rank 0.

    mesh: all cells of all ranks, without the central nodes of nine-node quadrilaterals.
    """

    def __init__(self, bulk: PetscBulk) -> None:
        space, self._comm = bulk.space, bulk.comm
        index_map = space.dofmap.index_map
        self._owned, self._count = index_map.size_local, index_map.size_global
        self._first = index_map.local_range[0]
        own = space.tabulate_dof_coordinates()[: self._owned, :2]
        points = np.concatenate(self._comm.allgather(np.ascontiguousarray(own)))
        cells = np.concatenate(self._comm.allgather(_cells(space)))
        groups: dict[str, Integers] = {BODIES: np.arange(len(cells))}
        self.mesh = ModelMesh(points, cells, groups, dict(bulk.edges), {})

    def gathered(self, function: fem.Function) -> Array:
        """Return nodal values (N, 2) of a function, on rank 0; zeros elsewhere. Collective."""
        own = function.x.array[: 2 * self._owned].reshape(-1, 2)
        parts = self._comm.gather(np.array(own))
        return np.zeros((self._count, 2)) if parts is None else np.concatenate(parts)


def _cells(space: fem.FunctionSpace) -> Integers:
    """Return the cells that this rank owns, in VTK order, with global node numbers."""
    topology, _, _ = plot.vtk_mesh(space)
    width = int(topology[0])
    cells = topology.reshape(-1, width + 1)[:, 1:]
    kept = cells[: space.mesh.topology.index_map(2).size_local, : 8 if width == 9 else width]
    numbers = space.dofmap.index_map.local_to_global(kept.ravel().astype(np.int32))
    return np.asarray(numbers, dtype=np.int64).reshape(kept.shape)


class _Projection:
    """L2 projection of a stress tensor to the nodes: (xx, yy) and (zz, xy) as two vectors."""

    def __init__(self, bulk: PetscBulk, stress: Stress) -> None:
        space = bulk.space
        v, w = ufl.TestFunction(space), ufl.TrialFunction(space)
        self._u = fem.Function(space)
        tensor = stress(self._u)
        zz = tensor[2, 2] if tensor.ufl_shape == (3, 3) else 0.0 * tensor[0, 0]
        pairs = ((tensor[0, 0], tensor[1, 1]), (zz, tensor[0, 1]))
        self._forms = [fem.form(ufl.inner(ufl.as_vector(p), v) * ufl.dx) for p in pairs]
        self._solver = PETSc.KSP().create(space.mesh.comm)
        self._solver.setOperators(compat.assemble_matrix(ufl.inner(v, w) * ufl.dx))
        self._solver.setType("preonly")
        self._solver.getPC().setType("lu")
        self._solver.getPC().setFactorSolverType("mumps")

    def __call__(self, displacement: fem.Function) -> list[fem.Function]:
        """Return (σ_xx, σ_yy) and (σ_zz, σ_xy) as functions of the space. Collective."""
        self._u.x.array[:] = displacement.x.array
        matrix, _ = self._solver.getOperators()
        found = []
        for form in self._forms:
            x, b = matrix.createVecs()
            b.setArray(compat.owned(fem.assemble_vector(form)))
            self._solver.solve(b, x)
            out = fem.Function(self._u.function_space)
            out.x.array[: len(x.getArray())] = x.getArray()
            out.x.scatter_forward()
            found.append(out)
        return found
