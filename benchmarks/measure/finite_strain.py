"""Finite strain: cost of a Newton iteration, and cost of another program.

`python -m benchmarks.measure.finite_strain CELLS` prints the measurement as JSON.

A rigid cylinder is pressed into a rubber block of 2n×n elements (neo-Hookean, plane strain, fixed
at its base) and then moved along it with friction: ironing, in 10 + 20 steps. An iteration of any
program assembles forces and stiffness, factorises, and solves once; these three, measured in the
same run after each step, are the limit. The factorisation among them is that of a matrix without
contact: its elimination order is unconstrained, and no compliance is computed from it.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from statistics import median

import numpy as np

from benchmarks.measure.two_bodies import finite_element
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.hyperelastic.model import HyperelasticModel
from fecontact.solid.linear.balance import NONE, Balance
from fecontact.solid.solvers.schur import SchurPattern
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.script import define

RUNS = 3  # repetitions of a size; the shortest counts
SCRIPT = "ironing_ngsolve.py"


@dataclass(frozen=True)
class Ironing:
    """One size. CPU seconds; loop: all steps; iteration: the loop over its iterations of Newton's
    method; assembly, factor, solve: medians of the three alone; normal, tangential: force on the
    cylinder at the end, N per m."""

    cells: int
    dofs: int
    contact_dofs: int
    steps: int
    iterations: int
    factorisations: int
    loop: float
    assembly: float
    factor: float
    solve: float
    normal: float
    tangential: float

    @property
    def iteration(self) -> float:
        return self.loop / self.iterations

    @property
    def ratio(self) -> float:
        """Return the cost of an iteration over its limit."""
        return self.iteration / (self.assembly + self.factor + self.solve)


def ironing(cells: int) -> FiniteElementStudy:
    """Return the study of one size."""
    block = {"type": "rectangle", "corner": [-1.0, 0.0], "size": [2.0, 1.0]}
    roller = {"type": "circle", "center": [-0.15, 1.5], "radius": 0.5, "x": 0.3, "y": -0.2}
    functions = {
        "press": {"type": "table", "times": [0.0, 1.0, 3.0], "values": [0.0, 1.0, 1.0]},
        "draw": {"type": "table", "times": [0.0, 1.0, 3.0], "values": [0.0, 0.0, 1.0]},
    }
    study = {
        "title": "Ironing: a rigid cylinder is pressed into rubber and drawn along it",
        "kind": "finite-element",
        "mesh": {"element": "quad4", "shapes": {"block": block | {"cells": [2 * cells, cells]}}},
        "materials": {
            "rubber": {"law": "neo-hookean", "young": 1e6, "poisson": 0.3, "density": 1000.0}
        },
        "bodies": {"block": {"material": "rubber"}},
        "supports": {"base": {"on": "block.bottom", "x": 0.0, "y": 0.0}},
        "functions": functions,
        "tools": {"roller": roller | {"x_function": "draw", "y_function": "press"}},
        "contact": {"top": {"slave": "block.top", "master": "roller", "friction": 0.3}},
        "time": {"scheme": "static", "step": 0.1, "end": 3.0},
        "output": {"fields_every": 0},
    }
    return finite_element(define(study))


def measure(cells: int) -> Ironing:
    """Run the ironing RUNS times after a small block, which loads the compiled code."""
    _iron(6)
    return min((_iron(cells) for _ in range(RUNS)), key=lambda found: found.loop)


def _iron(cells: int) -> Ironing:
    run = FiniteElementRun(ironing(cells))
    solid = run.solid
    assert isinstance(solid, HyperelasticModel)
    plain = solid.condensation(SharedDofs(solid.comm, NONE, NONE, 0))
    loop, iterations = 0.0, 0
    limits: list[tuple[float, ...]] = []
    while not run.finished:
        started = time.process_time()
        run.advance()
        loop += time.process_time() - started
        iterations += len(run.loop.residuals)
        limits.append(_limit(run, solid, plain))
    assembly, factor, solve = map(median, zip(*limits, strict=True))
    columns = run.record().history.columns
    return Ironing(
        cells=cells,
        dofs=solid.size,
        contact_dofs=solid.surface.size,
        steps=run.loop.statistics.steps,
        iterations=iterations,
        factorisations=run.loop.statistics.factorisations,
        loop=loop,
        assembly=assembly,
        factor=factor,
        solve=solve,
        normal=float(columns["tool.roller.y"][-1]),
        tangential=float(columns["tool.roller.x"][-1]),
    )


def _limit(
    run: FiniteElementRun, solid: HyperelasticModel, plain: SchurPattern
) -> tuple[float, ...]:
    """Return CPU seconds of one assembly, factorisation and solve at the present state."""
    u = run.loop.now.u * (1.0 + 1e-9)  # a different state, otherwise cached results would be used
    force = np.zeros(solid.size)
    begun = time.process_time()
    solid.internal(u, force)
    solid.linearise(u, force)
    assembled = time.process_time()
    entries = plain.sum.values(*solid.summands(0.0, 0.0, 1.0))
    none = np.zeros((solid.size, 0))
    factor = plain.factor(entries, NONE, np.zeros(0), Balance(none, none, solid.total))
    factored = time.process_time()
    factor.solve(force, force)
    solved = time.process_time()
    return assembled - begun, factored - assembled, solved - factored


if __name__ == "__main__":
    print(json.dumps(asdict(measure(int(sys.argv[1])))))
