"""`fecontact run`, in which one rank fails: failing.py RANK WHERE ERROR ARGUMENTS…

WHERE is the operation that raises on that rank alone, ERROR the name of the exception.
"""

from __future__ import annotations

import sys
from importlib import import_module
from unittest import mock

from mpi4py import MPI

from fecontact.cli import main
from fecontact.study.errors import InputError, RunError

OPERATIONS = {
    "assembly": "fecontact.solid.solid.assemble",
    "factor": "fecontact.solid.solvers.system.FreeSystem.factor",
    "step": "fecontact.contact.problem.ContactProblem.accept",
}
ERRORS = {"InputError": InputError, "RunError": RunError, "MemoryError": MemoryError}

if __name__ == "__main__":
    rank, where, error, *arguments = sys.argv[1:]
    sys.argv = ["fecontact", *arguments]
    import_module("fecontact.simulation.finite_element")  # by all ranks: starting PETSc takes all
    if MPI.COMM_WORLD.rank == int(rank):
        failure = ERRORS[error](f"rank {rank} fails on purpose")
        with mock.patch(OPERATIONS[where], side_effect=failure):
            main()
    else:
        main()
