"""A run in chunks, saved, restored, thinned, stopped."""

from __future__ import annotations

import numpy as np
import pytest
from lumped_systems import STEPPING, Data, oscillator, run, sliding_block, study, two_masses

from fecontact.lumped import LumpedRun, simulate
from fecontact.lumped import run as run_module
from fecontact.record import StepReport
from fecontact.study.errors import RunError


def busy() -> Data:
    """Friction, an impact and a force: everything that has a memory."""
    data = sliding_block(0.1)
    data["masses"]["block"] |= {"directions": ["x"], "velocity": [0.4, 0.0, 0.0]}
    data["watch"].pop("y")
    data["springs"] = {"s": {"between": ["block", "ground"], "stiffness": [400.0, 0.0, 0.0]}}
    data["functions"] = {"f": {"type": "sine", "frequency": 3.0}}
    data["forces"] = {"F": {"on": "block", "value": [3.0, 0.0, 0.0], "function": "f"}}
    data["obstacles"]["stop"] = {
        "type": "plane",
        "on": "block",
        "normal": [1.0, 0.0, 0.0],
        "gap": 0.01,
        "normal_stiffness": 1e5,
    }
    data["statistics"] = {"late": {"interval": [0.3, 0.7]}}
    del data["time"]["largest_step"]
    data["time"] |= {"step": 1e-4, "end": 1.0}
    return data


@pytest.mark.parametrize("integrator", [*STEPPING, "exact"])
def test_chunks_and_checkpoints_change_nothing(integrator: str) -> None:
    chosen = study(busy(), integrator=integrator)
    whole = simulate(chosen)
    first = LumpedRun(chosen)
    first.advance(37)
    first.advance(5)
    saved = {name: array.copy() for name, array in first.state.items()}
    second = LumpedRun(chosen)
    second.restore(saved)
    while not second.finished:
        second.advance(251)
    parts = second.record()
    assert np.array_equal(whole.history.time, parts.history.time)
    for name, column in whole.history.columns.items():
        assert np.array_equal(column, parts.history.columns[name]), name
    assert whole.scalars == parts.scalars
    assert whole.intervals == parts.intervals


def test_a_callback_hears_of_progress_and_can_stop() -> None:
    heard: list[StepReport] = []

    def stop_early(report: StepReport) -> bool:
        heard.append(report)
        return report.time > 0.2

    record = simulate(study(busy(), integrator="euler", step=2e-6), stop_early)
    assert [r.number for r in heard] == sorted(r.number for r in heard)
    assert 0.2 < record.history.time[-1] < 1.0


def test_long_histories_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "MOST_ROWS", 3000)
    record = run(oscillator(), integrator="euler", step=2e-5)
    assert 1000 < len(record.history.time) <= 3000
    assert record.history.time[0] == 0.0
    assert record.history.time[-1] == pytest.approx(1.0)
    assert np.all(np.diff(record.history.time) > 0)


def test_every_kth_step_is_kept_with_the_last() -> None:
    data = oscillator() | {"output": {"every": 7}}
    record = run(data, integrator="central-differences", step=1e-3)
    assert record.history.time[:3] == pytest.approx([0.0, 0.007, 0.014])
    assert record.history.time[-1] == pytest.approx(1.0)


def test_a_response_without_bound_is_stopped_and_named() -> None:
    """A push that grows by itself: friction coefficient so high that contact feeds on slip."""
    data = two_masses()
    data["springs"] = {}
    data["forces"]["push"] |= {"value": [1e12, 0.0, 0.0], "function": None}
    del data["forces"]["push"]["function"]
    chosen = study(data, integrator="euler", step=1e-3, end=100.0)
    record = simulate(chosen)
    assert record.failure is not None
    assert "'b' grows without bound" in record.failure
    with pytest.raises(RunError, match="without bound"):
        LumpedRun(chosen).advance(10**6)


def test_statistics_over_an_interval() -> None:
    record = run(busy(), integrator="central-differences", step=2e-5)
    exact = run(busy(), integrator="exact")
    for name in ("late.floor.wear_power", "late.stop.mean_force", "late.floor.contact_fraction"):
        assert record.scalars[name].value == pytest.approx(exact.scalars[name].value, rel=5e-3)
    assert exact.scalars["late.floor.mean_force"].value == pytest.approx(10.0, rel=1e-12)
    whole, late = exact.scalars["stop.impacts"].value, exact.scalars["late.stop.impacts"].value
    assert whole > late > 0


def test_intervals_cover_the_run() -> None:
    for integrator in ("exact", "euler"):
        record = run(busy(), integrator=integrator)
        for name in ("floor", "stop"):
            own = [i for i in record.intervals if i.name == name]
            assert own[0].start == 0.0
            assert own[-1].end == pytest.approx(1.0)
            ends, starts = [i.end for i in own[:-1]], [i.start for i in own[1:]]
            assert ends == starts
