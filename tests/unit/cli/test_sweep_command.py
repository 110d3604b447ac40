"""`fecontact sweep`: table, verdict, and the saved runs of a sweep."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import fecontact
from fecontact.cli.main import cli
from fecontact.results import make_report
from fecontact.results.charts.charts_data import Chart
from fecontact.results.report.sweep_runs import run_charts
from fecontact.study.errors import InputError

pytest.importorskip("dolfinx")
STUDY = """
title = "A mass thrown at a wall"
kind = "lumped"
[masses.ball]
mass = 1.0
directions = ["x"]
velocity = [1.0, 0.0, 0.0]
[obstacles.wall]
type = "plane"
on = "ball"
normal = [1.0, 0.0, 0.0]
gap = 0.05
normal_stiffness = 1e5
[time]
scheme = "exact"
step = 1e-3
end = 0.2
[watch.x]
type = "displacement"
at = "ball"
component = "x"
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A sweep over three gaps, and what its command printed."""
    folder = tmp_path_factory.mktemp("sweep")
    (folder / "ball.toml").write_text(STUDY, encoding="utf-8")
    words = ["sweep", str(folder / "ball.toml"), "gap=0.02,0.05,0.08", "--save-runs"]
    outcome = CliRunner().invoke(cli, [*words, "--out", str(folder / "out")])
    assert outcome.exit_code == 0, outcome.output
    return folder / "out", outcome.output


def test_the_axes_of_the_file_need_not_be_repeated(tmp_path: Path) -> None:
    axes = '[sweep.axes."obstacles.wall.gap"]\nvalues = [0.02, 0.05]\n'
    results = '[sweep.results.reach]\nquantity = "x"\nmeasure = "maximum"\n'
    study = tmp_path / "ball.toml"
    study.write_text(f"{STUDY}{axes}{results}", encoding="utf-8")
    outcome = CliRunner().invoke(cli, ["sweep", str(study), "--out", str(tmp_path / "out")])
    assert outcome.exit_code == 0, outcome.output
    assert "2 runs: all trusted" in outcome.output
    assert "0.0231623" in outcome.output


def test_a_sweep_without_axes_is_rejected_with_a_key_of_the_study(tmp_path: Path) -> None:
    study = tmp_path / "ball.toml"
    study.write_text(STUDY, encoding="utf-8")
    with pytest.raises(InputError) as error:
        cli(["sweep", str(study)], standalone_mode=False)
    assert "obstacles.wall.friction=" in str(error.value)


def test_table_and_verdict_are_printed(swept: tuple[Path, str]) -> None:
    _, printed = swept
    assert "gap of wall" in printed
    assert "largest x [m]" in printed
    assert "0.0231623" in printed  # gap + v √(m/k)
    assert "normal force" not in printed  # the same in all runs
    assert "3 runs: all trusted" in printed


def test_the_last_parts_of_a_key_name_an_axis(tmp_path: Path) -> None:
    (tmp_path / "ball.toml").write_text(STUDY, encoding="utf-8")
    words = ["sweep", str(tmp_path / "ball.toml"), "wall.gap=20 mm:50 mm:2"]
    outcome = CliRunner().invoke(cli, [*words, "--out", str(tmp_path / "out"), "--quiet"])
    assert outcome.exit_code == 0, outcome.output
    assert fecontact.read(tmp_path / "out").record.axes == {"obstacles.wall.gap": [0.02, 0.05]}


def test_every_run_has_a_report_to_which_the_table_leads(swept: tuple[Path, str]) -> None:
    folder, _ = swept
    page = make_report(folder).read_text(encoding="utf-8")
    for number in (1, 2, 3):
        assert f'href="runs/{number:04d}/report.html"' in page
        run = fecontact.read(folder / f"runs/{number:04d}")
        assert run.study.obstacles["wall"].gap == [0.02, 0.05, 0.08][number - 1]


def test_histories_of_the_runs_are_drawn_on_top_of_each_other(swept: tuple[Path, str]) -> None:
    folder, _ = swept
    result = fecontact.read(folder)
    (chart,) = run_charts(folder, result.study, result.record)
    assert isinstance(chart, Chart)
    assert [one.label for one in chart.series] == [f"gap of wall = {g}" for g in (0.02, 0.05, 0.08)]
    peaks = [float(one.y.max()) for one in chart.series]
    assert peaks == sorted(peaks) and peaks[0] > 0.02


def test_results_keep_the_order_of_the_study(swept: tuple[Path, str]) -> None:
    folder, _ = swept
    names = list(fecontact.read(folder).record.results)
    assert names == ["largest x", "largest normal force of wall"]
