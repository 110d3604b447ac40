"""Histories of the exact scheme contain every event and the peak of every impact."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from fecontact.lumped.recording import Recorded
from fecontact.record import RunRecord
from fecontact.results.checks.references import exact_curves
from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.library import file_of


def sdnd121(*changes: str) -> tuple[RunRecord, Path]:
    path = file_of("sdnd121-exact")
    return Simulation(load(path, list(changes))).run(), path


@pytest.mark.parametrize("step", [1e-3, 0.1])
def test_a_force_history_shows_every_impact_with_its_peak(step: float) -> None:
    """70 impacts of 0.4 ms, however coarse the samples are."""
    record, _ = sdnd121(f"time.step={step}")
    force, time = record.history.columns["impact"], record.history.time
    assert np.all(np.diff(time) >= 0.0)
    peaks = [
        force[(time >= i.start) & (time <= i.end)].max()
        for i in record.intervals
        if i.state == "contact"
    ]
    assert len(peaks) == 70
    assert min(peaks) > 0.0
    assert force.max() == pytest.approx(record.scalars["stop.largest_force"].value, rel=1e-12)
    assert force.max() == pytest.approx(231972.0, rel=1e-5)


def test_the_exact_curve_does_not_depend_on_what_the_run_has_seen() -> None:
    record, path = sdnd121("time.step=0.1", "time.end=1.0")
    record.history.time = np.array([0.0, 0.5, 1.0])
    _, force = exact_curves(load(path), record)["impact"]
    whole, _ = sdnd121("time.end=1.0")
    assert force.max() == pytest.approx(whole.scalars["stop.largest_force"].value, rel=1e-5)
    inside = (force > 0.0).astype(int)
    assert np.sum(np.diff(inside) == 1) == whole.scalars["stop.impacts"].value


def test_thinning_keeps_events() -> None:
    kept = Recorded.empty(3, 0)
    kept.rows = np.array([[t, 0.0, float(t % 10 == 5)] for t in range(101)])
    assert kept.thin(60)
    assert kept.rows[kept.rows[:, -1] == 1.0, 0].tolist() == list(range(5, 101, 10))
    assert kept.rows[-1, 0] == 100
    assert len(kept.rows) <= 60
    assert not kept.events_thinned


def test_each_saved_row_is_copied_once_however_many_follow() -> None:
    saved = Recorded.empty(2, 0)
    block = np.arange(8.0).reshape(4, 2)
    buffers = SimpleNamespace(used=[4, 0, 0], rows=block, events=np.empty((0, 5)), marks=block[:0])
    for _ in range(3):
        saved.take(buffers, 0)
    first = saved.blocks[1]
    saved.take(buffers, 0)
    assert saved.blocks[1] is first
    assert saved.rows.tolist() == np.tile(block, (4, 1)).tolist()
    assert saved.count == 16
