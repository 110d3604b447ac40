"""Mesh and solids of a study, built before the first step."""

from __future__ import annotations

from pathlib import Path

from mpi4py import MPI

from fecontact.mesh import build
from fecontact.record import ModelMesh
from fecontact.reduction.build import reduced
from fecontact.solid.build import build_solid
from fecontact.solid.solid import Solid
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.stages import STAGED, Stage
from fecontact.study.shapes import MeshSource


def solids(stages: list[Stage], mesh: ModelMesh, comm: MPI.Comm) -> list[Solid]:
    """Build the solid of each stage before the first step; InputError names the stage.

    Stages without changes to the model share the solid of the previous stage.
    """
    found: list[Solid] = []
    for number, stage in enumerate(stages):
        if number and _of_a_solid(stage.study) == _of_a_solid(stages[number - 1].study):
            found.append(found[-1])
            continue
        try:
            found.append(reduced(stage.study, build_solid(stage.study, mesh, comm)))
        except InputError as error:
            where = f"stages.{stage.name}: " if stage.name else ""
            raise InputError(f"{where}{error}") from None
    return found


def _of_a_solid(study: FiniteElementStudy) -> list[object]:
    """Return the settings of a stage that determine its solid."""
    tables = [getattr(study, name) for name in STAGED if name not in ("time", "contact")]
    active = [pair.active for pair in study.contact.values()]
    time = study.time
    chosen = [time.inertia, time.on_impact, time.conserving, bool(time.damping_of_jumps)]
    return [*tables, active, *chosen]


def build_everywhere(source: MeshSource, directory: Path, comm: MPI.Comm) -> ModelMesh:
    """Build the mesh on rank 0 and distribute it; all ranks raise the same InputError."""
    outcome: ModelMesh | InputError | None = None
    if comm.rank == 0:
        try:
            outcome = build(source, directory)
        except InputError as error:
            outcome = error
    outcome = comm.bcast(outcome)
    if isinstance(outcome, InputError):
        raise outcome
    assert outcome is not None
    return outcome
