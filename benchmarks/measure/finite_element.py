"""Cost of a step of SDNV104 with a shoe of n×n elements, measured in this process.

`python -m benchmarks.measure.finite_element CELLS SOLVER` prints the measurement as JSON.

The study is `sdnv104a` with the full HHT scheme (variant `full-hht`), whose error against the exact
rigid mass with ramp is that of the time step alone; no fields are saved.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

import numpy as np

from fecontact.arrays import Array
from fecontact.results.folder.output import write_results
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.script import load
from fecontact.study.solutions import solution_of

TIMES = (1.70, 3.40)  # s, times at which the document compares displacements
SPENT = 1.0  # CPU s for repeated measurement of one operation
MAX_RUNS = 5  # maximum runs of a size
FIELDS_EVERY = 5  # steps between saved fields, where writing is measured


@dataclass(frozen=True)
class Measurement:
    """One size. Seconds of CPU; memory in MB above that of a 5×5 run in the same process.

    loop: the time loop with factorisation and compliance; step: median of a step and of recording
    it; back_substitution: of one right-hand side with the same factor; writing: share of a whole
    run with fields at every FIELDS_EVERY steps that goes into writing them and the history; x170,
    x340: displacement of the shoe at 1.70 s and 3.40 s, m; error: the larger of their errors
    against the exact mass.
    """

    cells: int
    solver: str
    dofs: int
    contact_dofs: int
    steps: int
    runs: int
    set_up: float
    factor: float
    compliance: float
    loop: float
    step: float
    back_substitution: float
    memory: float
    writing: float
    x170: float
    x340: float
    error: float

    @property
    def ratio(self) -> float:
        """Return the cost of a step in back-substitutions."""
        return self.step / self.back_substitution

    @property
    def share(self) -> float:
        """Return the fraction of the loop spent on the compliance."""
        return self.compliance / self.loop


def shoe(cells: int, solver: str, fields_every: int = 0) -> FiniteElementStudy:
    """Return the study of one size."""
    keys = {
        "mesh.shapes.shoe.cells": [cells, cells],
        "solver": solver,
        "output.fields_every": fields_every,
    }
    study = load("sdnv104a", keys, "full-hht")
    assert isinstance(study, FiniteElementStudy)
    return study


def measure(cells: int, solver: str) -> Measurement:
    """Run the study for about a second, at most MOST times, and return medians."""
    run_to_the_end(FiniteElementRun(shoe(5, solver)))  # compiled code is loaded, caches are warm
    _share_of_writing(5, solver)
    before = _peak_memory()
    study = shoe(cells, solver)
    set_up: list[float] = []
    loops: list[float] = []
    steps: list[float] = []
    substitutions: list[float] = []
    while len(loops) < MAX_RUNS and sum(loops) < SPENT:
        started = time.process_time()
        run = FiniteElementRun(study)
        set_up.append(time.process_time() - started)
        of_steps, of_substitutions = run_to_the_end(run)
        loops.append(sum(of_steps))
        steps += of_steps
        substitutions += of_substitutions
    solid, loop, history = run.solid, run.loop, run.record().history
    key = loop.coefficients.matrix(study.time.longest)
    factor = median(_again(lambda: solid.factor(*key)))
    all_dofs = np.arange(solid.surface.size)
    made = solid.factor(*key)
    compliance = median(_again(lambda: made.compliance(all_dofs)))
    found = np.interp(TIMES, history.time, history.columns["x_A"])
    return Measurement(
        cells=cells,
        solver=solver,
        dofs=solid.size,
        contact_dofs=solid.surface.size,
        steps=loop.statistics.steps,
        runs=len(loops),
        set_up=median(set_up) - factor - compliance,
        factor=factor,
        compliance=compliance,
        loop=factor + compliance + median(loops),
        step=median(steps),
        back_substitution=median(substitutions),
        memory=_peak_memory() - before,
        writing=_share_of_writing(cells, solver),
        x170=float(found[0]),
        x340=float(found[1]),
        error=float(np.abs(found - exact_displacement(study)).max()),
    )


def run_to_the_end(run: FiniteElementRun) -> tuple[list[float], list[float]]:
    """Return CPU seconds of each step with its record, and of a back-substitution
    after each step.

    Measured in turn, both have the same caches and the same load of the machine.
    """
    factor = run.loop.effective(run.study.time.longest).factor
    b, x = run.solid.load(run.study.time.end, np.zeros(run.solid.size)), np.zeros(run.solid.size)
    steps, substitutions = [], []
    while not run.finished:
        started = time.process_time()
        run.advance()
        stepped = time.process_time()
        factor.solve(b, x)
        steps.append(stepped - started)
        substitutions.append(time.process_time() - stepped)
    return steps, substitutions


def _share_of_writing(cells: int, solver: str) -> float:
    """Return the fraction of a run's CPU time spent on writing its history and fields."""
    started = time.process_time()
    study = shoe(cells, solver, FIELDS_EVERY)
    run = FiniteElementRun(study)
    while not run.finished:
        run.advance()
    record = run.record()
    computed = time.process_time()
    with tempfile.TemporaryDirectory(prefix="fecontact-bench-") as folder:
        write_results(Path(folder) / "result", study, record, (), report=False)
        written = time.process_time()
    return (written - computed) / (written - started)


def exact_displacement(study: FiniteElementStudy) -> Array:
    """Return x of the rigid mass with ramp at TIMES, m."""
    exact = solution_of(study, "rigid")
    return np.asarray(exact.history(np.array(TIMES))["displacement"])


def _again(operation: Callable[[], object]) -> list[float]:
    """Return CPU seconds of an operation, repeated for SPENT seconds, at least three times."""
    times: list[float] = []
    while len(times) < 3 or (sum(times) < SPENT and len(times) < 1000):
        started = time.process_time()
        operation()
        times.append(time.process_time() - started)
    return times


def _peak_memory() -> float:
    """Return the peak memory of this process so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    print(json.dumps(asdict(measure(int(sys.argv[1]), sys.argv[2]))))
