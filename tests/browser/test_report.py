"""Reports and validation manual in a browser: no errors, and animated."""

from __future__ import annotations

import contextlib
import re
import zlib

import numpy as np
import pytest
from chromium import BROWSER, Browser
from click.testing import CliRunner
from synthetic import HOSTILE, released_mass, sliding_shoe

import fecontact
from fecontact.cli.main import cli
from fecontact.record import RunWarning, SweepRecord
from fecontact.results import Result, evaluate_checks, make_report, write_results
from fecontact.results.manual.entry import Entry
from fecontact.results.manual.overview import make_manual

pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no browser: install Debian's chromium to test the pages in it"
)
READY = "document.body !== null && document.body.dataset.ready === 'yes'"
CANVAS = "document.getElementById('stage').toDataURL()"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture
def opened(browser):
    """Open a page, wait until it is drawn, and see to it that it raised no error."""

    def open_page(path):
        browser.errors.clear()
        page = browser.open(path)
        page.wait_for(READY)
        return page

    yield open_page
    assert browser.errors == []


def report_of(folder, study, record, rows=()):
    """The report of a run, without the pictures that it does not need."""
    return make_report(write_results(folder, study, record, rows, report=False))


def slide_to(page, value):
    page.evaluate(
        f"{{const s = document.getElementById('time'); s.value = {value};"
        "s.dispatchEvent(new Event('input'));}"
    )


def test_the_shoe_slides_when_the_time_slider_is_moved(tmp_path, opened, shoe_study, shoe):
    page = opened(report_of(tmp_path, shoe_study, shoe, evaluate_checks(shoe_study, shoe)))
    before = page.evaluate(CANVAS)
    slide_to(page, 40)
    assert page.evaluate("document.getElementById('clock').value") == "t = 2 s"
    assert page.evaluate(CANVAS) != before
    pressed = page.evaluate(CANVAS)
    page.evaluate("document.getElementById('magnify').click()")
    assert page.evaluate(CANVAS) != pressed
    assert page.evaluate("document.querySelectorAll('section.plot').length") == 11
    assert page.evaluate("document.querySelectorAll('tr.passed').length") == 2


def test_checks_fit_the_width_of_a_phone(tmp_path, opened, shoe_study, shoe):
    page = opened(report_of(tmp_path, shoe_study, shoe, evaluate_checks(shoe_study, shoe)))
    page.resize(420)
    cells = "[...document.querySelectorAll('.checks td')]"
    right = f"Math.max(...{cells}.map((cell) => cell.getBoundingClientRect().right))"
    assert 0 < page.evaluate(right) <= 420


def test_nothing_but_the_study_scrolls_sideways_on_a_phone(tmp_path, opened, shoe_study, shoe):
    page = opened(report_of(tmp_path, shoe_study, shoe, evaluate_checks(shoe_study, shoe)))
    page.resize(420)
    cut = "[...document.querySelectorAll('main *')].filter((e) => e.clientWidth > 0"
    cut += " && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible')"
    assert page.evaluate(f"{cut}.map((e) => e.className || e.tagName)") == []
    assert page.evaluate("document.querySelectorAll('.samples li').length") > 3


def test_play_runs_through_time_and_pause_holds_it(tmp_path, opened, shoe_study, shoe):
    page = opened(report_of(tmp_path, shoe_study, shoe))
    page.evaluate("document.getElementById('play').click()")
    page.wait_for("Number(document.getElementById('time').value) > 3")
    page.evaluate("document.getElementById('play').click()")
    prescribed = page.evaluate("document.getElementById('time').value")
    page.evaluate("new Promise((done) => setTimeout(done, 300))")
    assert page.evaluate("document.getElementById('time').value") == prescribed


def test_a_lumped_mass_moves_with_its_phase_portrait(tmp_path, opened):
    study, record = released_mass()
    page = opened(report_of(tmp_path, study, record, evaluate_checks(study, record)))
    before = page.evaluate(CANVAS)
    slide_to(page, 300)
    assert page.evaluate(CANVAS) != before
    assert page.evaluate("document.querySelectorAll('section.plot').length") >= 4


