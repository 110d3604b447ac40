"""Provenance of a result: date, host and command of the run, and its inputs."""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path

from fecontact.record import ModelMesh, RunRecord, SweepRecord
from fecontact.study import AnyStudy


def note_origin(study: AnyStudy, record: RunRecord | SweepRecord) -> None:
    """Record the origin of a result, once.

    date: when it was computed, UTC; host; ranks; command; study, mesh: SHA-256 of the study as
    resolved and of the mesh's nodes and cells, equal for equal inputs.
    """
    if record.origin:
        return
    ranks = _ranks()
    record.origin = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": platform.node(),
        "ranks": str(ranks),
        "command": _command(ranks),
        "study": _digest(json.dumps(study.model_dump(mode="json"), sort_keys=True).encode()),
    }
    if isinstance(record, RunRecord) and record.mesh is not None:
        record.origin["mesh"] = _mesh_digest(record.mesh)


def duration(record: RunRecord | SweepRecord) -> float:
    """Return the total duration of the stages of a run, s."""
    return sum(record.timings.values())


def _ranks() -> int:
    mpi4py = sys.modules.get("mpi4py.MPI")
    return 1 if mpi4py is None else int(mpi4py.COMM_WORLD.size)


def _command(ranks: int) -> str:
    """Return the command line as it would be typed."""
    program = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    words = ["fecontact" if program in ("fecontact", "__main__.py") else program, *sys.argv[1:]]
    return shlex.join([*(["mpirun", "-n", str(ranks)] if ranks > 1 else []), *words])


def _mesh_digest(mesh: ModelMesh) -> str:
    return _digest(mesh.points.astype("<f8").tobytes() + mesh.cells.astype("<i8").tobytes())


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
