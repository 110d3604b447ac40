"""Validation manual: one page per case, generated from the studies and their runs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from synthetic import HOSTILE, released_mass

from fecontact.results import Result
from fecontact.results.checks.evaluation import stopped
from fecontact.results.manual.case_page import beside_aster
from fecontact.results.manual.entry import Entry
from fecontact.results.manual.overview import make_manual


@pytest.fixture
def entry(shoe_study, shoe):
    return Entry.of(Result.of(shoe_study, shoe), "sdnv104d.toml", 1.5, pictures=False)


def stating(entry, **keys):
    return replace(entry, study=entry.study.model_copy(update=keys))


def test_the_overview_links_a_page_for_each_case_and_marks_what_failed(tmp_path, entry):
    mass = Entry.of(Result.of(*released_mass()), "mass.toml", 0.1, pictures=False)
    bad = replace(entry, rows=[replace(entry.rows[0], error=1.0, outcome="failed")])
    page = make_manual(tmp_path, [entry, bad, mass]).read_text()
    assert "3 passed, 1 failed" in page
    links = re.findall(r'href="(cases/[^"]+)"', page)
    assert set(links) == {"cases/SDND100.html", "cases/SDNV104.html"}
    assert '<tr class="failed">' in page
    case = (tmp_path / "cases" / "SDNV104.html").read_text()
    assert case.count('<tr class="failed">') == 1
    assert entry.study.title in case and "sdnv104d.toml" in case


def test_cases_are_ranked_by_their_largest_relative_error(tmp_path, entry):
    def case(name, error):
        row = replace(entry.rows[0], case=name, reference=2.0, error=error, tolerance=1.0)
        return stating(replace(entry, rows=[row]), case=name, requirement="")

    page = make_manual(tmp_path, [case("small", 1e-9), case("large", 0.02), case("mean", 1e-4)])
    order = re.findall(r'href="cases/(\w+)\.html"', page.read_text())
    assert order == ["large", "mean", "small"]
    assert ">1 %<" in page.read_text()


def test_a_requirement_is_met_if_something_proves_it_and_nothing_contradicts_it(tmp_path, entry):
    proved = stating(entry, requirement="Bodies slide.")
    failed = replace(
        stating(entry, requirement="Bodies stick.", case="other"),
        rows=[entry.rows[0], replace(entry.rows[0], outcome="failed")],
    )
    guarded = replace(
        stating(entry, requirement="Bodies fly.", case="third"),
        rows=[replace(entry.rows[0], outcome="known deviation")],
    )
    page = make_manual(tmp_path, [proved, failed, guarded]).read_text()
    lines = {s: re.search(rf"{s}.*?</tr>", page)[0] for s in ("slide", "stick", "fly")}
    assert ">met<" in lines["slide"]
    assert ">not met<" in lines["stick"] and ">not met<" in lines["fly"]


def test_a_page_shows_the_derivation_of_a_reference_and_markup_as_text(tmp_path, entry):
    words = f"First, as `belt` has it.\n\nSecond {HOSTILE} `{HOSTILE}`."
    make_manual(tmp_path, [stating(entry, derivation=words, case=f"c {HOSTILE}")])
    (page,) = (tmp_path / "cases").iterdir()
    text = page.read_text()
    assert "<p>First, as <code>belt</code> has it.</p>" in text
    assert HOSTILE not in text and HOSTILE not in (tmp_path / "index.html").read_text()


@pytest.mark.parametrize(
    ("code_aster", "error", "words"),
    [
        (1.1, 0.01, "10 × smaller"),
        (1.1, 0.2, "2 × larger"),
        (1.0, 0.1, ""),
        (None, 0.1, ""),
        (1.1, 0.0, "> 1000 × smaller"),
    ],
)
def test_the_error_is_compared_with_that_of_code_aster(entry, code_aster, error, words):
    row = replace(entry.rows[0], reference=1.0, code_aster=code_aster, error=error)
    assert beside_aster(row) == words


def test_pictures_of_a_run_are_inside_its_page(tmp_path, shoe_study, shoe):
    result = Result.of(shoe_study, shoe)
    make_manual(tmp_path, [Entry.of(result, "shoe.toml", 1.0, pictures=True)])
    page = (tmp_path / "cases" / "SDNV104.html").read_text()
    assert page.count("<img") >= 3
    assert set(re.findall(r'src="(data:image/[a-z+]+)', page)) <= {
        "data:image/svg+xml", "data:image/png",
    }  # fmt: skip


def test_a_case_that_was_not_computed_comes_first_and_one_without_proof_is_a_regression_check(
    tmp_path, entry
):
    lost = replace(stating(entry, case="lost"), rows=[stopped(entry.study, "its process ended")])
    row = replace(entry.rows[0], outcome="known deviation")
    guarded = replace(stating(entry, case="guarded"), rows=[row])
    page = make_manual(tmp_path, [guarded, entry, lost]).read_text()
    lines = re.findall(
        r'<tr class="[\w-]+"><td><a href="cases/(\w+)\.html".*?class="mark">([\w ]+)', page
    )
    assert lines[0] == ("lost", "failed")
    assert ("guarded", "regression only") in lines