def test_a_sweep_shows_its_map(tmp_path, opened, shoe_study):
    sweep = SweepRecord(
        axes={"contact.sole.friction": [0.1, 0.2, 0.3, 0.4], "time.step": [0.01, 0.02, 0.03, 0.04]},
        results={"last place": np.arange(16.0).reshape(4, 4)},
        units={"last place": "m"},
    )
    page = opened(report_of(tmp_path, shoe_study, sweep))
    assert page.evaluate("document.querySelectorAll('section.plot').length") == 1
    assert page.evaluate("document.querySelector('.badge').textContent") == "16 runs: all trusted"
    command = "fecontact run STUDY --no-sweep --set contact.sole.friction=0.1 --set time.step=0.01"
    assert command in page.evaluate("document.querySelector('main').textContent")
    order = "[...document.querySelectorAll('nav a')].map((a) => a.textContent)"
    assert page.evaluate(order)[:2] == ["Results", "Plots"]
    charted = "charts[0].draw(), charts[0].pick(charts[0].x.pixel(0.2), charts[0].y.pixel(0.04))"
    page.evaluate(charted)
    row = "[...document.querySelector('tr.chosen').cells].map((cell) => cell.textContent)"
    assert page.evaluate(row) == ["8", "0.2", "0.04", "7"]
    seen = "new Set(document.querySelector('.canvases canvas').getContext('2d')"
    page.wait_for(f"{seen}.getImageData(100, 20, 900, 200).data).size > 20")


def test_a_point_of_a_curve_leads_to_its_run(tmp_path, opened, shoe_study):
    sweep = SweepRecord(
        axes={"contact.sole.friction": [0.1, 0.2, 0.3], "time.step": [0.01, 0.02]},
        results={"reach": np.arange(6.0).reshape(3, 2)},
        units={"reach": "m"},
    )
    page = opened(report_of(tmp_path, shoe_study, sweep))
    page.evaluate(
        "charts[0].draw(), charts[0].pick(charts[0].x.pixel(0.3), charts[0].y.pixel(4.1))"
    )
    row = "[...document.querySelector('tr.chosen').cells].map((cell) => cell.textContent)"
    assert page.evaluate(row) == ["5", "0.3", "0.01", "4"]


def test_a_comparison_shows_both_values_and_both_views_beside_each_other(
    tmp_path, opened, shoe_study, shoe
):
    other = fecontact.changed(shoe_study, {"contact.sole.friction": 0.15})
    slower = sliding_shoe()
    slower.history.columns["x_A"] *= 0.5
    results = [Result.of(shoe_study, shoe), Result.of(other, slower)]
    page = opened(fecontact.compare(*results, names=["a", "b"]).save(tmp_path / "ab.html"))
    page.resize(1400)
    rows = "[...document.querySelectorAll('tr')].map((r) => r.textContent)"
    assert "contact.sole.friction0.30.15" in page.evaluate(rows)
    tops = "[...document.querySelectorAll('.beside img')].map((i) => i.getBoundingClientRect().top)"
    first, second = page.evaluate(tops)
    assert first == second
    assert page.evaluate("document.documentElement.scrollHeight") < 6000


def test_markup_in_a_study_is_shown_as_text_and_does_not_run(tmp_path, opened, hostile_study, shoe):
    shoe.warnings.append(RunWarning(HOSTILE))
    shoe.failure = HOSTILE
    rows = evaluate_checks(hostile_study, shoe)
    page = opened(report_of(tmp_path, hostile_study, shoe, rows))
    assert page.evaluate("document.querySelector('h1').textContent") == f"Title {HOSTILE}"
    assert page.evaluate("document.querySelectorAll('img[src=\"x\"]').length") == 0
    assert HOSTILE in page.evaluate("document.querySelector('.failure').textContent")


def test_the_manual_leads_to_its_cases_and_back(tmp_path, browser, shoe_study, shoe):
    result = Result.of(shoe_study, shoe)
    entries = [Entry.of(result, "shoe.toml", 1.0, pictures=True)]
    browser.errors.clear()
    page = browser.open(make_manual(tmp_path / "manual #1", entries))
    page.wait_for("document.querySelector('td a') !== null")
    assert page.evaluate("document.querySelector('.badge').textContent") == "2 passed, 0 failed"
    # Later, so that the question is answered before its page is gone.
    page.evaluate("void setTimeout(() => document.querySelector('td a').click())")
    page.wait_for("document.querySelector('h1')?.textContent == 'SDNV104'")
    page.wait_for("document.readyState == 'complete'")
    assert page.evaluate("document.images.length") > 2
    assert page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    assert browser.errors == []


def test_a_key_figure_leads_to_its_time_and_its_node(tmp_path, opened, shoe_study, shoe):
    page = opened(report_of(tmp_path, shoe_study, shoe))
    before = page.evaluate(CANVAS)
    page.evaluate("document.querySelector('table.figures tbody tr').click()")
    assert page.evaluate("document.getElementById('clock').value") == "t = 1 s"
    node = shoe.key_figures[0].node
    assert page.evaluate("player.stage.marked.node") == node
    assert page.evaluate(CANVAS) != before
    page.evaluate("document.querySelectorAll('table.figures tbody tr')[1].click()")
    assert page.evaluate("player.stage.marked") is None
    assert page.evaluate("document.getElementById('clock').value") == "t = 2 s"


