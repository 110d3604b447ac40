"""Memory estimate of a run, checked against the available memory before assembly."""

from __future__ import annotations

from mpi4py import MPI

from fecontact.contact.local.matrix_free import fits
from fecontact.dynamics.loop import TimeLoop
from fecontact.dynamics.schemes import Scheme
from fecontact.dynamics.steps.effective import MAX_CACHED_FACTORS
from fecontact.mesh.memory import available, forecast, format_bytes
from fecontact.record import ModelMesh
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

REPORTED_ABOVE = 0.1  # fraction of the free memory


def notes_on_compliance(loop: TimeLoop) -> list[str]:
    """Return a note if the compliance of the contact dofs exceeds the free memory.

    Collective if the compliance is large.
    """
    touching, size = loop.contact.layout.touching, loop.bulk.surface.size
    if fits(loop.bulk, touching * size):
        return []
    return [
        f"contact: the compliance of {size} contact dofs ({format_bytes(8.0 * touching * size)}) "
        "does not fit into a tenth of the free memory; it is applied by back-substitutions, "
        "hundreds in each step. Use a machine with more memory, or a coarser contact edge."
    ]


def _step_sizes(scheme: Scheme) -> tuple[int, int]:
    """Return the minimum number of step sizes of a run, each with a stored factor, and the possible
    number of further sizes.
    """
    if scheme.coefficients().one_matrix:
        return 1, 0
    step = scheme.longest
    off_grid = [t for t in scheme.required_times if abs(round(t / step) * step - t) > 1e-9 * step]
    sizes = min(MAX_CACHED_FACTORS, 1 + 2 * len(off_grid))
    return sizes, 0 if scheme.control is None else min(
        MAX_CACHED_FACTORS - sizes, scheme.control.max_halvings
    )


def memory_notes(study: FiniteElementStudy, mesh: ModelMesh, comm: MPI.Comm) -> list[str]:
    """Return a note on a large memory requirement; raise InputError if memory is insufficient.

    Collective; all ranks raise the error.
    """
    every, steps = study.output.fields_every, study.time.end / study.time.longest
    snapshots = len(study.output.fields_at) + (int(steps / every) + 2 if every else 0)
    sizes, more = _step_sizes(study.time)
    memory = forecast(mesh, snapshots, sizes)
    here = comm.Split_type(MPI.COMM_TYPE_SHARED)
    needed, free = memory.on(here.size, comm.size), available()
    here.Free()
    shares: list[tuple[float, float]] = comm.allgather((needed, free))
    needed, free = max(shares, key=lambda share: share[0] / share[1])
    of_which = (
        f"factor {format_bytes(memory.factor)}, matrices {format_bytes(memory.matrices)}, saved "
        f"fields {format_bytes(memory.fields)}"
    )
    if more:
        of_which += f", and up to {more} more factors while steps are shorter"
    if needed > free:
        machines = memory.machines(free)
        if machines is None:
            cure = "save fewer fields ([output]) or use a machine with more memory"
        else:
            cure = f"use a coarser mesh or {max(machines, 2)} such machines (mpirun, one rank each)"
        raise InputError(
            f"mesh: the run needs about {format_bytes(needed)} of memory per machine ({of_which}), "
            f"but {format_bytes(free)} are free. To reduce it, {cure}."
        )
    if needed < REPORTED_ABOVE * free:
        return []
    return [f"memory: about {format_bytes(needed)} of the {format_bytes(free)} free ({of_which})"]
