"""Benchmarks: measured quantities, tables, and programs that are not installed."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.measure import finite_strain, peers, reduced
from benchmarks.measure.__main__ import _origin, bench
from benchmarks.measure.children import run_child
from benchmarks.measure.finite_element import Measurement, measure
from benchmarks.measure.report import (
    Outcome,
    draw,
    print_ironing,
    print_peers,
    print_reduced,
    print_rolling,
    print_sizes,
)
from benchmarks.measure.rolling import measure as measure_rolling
from benchmarks.measure.rolling import write_disc


@pytest.fixture(scope="module")
def small() -> Measurement:
    return measure(2, "lu")


def test_a_size_is_measured_with_its_error(small: Measurement) -> None:
    assert (small.dofs, small.contact_dofs, small.steps) == (18, 6, 350)
    assert 0 < small.back_substitution < small.step < small.loop
    assert 0 < small.compliance < small.loop
    assert small.error < 5e-4  # m: the scheme's error at this step


def test_a_measurement_has_its_date_commit_and_machine() -> None:
    origin = _origin()
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", origin["date"])
    assert re.fullmatch(r"[0-9a-f]{8}|unknown", origin["commit"])
    assert "cores" in origin["machine"]


def test_peer_that_is_not_there_is_skipped_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert "ccx" in peers.measure("CalculiX", 2)["skipped"]


def test_process_that_fails_is_skipped_with_its_last_words() -> None:
    assert run_child([sys.executable, "-c", "raise SystemExit('no such thing')"]) == {
        "skipped": "no such thing"
    }
    assert "skipped" in run_child(["/nowhere/python"])


def test_tables_picture_and_json(
    small: Measurement, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = {"version": "1", "steps": 350, "seconds": 100 * small.loop, "x170": 14.9, "x340": 3.5}
    outcome = Outcome([small], {"Peer": {2: answer}, "Other": {2: {"skipped": "not here"}}})
    print_sizes(outcome)
    print_peers(outcome)
    printed = capsys.readouterr().out
    assert "100" in printed and "not here" in printed
    draw(outcome, tmp_path / "cost.png")
    outcome.write(tmp_path / "bench.json")
    assert (tmp_path / "cost.png").stat().st_size > 1000
    assert json.loads((tmp_path / "bench.json").read_text())["sizes"][0]["cells"] == 2


def test_ironing_is_measured_beside_its_limit_and_another_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(finite_strain, "RUNS", 1)
    found = finite_strain.measure(6)
    assert (found.dofs, found.contact_dofs) == (156, 26)
    assert 30 <= found.steps < found.factorisations < found.iterations
    assert found.tangential == pytest.approx(-0.3 * found.normal, rel=0.1)  # nearly μ
    other = {"cpu": 7 * found.loop, "normal": 1.01 * found.normal, "tangential": found.tangential}
    print_ironing(Outcome(ironing=[found], ironed={6: other}))
    printed = capsys.readouterr().out
    assert "7.0" in printed and "1.00 %" in printed


def test_rolling_disc_has_one_factor_and_few_substitutions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rolling, run = measure_rolling("energy-momentum", cell_size=0.1, end=0.12)
    assert (rolling.steps, rolling.factorisations) == (60, 1)
    assert 1.0 <= rolling.substitutions <= 5.0
    assert rolling.x == pytest.approx(rolling.exact, rel=0.3)  # a few facets
    write_disc(run.solid.mesh, tmp_path / "disc.json")
    disc = json.loads((tmp_path / "disc.json").read_text())
    assert 2 * len(disc["points"]) == rolling.dofs
    assert 2 * len(disc["arc"]) == rolling.contact_dofs
    peer = {
        "version": "1",
        "dofs": rolling.dofs,
        "steps": 60,
        "step": 30 * rolling.step,
        "iterations": 3.0,
        "x": rolling.exact,
    }
    print_rolling(Outcome(rolling=[rolling], rolling_peer=peer))
    print_rolling(Outcome(rolling=[rolling], rolling_peer={"skipped": "not here"}))
    printed = capsys.readouterr().out
    assert " 30" in printed and "180" in printed and "not here" in printed


@pytest.mark.parametrize("size", ["0", "five", "5,", "-3"])
def test_impossible_sizes_are_rejected(size: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(bench, ["--size", size, "--out", str(tmp_path)])
    assert done.exit_code == 2
    assert "--size" in done.output


def test_a_reduced_shoe_is_measured_beside_the_full_one(capsys: pytest.CaptureFixture[str]) -> None:
    found = reduced.measure(6)
    assert found.interface < found.coordinates < found.dofs
    assert min(found.full_step, found.step) > 0.0
    saves = replace(found, set_up=2.0, full_step=3e-3, step=1e-3)
    assert saves.pays_after == pytest.approx(1000.0)
    assert replace(saves, step=4e-3).pays_after == float("inf")
    print_reduced(Outcome(reduced=[saves], million_steps=12.5))
    printed = capsys.readouterr().out
    assert "1000 steps" in printed and "12.5" in printed
