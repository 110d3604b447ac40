"""Failed steps are cut back; a run that stops reports time, location and cause, and saves its
results.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from commandline import changed, fecontact
from corpus import VALID

pytest.importorskip("dolfinx")

from fecontact.contact.failure import NO_STATUSES, NOT_FINITE
from fecontact.contact.local import active_set
from fecontact.dynamics.failure import LOADS_NOT_FINITE, SINGULAR_MATRIX
from fecontact.results import load_folder
from fecontact.simulation import Simulation
from fecontact.solid.solid import Solid
from fecontact.study import load
from fecontact.study.errors import RunError

BLOCK = VALID["block"]
# So much friction that, where the edge lands, the statuses run in circles in a whole step. Lemke's
# method finds those that fit; without it, only shorter steps have a solution.
PARADOX = ["contact.sole.friction=10.0", "time.end=0.1"]
OVERFLOW = [
    "time.end=0.1",
    'functions.big={type="table",times=[0.0,0.05,0.06],values=[1.0,1.0,1e30]}',
    f"functions.huge={{type='product',of={['big'] * 12}}}",
    "loads.push.function=huge",
]


def light_block(path: Path) -> Path:
    """A block without spring whose only mass is a point mass in one of its corners.

    Nothing resists its rotation about this corner.
    """
    before, _, after = BLOCK.read_text(encoding="utf-8").partition("[springs.pull]")
    before = before.replace(
        '[bodies.block]\nmaterial = "steel"', '[bodies.block]\nmaterial = "light"'
    )
    after = after[after.index("[point_masses") :]
    material = "[materials.light]\nyoung = 2.1e11\npoisson = 0.3\ndensity = 0.0\n"
    path.write_text(f"{before}{after}\n{material}", encoding="utf-8")
    return path


@pytest.fixture
def no_lemke(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statuses that run in circles have no solution, and few steps are made before."""
    monkeypatch.setattr(active_set, "PATIENCE", 3)
    monkeypatch.setattr(active_set, "find_statuses", lambda *_: (False, 0))


def assert_conserved(out: Path, failure: str, rows: int) -> None:
    """Every number up to the failure is in the folder."""
    result = load_folder(out)
    assert result.record.failure is not None and failure in result.record.failure
    assert len(result.record.history.time) == rows
    assert all(np.isfinite(values).all() for values in result.record.history.columns.values())
    assert not all(row.passed for row in result.rows)


def test_statuses_that_run_in_circles_are_found_in_the_whole_step() -> None:
    record = Simulation(load(BLOCK, PARADOX)).run()
    assert record.failure is None
    assert record.statistics["cuts"] == 0
    assert record.scalars["residual.contact"].within_limit


@pytest.mark.usefixtures("no_lemke")
def test_statuses_that_are_not_found_cut_the_step_and_it_grows_back() -> None:
    record = Simulation(load(BLOCK, PARADOX)).run()
    steps = record.history.columns["solver.step"]
    assert record.failure is None
    assert record.statistics["cuts"] == 1
    parts = np.flatnonzero(steps[1:] < 0.009)
    assert len(parts) == 5 and np.ptp(parts) == 4
    assert np.allclose(steps[1:][parts], 0.002)
    assert np.isclose(steps[-1], 0.01)
    assert record.scalars["residual.contact"].within_limit
    assert record.scalars["energy.balance_error"].within_limit


@pytest.mark.usefixtures("no_lemke")
def test_required_times_are_hit_inside_and_after_cut_steps() -> None:
    study = load(BLOCK, [*PARADOX, "time.required_times=[0.0234, 0.0301, 0.0777]"])
    times = Simulation(study).run().history.time
    assert {0.0234, 0.0301, 0.0777, 0.1} <= set(times)
    assert np.all(np.diff(times) > 0)


