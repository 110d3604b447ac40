"""Comparison of two results: differences with time and location."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from synthetic import sliding_shoe

import fecontact
from fecontact.cli.commands.compare import compare as command
from fecontact.record import SweepRecord
from fecontact.results import Result, write_results
from fecontact.results.plots.solid import draw_deformed, time_of_largest_load
from fecontact.results.report.comparison_page import print_comparison


@pytest.fixture
def pair(shoe_study):
    """The same run twice; the second is off by 1 mm at 1.5 s, and at one node of a field."""
    first, second = sliding_shoe(), sliding_shoe()
    second.history.columns["x_A"] = second.history.columns["x_A"] + 0.0
    second.history.columns["x_A"][150] += 1e-3
    second.fields.displacement[10, 7, 0] += 0.5
    return Result.of(shoe_study, first), Result.of(shoe_study, second)


def by_name(comparison):
    return {one.quantity: one for one in comparison.differences}


def test_the_largest_difference_is_reported_with_its_time_and_node(pair):
    found = by_name(fecontact.compare(*pair))
    assert found["x_A"].largest == pytest.approx(1e-3)
    assert found["x_A"].where == "at 1.5 s" and found["x_A"].unit == "m"
    assert found["displacement field"].largest == pytest.approx(0.5)
    assert found["displacement field"].where == "at 0.5 s, node 7"
    assert found["v_A"].largest == 0.0


def test_histories_of_other_steps_are_compared_between_their_points(shoe_study):
    coarse, fine = sliding_shoe(steps=175), sliding_shoe(steps=350)
    for record in (coarse, fine):
        record.history.columns = {"line": 2.0 * record.history.time}
    comparison = fecontact.compare(
        *(Result.of(shoe_study, record, []) for record in (coarse, fine))
    )
    assert by_name(comparison)["line"].largest < 1e-12
    assert next(chart.key for chart in comparison.charts()) == "line"


def test_a_sweep_or_a_single_result_is_rejected(pair, shoe_study):
    sweep = Result.of(shoe_study, SweepRecord({"a": [1.0]}, {"x": np.ones(1)}), [])
    with pytest.raises(fecontact.InputError, match="sweeps cannot be compared"):
        fecontact.compare(pair[0], sweep)
    with pytest.raises(fecontact.InputError, match="two results or more"):
        fecontact.compare(pair[0])


def test_the_command_prints_a_table_and_writes_one_page(tmp_path, monkeypatch, pair):
    monkeypatch.chdir(tmp_path)
    for name, result in zip("ab", pair, strict=True):
        write_results(tmp_path / name, result.study, result.record, result.rows, report=False)
    done = CliRunner().invoke(command, ["a", "b"], catch_exceptions=False)
    assert done.exit_code == 0
    assert "b compared with a" in done.output and "at 1.5 s" in done.output
    assert max(len(line) for line in done.output.splitlines()) <= 80
    page = (tmp_path / "results" / "comparison.html").read_text()
    assert "<th>verdict</th>" in page and '<td data-name="verdict">trusted</td>' in page
    assert "x_A: difference" in page and "14.898649 (passed)" in page
    CliRunner().invoke(command, ["a", "b"], catch_exceptions=False)
    assert (tmp_path / "results" / "comparison-2.html").exists()


def test_equal_results_are_reported_in_one_line(pair, capsys):
    print_comparison(fecontact.compare(pair[0], pair[0], names=["a", "b"]))
    messages = capsys.readouterr().out
    assert "no difference: x_A" in messages and "largest difference" not in messages


def test_round_off_is_listed_apart_from_differences(shoe_study, capsys):
    first, second = sliding_shoe(), sliding_shoe()
    second.history.columns["x_A"] = first.history.columns["x_A"] * (1.0 + 1e-13)
    second.history.columns["contact.sole.slip"] = first.history.columns["x_A"]
    first.history.columns["contact.sole.slip"] = 2.0 * first.history.columns["x_A"]
    results = (Result.of(shoe_study, record, []) for record in (first, second))
    print_comparison(fecontact.compare(*results, names=["a", "b"]))
    printed = capsys.readouterr().out
    assert "round-off: x_A" in printed
    assert " contact.sole.slip " in printed


def test_the_views_of_a_comparison_show_one_time(tmp_path, pair, monkeypatch):
    fields = pair[1].record.fields
    assert len(fields.time) > 2
    fields.stress[:] *= np.linspace(9.0, 1.0, len(fields.time))[:, None, None]
    shared = []
    monkeypatch.setattr(
        "fecontact.results.report.comparison_parts.draw_deformed",
        lambda study, record, stem, what: (shared.append(what), draw_deformed(study, record, stem)),
    )
    fecontact.compare(*pair, names=["a", "b"]).save(tmp_path / "c.html")
    assert len(shared) == 2 and shared[0] == shared[1]
    assert shared[0].time == time_of_largest_load(pair[0].record)
    assert shared[0].time != time_of_largest_load(pair[1].record)


def test_each_of_several_runs_has_its_own_table(pair, capsys):
    names = ["a", "b", "augmented-lagrangian"]
    print_comparison(fecontact.compare(pair[0], pair[0], pair[1], names=names))
    same, different = capsys.readouterr().out.split("augmented-lagrangian compared with a:")
    assert "b compared with a:" in same and "largest difference" not in same
    assert different.count("largest difference") == 1 and " x_A " in different


def test_the_page_shows_both_values_of_what_was_changed_and_of_key_figures(
    tmp_path, pair, shoe_study
):
    other = fecontact.changed(shoe_study, {"contact.sole.friction": 0.15})
    pair[1].record.key_figures[0] = replace(pair[1].record.key_figures[0], value=3.1e5)
    second = Result(other, pair[1].record, pair[1].rows, pair[1].versions)
    page = fecontact.compare(pair[0], second, names=["a", "b"]).save(tmp_path / "c.html")
    text = re.sub(r' data-name="[^"]*"', "", page.read_text())
    assert "<td>contact.sole.friction</td><td>0.3</td><td>0.15</td>" in text
    assert "<td>240 kPa</td><td>310 kPa</td><td>+29.2 %</td>" in text
    listed = text.partition("Largest differences")[2].partition("Histories")[0]
    assert ">x_A</td>" in listed and ">1 mm</td>" in listed and ">v_A</td>" not in listed
    assert text.count("Deformed bodies") >= 3  # the heading and a picture of each


def test_only_the_histories_that_differ_most_are_drawn(tmp_path, shoe_study):
    first, second = sliding_shoe(), sliding_shoe()
    for n in range(9):
        first.history.columns[f"h{n}"] = first.history.time
        second.history.columns[f"h{n}"] = (1.0 + n) * first.history.time
    page = fecontact.compare(*(Result.of(shoe_study, r, []) for r in (first, second)))
    text = page.save(tmp_path / "c.html").read_text()
    drawn = re.findall(r'"key": ?"(\w+)-difference"', text)
    assert drawn == ["h8", "h7", "h6", "h5", "h4"]
    assert "Other histories that differ: h3, h2, h1." in text
