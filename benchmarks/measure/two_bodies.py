"""Cost of a step with two deformable bodies: deformable master, or many nodes in contact.

`python -m benchmarks.measure.two_bodies CASE CELLS` prints the measurement as JSON.

fixed, matching, other-mesh  SDNV104 (full HHT, 350 steps) with a shoe of n×n elements on the strip
                             of the other programs, 20 m long: fixed as a whole; deformable and
                             fixed at its base, with elements as long as those of the shoe; with
                             elements 1.08 times as long
joint                        a block of n×n/8 elements on another, pressed, and shaken along the
                             joint so that nodes change between stick and slip in every step
"""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.script import define, load

CASES = ("fixed", "matching", "other-mesh", "joint")
STRIP = {"corner": [-1.0, -0.5], "size": [20.0, 0.5]}  # value of the scripts under benchmarks/
COARSER = 1.08
RUNS = 3  # repetitions of a case; the shortest counts


@dataclass(frozen=True)
class TwoBodies:
    """One case.

    CPU seconds; loop: all steps with factorisation and compliance; step: median of a step and of
    recording it; pairings, iterations: mean per step; memory: peak, MB.
    """

    case: str
    cells: int
    dofs: int
    contact_dofs: int
    steps: int
    loop: float
    step: float
    pairings: float
    iterations: float
    memory: float


def study_of(case: str, cells: int) -> FiniteElementStudy:
    """Return the study of a case."""
    return _joint(cells) if case == "joint" else _shoe(case, cells)


def _shoe(case: str, cells: int) -> FiniteElementStudy:
    along = round(20 * cells / (COARSER if case == "other-mesh" else 1.0))
    keys: dict[str, Any] = {
        "mesh.shapes.shoe.cells": [cells, cells],
        "mesh.shapes.support.cells": [along, 1],
        # The strip has nodes at the shoe's lower corners and at the ground of the lower spring,
        # so the points of the study are moved up.
        "mesh.points.A": [0.0, 1.0],
        "mesh.points.C1": [1.0, 1.0],
        "mesh.points.R1": [1.1, 0.5],
        "springs.lower.between": ["shoe.bottom-right", "R1"],
        "materials.support.density": 7000.0,
        "solver": "auto",
        "output.fields_every": 0,
    }
    keys |= {f"mesh.shapes.support.{key}": value for key, value in STRIP.items()}
    if case != "fixed":
        keys["supports.base.on"] = "support.bottom"
    return finite_element(load("sdnv104a", keys, "full-hht"))


def _joint(cells: int) -> FiniteElementStudy:
    layers = max(1, cells // 8)
    steel = {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}
    block = {"type": "rectangle", "size": [1.0, 0.125], "cells": [cells, layers]}
    lower, upper = block | {"corner": [0.0, 0.0]}, block | {"corner": [0.0, 0.125]}
    down = {"type": "pressure", "on": "upper.top", "value": 1e7, "function": "press"}
    along = {"type": "traction", "on": "upper.top", "value": [2.9e6, 0.0], "function": "shake"}
    study = {
        "title": "Two blocks, shaken along their joint",
        "kind": "finite-element",
        "mesh": {"element": "quad4", "shapes": {"lower": lower, "upper": upper}},
        "materials": {"steel": steel},
        "bodies": {"lower": {"material": "steel"}, "upper": {"material": "steel"}},
        "supports": {"base": {"on": "lower.bottom", "x": 0.0, "y": 0.0}},
        "functions": {
            "press": {"type": "ramp", "end": 1e-3},
            "shake": {"type": "sine", "frequency": 200.0},
        },
        "loads": {"press": down, "shake": along},
        "contact": {"joint": {"slave": "upper.bottom", "master": "lower.top", "friction": 0.3}},
        "time": {"scheme": "hht", "step": 5e-5, "end": 1e-2},
        "output": {"fields_every": 0},
    }
    return finite_element(define(study))


def finite_element(study: object) -> FiniteElementStudy:
    assert isinstance(study, FiniteElementStudy)
    return study


def measure(case: str, cells: int) -> TwoBodies:
    """Run a case RUNS times after a small one, which loads the compiled code."""
    _run(study_of(case, 4))
    study = study_of(case, cells)
    loop, steps, run = min((_run(study) for _ in range(RUNS)), key=lambda found: found[0])
    counted = run.loop.statistics
    return TwoBodies(
        case=case,
        cells=cells,
        dofs=run.solid.size,
        contact_dofs=run.solid.surface.size,
        steps=counted.steps,
        loop=loop,
        step=median(steps),
        pairings=counted.pairings / counted.steps,
        iterations=counted.iterations / counted.steps,
        memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def _run(study: FiniteElementStudy) -> tuple[float, list[float], FiniteElementRun]:
    """Return CPU seconds of the loop with its factorisation, and of each step."""
    run = FiniteElementRun(study)
    started = time.process_time()
    # computed in the set-up
    run.loop.bulk.factor(*run.loop.coefficients.matrix(study.time.longest))
    steps = []
    while not run.finished:
        begun = time.process_time()
        run.advance()
        steps.append(time.process_time() - begun)
    return time.process_time() - started, steps, run


if __name__ == "__main__":
    print(json.dumps(asdict(measure(sys.argv[1], int(sys.argv[2])))))