def test_the_contents_list_leads_to_sections_with_charts(tmp_path, opened, shoe_study, shoe):
    page = opened(report_of(tmp_path, shoe_study, shoe))
    targets = "[...document.querySelectorAll('nav a')].map((a) => document.querySelector(a.hash))"
    assert page.evaluate(f"{targets}.every((there) => there !== null)")
    sections = "[...document.querySelectorAll('section.plots')]"
    assert page.evaluate(f"{sections}.every((s) => s.querySelector('section.plot') !== null)")


def test_printing_draws_the_charts_that_were_never_scrolled_to(tmp_path, opened, shoe_study, shoe):
    page = opened(report_of(tmp_path, shoe_study, shoe))
    page.resize(1200, 300, dark=True)
    last = "[...document.querySelectorAll('.canvases canvas:first-child')].at(-1)"
    whole = f"getImageData(0, 0, {last}.width, {last}.height)"
    ink = f"new Set({last}.getContext('2d').{whole}.data).size"
    assert page.evaluate(ink) <= 2  # nothing is drawn: it is far below the window
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(ink) > 4
    paper = "getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"
    assert page.evaluate(paper) == "#ffffff"
    assert page.evaluate("document.querySelector('main').clientWidth") <= 700
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(paper) != "#ffffff"


def test_paper_has_the_same_width_whatever_the_window(tmp_path, opened, shoe_study, shoe):
    # otherwise the canvases of a narrow window would be stretched to the width of the paper
    page = opened(report_of(tmp_path, shoe_study, shoe))
    widths = "[document.querySelector('main').clientWidth, charts[0].base.clientWidth]"
    found = []
    for window in (420, 1400):
        page.resize(window)
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        found.append(page.evaluate(widths))
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert found[0] == found[1] and found[0][0] == 690


def test_bands_extremes_and_the_undeformed_outline_change_the_view(
    tmp_path, opened, shoe_study, shoe
):
    page = opened(report_of(tmp_path, shoe_study, shoe))
    seen = {page.evaluate(CANVAS)}
    for name in ("bands", "extremes", "undeformed"):
        page.evaluate(f"document.getElementById('{name}').click()")
        seen.add(page.evaluate(CANVAS))
    assert len(seen) == 4


def test_nodes_that_several_pairs_share_show_stick_over_slip_over_open(
    tmp_path, opened, shoe_study, shoe
):
    page = opened(report_of(tmp_path, shoe_study, shoe))
    assert page.evaluate("STATUS_ORDER.map((which) => STATUS[which][0])") == [
        "open",
        "slip",
        "stick",
    ]


def strokes(pdf):
    """The number of line segments on each page or form of a PDF."""
    parts = re.findall(rb"stream\r?\n(.*?)endstream", pdf.read_bytes(), re.DOTALL)
    found = []
    for part in parts:
        with contextlib.suppress(zlib.error):
            found.append(zlib.decompress(part.rstrip(b"\r\n")).count(b" l\n"))
    return found


def test_nothing_lies_above_the_printed_curves(tmp_path, opened, shoe_study, shoe):
    # a canvas above is cleared before it is drawn, which on paper erases all below it
    page = opened(report_of(tmp_path, shoe_study, shoe))
    above = "[...document.querySelectorAll('.canvases canvas + canvas')]"
    hidden = f"{above}.every((c) => getComputedStyle(c).display === 'none')"
    assert not page.evaluate(hidden)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(hidden)
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert not page.evaluate(hidden)


def test_the_printed_view_names_its_colour_time_and_magnification(
    tmp_path, opened, shoe_study, shoe
):
    page = opened(report_of(tmp_path, shoe_study, shoe))
    slide_to(page, 40)
    caption = page.evaluate("document.getElementById('caption').textContent")
    assert caption.startswith("von Mises stress, t = 2 s, deformation × ")


def test_the_command_report_prints_its_charts_to_pdf(tmp_path, shoe_study, shoe):
    report_of(tmp_path, shoe_study, shoe)
    outcome = CliRunner().invoke(cli, ["report", str(tmp_path), "--pdf"])
    assert outcome.exit_code == 0, outcome.output
    printed = tmp_path / "report.pdf"
    assert printed.read_bytes().startswith(b"%PDF-")
    assert sum(count > 30 for count in strokes(printed)) >= 4  # pages with curves


def test_the_command_verify_prints_its_manual_with_all_cases(tmp_path):
    words = ["verify", "sdnv104a-lu", "--jobs", "1", "--out", str(tmp_path), "--pdf"]
    outcome = CliRunner().invoke(cli, words)
    assert outcome.exit_code == 0, outcome.output
    printed = (tmp_path / "manual.pdf").read_bytes()
    assert printed.startswith(b"%PDF-")
    assert b"/Annot" in printed  # the overview is linked to the case
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) >= 2  # each case begins a page
