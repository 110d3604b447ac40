"""Cost of a step of a corotational body: a disc of about 10⁴ dofs that rolls down a slope.

`python -m benchmarks.measure.rolling SCHEME` prints the measurement as JSON, `… SCHEME MESH` also
writes the disc's mesh, for other programs.

The study is `rolling-disc` with smaller cells, as far as END. Its disc is the only body, whose
factor counts its substitutions.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click
import numpy as np

from benchmarks.measure.children import run_child
from benchmarks.measure.peers import run as run_script
from fecontact.isolation import python
from fecontact.record import ModelMesh
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.solid.solvers.schur import PartFactor
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.script import load
from fecontact.study.solutions import solution_of

SCRIPT = "disc_ngsolve.py"
CELL_SIZE = 0.0135  # m: 10 386 free dofs
END = 0.4  # s: 200 steps; gravity acts fully in the last 150
SCHEMES = ("hht", "energy-momentum")


@dataclass(frozen=True)
class Rolling:
    """One scheme.

    step, back_substitution: median CPU seconds; factorisations: of the effective matrix, in the
    whole run; substitutions, iterations: of Newton's method, mean per step; x: distance rolled by
    the disc, m; exact: that of a rigid disc.
    """

    scheme: str
    dofs: int
    contact_dofs: int
    steps: int
    factorisations: int
    substitutions: float
    iterations: float
    step: float
    back_substitution: float
    x: float
    exact: float


def compare(peers: bool) -> tuple[list[Rolling], dict[str, Any]]:
    """Measure all schemes, each in a separate process; if requested, also NGSolve by its script."""
    found, answer = [], {}
    with tempfile.TemporaryDirectory(prefix="fecontact-bench-") as folder:
        mesh = str(Path(folder) / "disc.json")
        for scheme in SCHEMES:
            click.echo(f"rolling disc, {scheme} …", err=True)
            own = run_child(python("-m", "benchmarks.measure.rolling", scheme, mesh))
            if "skipped" in own:
                click.echo(f"rolling disc, {scheme}: {own['skipped']}", err=True)
                continue
            found.append(Rolling(**own))
        if peers and found:
            click.echo("rolling disc, NGSolve …", err=True)
            answer = run_script(SCRIPT, mesh, str(found[0].steps))
    return found, answer


def study_of(scheme: str, cell_size: float, end: float) -> FiniteElementStudy:
    """Return the study of one scheme."""
    keys = {
        "mesh.shapes.disc.cell_size": cell_size,
        "output.fields_every": 0,
        "time.scheme": scheme,
        "time.end": end,
    }
    study = load("rolling-disc", keys)
    assert isinstance(study, FiniteElementStudy)
    return study


def measure(
    scheme: str, cell_size: float = CELL_SIZE, end: float = END
) -> tuple[Rolling, FiniteElementRun]:
    """Run the study of one scheme."""
    study = study_of(scheme, cell_size, end)
    run = FiniteElementRun(study)
    run.advance()  # kernels are loaded, factor and compliance made
    solved, made = PartFactor.sweeps, run.loop.statistics.factorisations
    steps, substitutions, iterations, extra = [], [], 0, 0
    factor = run.solid.factor(*run.loop.coefficients.matrix(study.time.longest))
    b, x = run.solid.load(study.time.end, np.zeros(run.solid.size)), np.zeros(run.solid.size)
    while not run.finished:
        started = time.process_time()
        run.advance()
        stepped = time.process_time()
        before = PartFactor.sweeps
        factor.solve(b, x)
        substitutions.append(time.process_time() - stepped)
        extra += PartFactor.sweeps - before
        steps.append(stepped - started)
        iterations += len(run.loop.residuals)
    if run.loop.statistics.factorisations > made:
        raise RuntimeError("a matrix was factored in a later step")
    history = run.record().history
    exact = solution_of(study, "rigid").history(history.time[-1:])
    found = Rolling(
        scheme=scheme,
        dofs=run.solid.size,
        contact_dofs=run.solid.surface.size,
        steps=1 + len(steps),
        factorisations=run.loop.statistics.factorisations,
        substitutions=(PartFactor.sweeps - solved - extra) / (2 * len(steps)),
        iterations=iterations / len(steps),
        step=median(steps),
        back_substitution=median(substitutions),
        x=float(history.columns["x"][-1]),
        exact=float(exact["displacement"][0]),
    )
    return found, run


def write_disc(mesh: ModelMesh, path: Path) -> None:
    """Write points, elements and rim of the disc alone, as JSON."""
    cells = mesh.cells[mesh.cell_groups["disc"]]
    nodes = np.unique(cells)
    number = np.full(len(mesh.points), -1)
    number[nodes] = np.arange(len(nodes))
    arc = number[mesh.edge_groups["disc.arc"]]
    parts = {"points": mesh.points[nodes], "cells": number[cells], "arc": arc}
    path.write_text(json.dumps({name: values.tolist() for name, values in parts.items()}))


if __name__ == "__main__":
    measured, ran = measure(sys.argv[1])
    if len(sys.argv) > 2:
        write_disc(ran.solid.mesh, Path(sys.argv[2]))
    print(json.dumps(asdict(measured)))
