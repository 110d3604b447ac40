"""Terminal output: a progress line, and none without a terminal."""

from __future__ import annotations

import io
import re

import pytest
from click.testing import CliRunner
from synthetic import released_mass

from fecontact.cli.commands.postprocess import plot, report
from fecontact.cli.progress import phase, progress
from fecontact.record import StepReport
from fecontact.results import evaluate_checks, print_checks, print_decisions, write_results


class Terminal(io.StringIO):
    """A terminal of 120 columns that stores its input."""

    def isatty(self):
        return True


def steps(show):
    for number in range(1, 101):
        show(StepReport(0.02 * number, 2.0, 0.02, number, iterations=3, stick=5, slip=12, open=4))


def test_progress_shows_time_step_iterations_statuses_and_time_left(monkeypatch):
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


def test_at_80_columns_the_bar_keeps_its_estimate_whatever_the_name(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("fecontact.cli.progress._REDRAW", 0.0)
    with progress("a study with a title that is much longer than a terminal's line can be") as show:
        steps(show)
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    lines = [line for line in re.split(r"[\r\n]+", shown) if "t = " in line]
    assert lines and max(map(len, lines)) <= 80
    assert all(re.search(r"\d+ %.*t = [\d.]+ s.*\d+:\d\d\s*$|--:--", line) for line in lines)


def test_a_phase_without_steps_is_described(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with phase("drawing pictures"):
        pass
    assert "drawing pictures" in terminal.getvalue()


def test_what_mpirun_may_write_to_a_log_has_no_escape_codes(monkeypatch, capsys, shoe_study, shoe):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    print_checks(evaluate_checks(shoe_study, shoe))
    assert "\x1b" not in capsys.readouterr().out


def test_settings_are_listed_with_defaults_and_costs(capsys, shoe_study, shoe):
    print_decisions(shoe_study, shoe)
    messages = capsys.readouterr().out.splitlines()
    assert "contact.sole.method = lagrangian" in messages
    assert {"iterations: 1050", "time in steps: 0.2 s"} <= set(messages)
    assert any(line.startswith("time.scheme = ") for line in messages)


@pytest.mark.parametrize("quiet", [True, False])
def test_progress_is_silent_in_pipes_or_on_request(monkeypatch, quiet):
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
