"""What the terminal shows: a line of progress, and nothing where there is no terminal."""

from __future__ import annotations

import io

import pytest
from click.testing import CliRunner
from synthetic import released_mass

from fecontact.cli.again import plot, report
from fecontact.cli.progress import progress
from fecontact.record import StepReport
from fecontact.results import evaluate_checks, write_results


class Terminal(io.StringIO):
    """A terminal of 120 columns that keeps what is written to it."""

    def isatty(self):
        return True


def steps(show):
    for number in range(1, 101):
        show(StepReport(0.02 * number, 2.0, 0.02, number, iterations=3, stick=5, slip=12, open=4))


def test_progress_tells_time_step_iterations_statuses_and_time_left(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("fecontact.cli.progress._REDRAW", 0.0)
    with progress("SDNV104") as show:
        steps(show)
        shown = terminal.getvalue()
    shown += terminal.getvalue()
    for part in ("SDNV104", "t = 2 s", "Δt = 0.02 s", "3 it", "stick/slip/open 5/12/4", "100 %"):
        assert part in shown
    assert "--:--" in shown or "00:0" in shown


@pytest.mark.parametrize("quiet", [True, False])
def test_progress_is_silent_where_it_is_piped_or_told_to_be(monkeypatch, quiet):
    stream = Terminal() if quiet else io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with progress("SDNV104", quiet=quiet) as show:
        assert show is None
    assert stream.getvalue() == ""


def test_pictures_and_page_are_made_again_from_the_folder_alone(tmp_path):
    study, record = released_mass()
    write_results(tmp_path, study, record, evaluate_checks(study, record), report=False)
    assert not (tmp_path / "report.html").exists()
    drawn = CliRunner().invoke(plot, [str(tmp_path)])
    made = CliRunner().invoke(report, [str(tmp_path)])
    assert (drawn.exit_code, made.exit_code) == (0, 0)
    listed = {line.rsplit("/", 1)[1] for line in drawn.output.split()}
    assert listed == {path.name for path in (tmp_path / "plots").iterdir()}
    assert {"model.png", "displacement.png", "phase-portrait.svg", "states.png"} <= listed
    assert made.output.strip() == str(tmp_path / "report.html")
    assert "1 passed, 0 failed" in (tmp_path / "report.html").read_text()
