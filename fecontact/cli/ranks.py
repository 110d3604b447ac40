"""Output and errors under MPI: only rank 0 prints; an error on any rank ends all ranks.

MPI is only initialised if the process was started by an MPI launcher (detected from the
environment, so that `--help` and `check` do not import MPI).
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import click

from fecontact.study.errors import InputError, printable

# Launcher, and its environment variables for rank and number of ranks. A batch script of Slurm
# also has SLURM_PROCID and SLURM_NTASKS without being one of several processes: only the steps
# started by srun count.
_LAUNCHERS = (
    ("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("a launcher with PMI", "PMI_RANK", "PMI_SIZE"),
    ("Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
)
_PATIENCE = 2.0  # s that a failing rank waits for the same failure of the others


def rank() -> int:
    """Return the rank of this process, without importing MPI if its launcher provides it."""
    return _place()[1]


def size() -> int:
    """Return the number of ranks, without importing MPI if its launcher provides it."""
    return _place()[2]


def require_one_world() -> None:
    """Raise InputError if a launcher has started several processes that are not connected by MPI:
    each would compute everything and overwrite the files of the others.
    """
    launcher, _, started = _place()
    if started > 1 and world().size != started:
        raise InputError(
            f"{launcher} started {started} processes, but MPI sees {world().size}. Start them "
            f"with the mpirun of the fecontact environment (`docker/run mpirun -n {started} "
            "fecontact run`), or on a cluster with `srun --mpi=pmix`."
        )


def world() -> Any:
    """Return the MPI world communicator; importing it starts MPI."""
    from mpi4py import MPI

    return MPI.COMM_WORLD


def agreed(of_rank_0: Any) -> Any:
    """Return the result of rank 0 on every rank; an exception on rank 0 is raised on every rank."""
    found = of_rank_0 if size() == 1 else world().bcast(of_rank_0)
    if isinstance(found, Exception):
        raise found
    return found


def fail(message: str, code: int) -> None:
    """Print the message once and end every rank with the code.

    If all ranks fail in the same way (invalid input), rank 0 prints and all exit; if only some
    fail, they print and abort the others, which would otherwise wait forever. No rank exits before
    rank 0 has printed: the launcher ends all ranks when the first one exits with an error.
    """
    if size() > 1 and not _all_are_here():
        _speak(message)
        world().Abort(code)
    if rank() == 0:
        _speak(message)
    if size() > 1:
        _all_are_here()
    sys.exit(code)


def end_at_once(message: str, code: int) -> None:
    """Print the message and end this process and all other ranks immediately."""
    _speak(message)
    mpi = sys.modules.get("mpi4py.MPI")
    if size() > 1 and mpi is not None and mpi.Is_initialized() and not mpi.Is_finalized():
        mpi.COMM_WORLD.Abort(code)
    os._exit(code)


def leave(code: int) -> None:
    """End the command with the exit code of rank 0, on every rank."""
    if size() > 1:
        code = world().bcast(code)
    if code:
        raise click.exceptions.Exit(code)


def _all_are_here() -> bool:
    """Return True if every rank reaches this point within _PATIENCE seconds."""
    request = world().Ibarrier()
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        if request.Test():
            return True
        time.sleep(0.01)
    return False


def _speak(message: str) -> None:
    sys.stdout.flush()
    for line in message.split("\n"):
        print(f"fecontact: {printable(line)}", file=sys.stderr)
    sys.stderr.flush()


def _place() -> tuple[str, int, int]:
    """Return the launcher of this process, its rank, and the number of ranks."""
    for launcher, rank_name, size_name in _LAUNCHERS:
        place, count = (os.environ.get(name, "") for name in (rank_name, size_name))
        if place.isdigit() and count.isdigit():
            return launcher, int(place), int(count)
    if os.environ.get("PMIX_RANK", "").isdigit():  # PMIx alone does not provide the number
        return "PMIx", world().rank, world().size
    return "", 0, 1
