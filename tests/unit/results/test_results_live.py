"""A report that is updated during its run, and is complete at the end."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from synthetic import released_mass
from test_results_report import data_of

import fecontact
from fecontact.cli import live
from fecontact.cli.commands.run import run
from fecontact.record import History, RunRecord, StepReport
from fecontact.results import Result, prepare_folder
from fecontact.results.report.page import write_report


def test_the_page_grows_and_its_last_form_does_not_reload(tmp_path, monkeypatch):
    study, whole = released_mass()
    reports, steps = [], []

    def so_far():
        history = whole.history
        kept = slice(len(steps) * 100)
        columns = {name: values[kept] for name, values in history.columns.items()}
        return RunRecord(History(history.time[kept], columns, history.units))

    monkeypatch.setattr(live, "PERIOD", 0.0)
    monkeypatch.setattr(live, "_SHARE", 1e9)
    prepare_folder(tmp_path)
    page = live.LivePage(study, so_far, tmp_path, steps.append)
    for number in (1, 2):
        page(StepReport(0.01 * number, 0.15, 1e-4, 100 * number))
        reports.append((tmp_path / "report.html").read_text())
    assert len(steps) == 2  # the progress bar is updated, too
    assert all('http-equiv="refresh"' in text for text in reports)
    lengths = [max(a["length"] for a in data_of(text)["arrays"]["arrays"]) for text in reports]
    assert lengths[0] < lengths[1]
    write_report(tmp_path, Result.of(study, whole))
    assert 'http-equiv="refresh"' not in (tmp_path / "report.html").read_text()


def test_a_sweep_cannot_be_watched_live(tmp_path):
    with pytest.raises(fecontact.InputError, match="not supported for sweeps"):
        CliRunner().invoke(
            run, ["sdnd104-map", "--live", "--out", str(tmp_path / "out")], catch_exceptions=False
        )
