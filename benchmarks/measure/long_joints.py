"""Cost of long joints: a bolted lap joint of two blocks that slips, static, 40 steps.

`python -m benchmarks.measure.long_joints CELLS` prints the measurement as JSON. The blocks have
CELLS elements along the joint and LAYERS across. The bolt presses in 10 steps, then the upper block
is pulled.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.script import define

LAYERS = 50
SIZES = (200, 400, 600, 800, 1600)  # elements along the joint


@dataclass(frozen=True)
class LongJoint:
    """One size.

    CPU seconds; total: from the study to the last step; memory: peak, MB.
    """

    cells: int
    dofs: int
    contact_dofs: int
    total: float
    step: float
    iterations: float
    memory: float


def study_of(cells: int, layers: int) -> FiniteElementStudy:
    """Return the study with this number of elements along and across the joint."""
    block = {"type": "rectangle", "size": [0.12, 0.01], "cells": [cells, layers]}
    body = {"material": "steel", "thickness": 0.02}
    times = [0.0, 0.25, 1.0]
    keys: dict[str, Any] = {
        "title": "Bolted lap joint",
        "kind": "finite-element",
        "plane": "stress",
        "mesh.shapes.lower": block | {"corner": [0.0, 0.0]},
        "mesh.shapes.upper": block | {"corner": [0.06, 0.01]},
        "mesh.groups.washer": {"of": "upper", "box": [[0.08, 0.019], [0.1, 0.021]]},
        "materials.steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0},
        "bodies": {"lower": body, "upper": body},
        "supports.left": {"on": "lower.left", "x": 0.0, "y": 0.0},
        "supports.bed": {"on": "lower.bottom", "y": 0.0},
        "supports.pull": {"on": "upper.right", "x": 2e-5, "function": "pull"},
        "loads.bolt": {"type": "pressure", "on": "washer", "value": 6e7, "function": "tighten"},
        "functions.tighten": {"type": "table", "times": times, "values": [0.0, 1.0, 1.0]},
        "functions.pull": {"type": "table", "times": times, "values": [0.0, 0.0, 1.0]},
        "contact.joint": {"slave": "upper.bottom", "master": "lower.top", "friction": 0.2},
        "time": {"scheme": "static", "step": 0.025, "end": 1.0},
        "output": {"fields_every": 0},
    }
    study = define(keys)
    assert isinstance(study, FiniteElementStudy)
    return study


def measure(cells: int) -> LongJoint:
    """Run a joint once after a small one, which loads the compiled code."""
    _run(study_of(20, 2))
    study = study_of(cells, LAYERS)
    total, steps, run = _run(study)
    counted = run.loop.statistics
    return LongJoint(
        cells=cells,
        dofs=run.solid.size,
        contact_dofs=run.solid.surface.size,
        total=total,
        step=steps / counted.steps,
        iterations=counted.iterations / counted.steps,
        memory=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


def _run(study: FiniteElementStudy) -> tuple[float, float, FiniteElementRun]:
    """Return the CPU time of a run, that of its steps, and the run."""
    started = time.process_time()
    run = FiniteElementRun(study)
    built = time.process_time()
    while not run.finished:
        run.advance()
    ended = time.process_time()
    return ended - started, ended - built, run


if __name__ == "__main__":
    print(json.dumps(asdict(measure(int(sys.argv[1])))))
