"""Runs in chunks: saved, restored, thinned, stopped."""

from __future__ import annotations

import numpy as np
import pytest
from lumped_systems import STEPPING, Data, oscillator, run, sliding_block, study, two_masses

from fecontact.lumped import run as run_module
from fecontact.lumped.run import LumpedRun
from fecontact.record import StepReport
from fecontact.simulation import Simulation


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
    del data["time"]["max_step"]
    data["time"] |= {"step": 1e-4, "end": 1.0}
    return data


@pytest.mark.parametrize("scheme", [*STEPPING, "exact"])
def test_chunks_and_checkpoints_change_nothing(scheme: str) -> None:
    chosen = study(busy(), scheme=scheme)
    whole = Simulation(chosen).run()
    first = LumpedRun(chosen)
    for _ in range(42):
        first.advance(single=True)
    saved = {name: array.copy() for name, array in first.state().items()}
    second = LumpedRun(chosen)
    second.restore(saved)
    while not second.finished:
        second.advance()
    parts = second.record()
    assert np.array_equal(whole.history.time, parts.history.time)
    for name, column in whole.history.columns.items():
        assert np.array_equal(column, parts.history.columns[name]), name
    assert whole.scalars == parts.scalars
    assert whole.intervals == parts.intervals


def test_a_run_reports_on_its_way() -> None:
    heard: list[StepReport] = []
    record = Simulation(study(busy(), scheme="euler", step=2e-6)).run(heard.append)
    assert len(heard) > 2
    assert [r.number for r in heard] == sorted({r.number for r in heard})
    assert heard[-1].number == record.statistics["steps"] == 500_000
    assert heard[-1].time == pytest.approx(heard[-1].end)


def test_a_chunk_of_steps_ends_where_a_checkpoint_is_due() -> None:
    run = LumpedRun(study(busy() | {"output": {"checkpoint_every": 700}}, scheme="euler"))
    assert [run.advance().number for _ in range(3)] == [700, 1400, 2100]
    assert run.advance(single=True).number == 2101
    assert run.advance().number == 2800


def test_long_histories_are_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "MAX_ROWS", 3000)
    record = run(oscillator(), scheme="euler", step=2e-5)
    assert 1000 < len(record.history.time) <= 3000
    assert record.history.time[0] == 0.0
    assert record.history.time[-1] == pytest.approx(1.0)
    assert np.all(np.diff(record.history.time) > 0)


def test_every_kth_step_is_saved_with_the_last() -> None:
    data = oscillator() | {"output": {"every": 7}}
    record = run(data, scheme="central-difference", step=1e-3)
    assert record.history.time[:3] == pytest.approx([0.0, 0.007, 0.014])
    assert record.history.time[-1] == pytest.approx(1.0)


def test_a_response_without_bound_is_stopped_and_named() -> None:
    """No spring holds the masses against a push of 1e30 N."""
    data = two_masses()
    data["springs"] = {}
    data["forces"]["push"] |= {"value": [1e30, 0.0, 0.0], "function": None}
    del data["forces"]["push"]["function"]
    chosen = study(data, scheme="euler", step=1e-3, end=100.0)
    record = Simulation(chosen).run()
    assert record.failure is not None
    assert "'b' grows without bound" in record.failure
    assert np.isfinite(record.history.columns["xb"]).all()


def test_statistics_over_an_interval() -> None:
    record = run(busy(), scheme="central-difference", step=2e-5)
    exact = run(busy(), scheme="exact")
    for name in ("late.floor.work_rate", "late.stop.mean_force", "late.floor.contact_fraction"):
        assert record.scalars[name].value == pytest.approx(exact.scalars[name].value, rel=5e-3)
    assert exact.scalars["late.floor.mean_force"].value == pytest.approx(10.0, rel=1e-12)
    whole, late = exact.scalars["stop.impacts"].value, exact.scalars["late.stop.impacts"].value
    assert whole > late > 0


def test_intervals_cover_the_run() -> None:
    for scheme in ("exact", "euler"):
        record = run(busy(), scheme=scheme)
        for name in ("floor", "stop"):
            own = [i for i in record.intervals if i.name == name]
            assert own[0].start == 0.0
            assert own[-1].end == pytest.approx(1.0)
            ends, starts = [i.end for i in own[:-1]], [i.start for i in own[1:]]
            assert ends == starts
