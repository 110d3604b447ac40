"""Wall time of the parts of a step on several ranks: SDNV104, CELLS×CELLS, the first STEPS steps.

    python3 benchmarks/ranks.py 320 20 && mpirun -n 2 python3 benchmarks/ranks.py 320 20

The script prints the shortest of all repetitions, which is least disturbed by other load. Ranks are
synchronised before and after each operation. The efficiency is t(1) / (n t(n)).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

from mpi4py import MPI

from benchmarks.measure.finite_element import shoe
from fecontact.simulation.finite_element import FiniteElementRun


def shortest(operation: Callable[[], object], repetitions: int) -> float:
    """Return the wall time, s, of an operation that all ranks start and end together."""
    comm, times = MPI.COMM_WORLD, []
    for _ in range(repetitions):
        comm.Barrier()
        started = time.perf_counter()
        operation()
        comm.Barrier()
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    cells, steps = map(int, sys.argv[1:])
    run = FiniteElementRun(shoe(cells, "mumps"))
    solid, key = run.solid, run.loop.coefficients.matrix(run.study.time.step)
    factor = solid.factor(*key)
    b, x = solid.load(1.0, np.zeros(solid.size)), np.zeros(solid.size)
    contact = np.zeros(solid.surface.size)
    table = {
        "step": shortest(run.advance, steps),
        "back-substitution (two in a step)": shortest(lambda: factor.solve(b, x), steps),
        "K u (two in a step)": shortest(lambda: solid.stiffness(b, x), steps),
        "M a (one in a step)": shortest(lambda: solid.mass(b, x), steps),
        "contact dofs to all ranks (two)": shortest(lambda: solid.gather(b, contact), steps),
        "factorisation": shortest(lambda: solid.factor(*key), 1),
        "compliance": shortest(lambda: factor.compliance(np.arange(solid.surface.size)), 1),
    }
    if MPI.COMM_WORLD.rank == 0:
        print(f"{cells}×{cells} cells, {MPI.COMM_WORLD.size} ranks")
        for name, seconds in table.items():
            print(f"{name:36s} {1e3 * seconds:10.3f} ms")


if __name__ == "__main__":
    main()