@pytest.mark.usefixtures("no_lemke")
def test_no_statuses_at_the_smallest_step_end_the_run_with_nodes_and_forces(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = fecontact(
        "run", BLOCK, "--out", out, *changed(*PARADOX, "time.min_step=0.01", "output.every=1")
    )
    assert done.code == 3
    for part in (
        f"error: the run stopped at t = 0.02 s: {NO_STATUSES} in the step to 0.03 s",
        "iterations, at node 0 of 'sole' (",
        " m, gap ",
        " N normal and ",
        "Reduce time.step",
        f"The results up to this time are in {out}",
    ):
        assert part in done.message
    assert_conserved(out, NO_STATUSES, rows=3)
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "The run stopped early" in page and NO_STATUSES in page
    assert '<figure class="drawing"' in page


def test_numbers_that_overflow_cut_the_step_and_end_the_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = fecontact("run", BLOCK, "--out", out, "--no-report", *changed(*OVERFLOW))
    assert done.code == 3
    assert f"stopped at t = 0.05 s: {NOT_FINITE}" in done.message
    assert "nodes in contact: node 4 of 'sole' (" in done.message
    assert json.loads((out / "result.json").read_text())["statistics"]["cuts"] == 8  # 5⁸ < 1e6
    assert_conserved(out, NOT_FINITE, rows=6)


def test_loads_that_overflow_are_named_as_the_reason() -> None:
    changes = [*OVERFLOW, 'loads.weight.function="huge"', "time.min_step=0.01"]
    failure = Simulation(load(BLOCK, changes)).run().failure
    assert failure is not None and f"{LOADS_NOT_FINITE} in the step to 0.06 s" in failure


def test_elimination_finds_a_motion_without_inertia_and_stiffness_at_the_start(
    tmp_path: Path,
) -> None:
    study = load(light_block(tmp_path / "light.toml"), ["time.end=0.1", "solver=cholesky"])
    with pytest.raises(RunError, match="effective matrix"):
        Simulation(study)


def test_a_motion_without_inertia_and_stiffness_ends_the_run(tmp_path: Path) -> None:
    study = load(light_block(tmp_path / "light.toml"), ["time.end=0.1", "solver=mumps"])
    record = Simulation(study).run()
    assert record.failure is not None
    assert f"stopped at t = 0 s: {SINGULAR_MATRIX}" in record.failure
    assert record.statistics["cuts"] == 8  # 5⁸ < 1e6
    assert len(record.history.time) == 1


def test_a_matrix_that_is_singular_at_the_start_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def singular(*_: float) -> None:
        raise np.linalg.LinAlgError("the matrix is singular")

    monkeypatch.setattr(Solid, "factor", singular)
    done = fecontact("run", BLOCK, "--out", tmp_path / "out")
    assert done.code == 3
    assert f"the run cannot start: {SINGULAR_MATRIX}" in done.message
    assert not (tmp_path / "out").exists()


def test_a_matrix_that_is_singular_at_the_whole_step_only_cuts_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    simulation = Simulation(load(BLOCK, ["time.end=0.05"]))
    loop, factor = simulation.parts.loop, simulation.parts.solid.factor
    for _ in range(2):
        simulation.step()

    def singular_at_first(m: float, c: float, k: float) -> object:
        if loop.grid.whole and loop.time < 0.025:
            raise np.linalg.LinAlgError("the matrix is singular")
        return factor(m, c, k)

    monkeypatch.setattr(simulation.parts.solid, "factor", singular_at_first)
    loop._step.matrices._cached.clear()
    record = simulation.run()
    assert record.failure is None
    assert record.statistics["cuts"] == 1
    assert record.history.time[-1] == 0.05
    assert record.scalars["residual.equilibrium"].within_limit


def test_a_lumped_motion_without_bound_ends_the_run_and_keeps_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    growing = [*OVERFLOW[1:3], "forces.push.function=huge", "time.end=0.1"]
    done = fecontact("run", VALID["oscillator"], "--out", out, "--no-report", *changed(*growing))
    assert done.code == 3
    assert "the motion of 'shoe' grows without bound (t = 0.05" in done.message
    result = load_folder(out)
    assert result.record.failure is not None
    assert len(result.record.history.time) > 100
