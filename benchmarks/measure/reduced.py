"""Cost of reduced bodies: SDNV104 with a shoe of n×n elements, full and reduced, in this process.

`python -m benchmarks.measure.reduced CELLS` prints the measurement as JSON.

The 5×5 shoe is also part of the lumped study `sliding-shoe`, of which 10⁶ steps are computed.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from statistics import median

from benchmarks.measure.finite_element import shoe
from fecontact.lumped.run import LumpedRun
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.simulation.lumped_bodies import with_coordinates
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.lumped import LumpedStudy
from fecontact.study.script import changed, load

METHOD = {"method": "craig-bampton", "modes": 8}
STEPS = 60  # measured steps of each model
MILLION = 10**6


@dataclass(frozen=True)
class Reduced:
    """One size; CPU seconds.

    interface: interface dofs; coordinates: of the reduced model;
    set_up: of the reduction alone; full_step, step: medians.
    """

    cells: int
    dofs: int
    interface: int
    coordinates: int
    set_up: float
    full_step: float
    step: float

    @property
    def pays_after(self) -> float:
        """Return the number of steps after which the reduction has paid for its set-up."""
        saved = self.full_step - self.step
        return self.set_up / saved if saved > 0.0 else float("inf")


def measure(cells: int) -> Reduced:
    """Measure the steps of the full and of the reduced model."""
    study = shoe(cells, "cholesky")
    _steps(shoe(5, "cholesky"))  # compiled code is loaded
    full, full_built, full_step = _steps(study)
    reduced, built, step = _steps(_reduced(study))
    return Reduced(
        cells=cells,
        dofs=full.solid.size,
        interface=reduced.solid.surface.size,
        coordinates=reduced.solid.size,
        set_up=built - full_built,
        full_step=full_step,
        step=step,
    )


def _reduced(study: FiniteElementStudy) -> FiniteElementStudy:
    found = changed(study, {"bodies.shoe.reduction": METHOD})
    assert isinstance(found, FiniteElementStudy)
    return found


def _steps(study: FiniteElementStudy) -> tuple[FiniteElementRun, float, float]:
    """Return a run, the CPU time to prepare it, and the median CPU time of a step."""
    started = time.process_time()
    run = FiniteElementRun(study)
    built, spent = time.process_time() - started, []
    for _ in range(STEPS):
        started = time.process_time()
        run.loop.advance()
        spent.append(time.process_time() - started)
    return run, built, median(spent)


def million_steps() -> float:
    """Return the CPU time of 10⁶ steps of the reduced shoe in a lumped study, s."""
    study = load("sliding-shoe")
    assert isinstance(study, LumpedStudy)
    longer = changed(study, {"time.end": MILLION * study.time.step})
    assert isinstance(longer, LumpedStudy)
    run = LumpedRun(with_coordinates(longer))
    started = time.process_time()
    while not run.finished:
        run.advance()
    return time.process_time() - started


if __name__ == "__main__":
    if sys.argv[1] == "lumped":
        print(json.dumps({"million": million_steps()}))
    else:
        print(json.dumps(asdict(measure(int(sys.argv[1])))))
