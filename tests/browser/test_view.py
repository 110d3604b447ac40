"""View and charts in a browser: zoom, probe, pins, common time, saved pictures."""

from __future__ import annotations

import pytest
from chromium import BROWSER, Browser
from synthetic import sliding_shoe
from test_report import CANVAS, READY, report_of, slide_to

pytestmark = pytest.mark.skipif(
    BROWSER is None, reason="no browser: install Debian's chromium to test the pages in it"
)
BOX = "JSON.stringify(document.getElementById('stage').getBoundingClientRect())"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser(tmp_path_factory.mktemp("profile")) as running:
        yield running


@pytest.fixture(scope="module")
def report(tmp_path_factory, shoe_study):
    return report_of(tmp_path_factory.mktemp("shoe"), shoe_study, sliding_shoe())


@pytest.fixture
def page(browser, report):
    """The shoe's report at its 40th time, the stage at the top of the window."""
    browser.errors.clear()
    page = browser.open(report)
    page.resize(1200)
    page.wait_for(READY)
    page.evaluate("document.getElementById('stage').scrollIntoView()")
    slide_to(page, 40)
    yield page
    assert browser.errors == []


def describe_mode(page, node):
    """Where a node is in the window."""
    return page.evaluate(
        f"(() => {{ const s = player.stage, p = s.bodies.positions(player.frame, s.factor), "
        "b = document.getElementById('stage').getBoundingClientRect();"
        f"return [b.left + s.camera.x(p[2 * {node}]), b.top + s.camera.y(p[2 * {node} + 1])]; }})()"
    )


def test_the_wheel_magnifies_what_is_under_it_and_a_double_click_fits_again(page):
    x, y = describe_mode(page, 0)
    scale = page.evaluate("player.stage.camera.scale")
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-400)
    page.wait_for(f"player.stage.camera.scale > 1.5 * {scale}")
    assert describe_mode(page, 0) == pytest.approx([x, y], abs=1.0)
    page.evaluate("document.getElementById('stage').dispatchEvent(new MouseEvent('dblclick'))")
    assert page.evaluate("player.stage.camera.scale") == pytest.approx(scale)


def test_a_drag_moves_the_picture_and_pins_nothing(page):
    x, y = describe_mode(page, 0)
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    page.mouse("mouseMoved", x + 60, y - 30, button="left", buttons=1)
    page.mouse("mouseReleased", x + 60, y - 30, button="left", clickCount=1)
    assert describe_mode(page, 0) == pytest.approx([x + 60, y - 30], abs=1.0)
    assert page.evaluate("player.stage.pinned.length") == 0


def test_a_node_under_the_pointer_is_read_and_a_clicked_one_shows_its_history(page):
    x, y = describe_mode(page, 0)
    page.mouse("mouseMoved", x, y)
    messages = page.evaluate("document.getElementById('probe').textContent")
    assert messages.startswith("node 0 of shoe at (") and "von Mises stress" in messages
    assert "pressure" in messages  # it is a slave node
    page.click(x, y)
    page.wait_for("document.querySelector('#pinned section.plot') !== null")
    assert "node 0" in page.evaluate("document.getElementById('pinned').textContent")
    page.click(x, y)
    assert page.evaluate("document.getElementById('pinned').children.length") == 0


def test_every_saved_field_can_be_shown_and_its_range_set_by_hand(page):
    names = page.evaluate("[...document.getElementById('colour').options].map((o) => o.text)")
    assert {"von Mises stress", "stress σzz", "displacement x", "velocity magnitude"} <= set(names)
    choose = (
        (
            "(id, value) => {{ const s = document.getElementById(id); s.value = value;"
            "s.dispatchEvent(new Event('change')); }}"
        )
        .replace("{{", "{")
        .replace("}}", "}")
    )
    page.evaluate(f"({choose})('colour', {names.index('velocity x')})")
    page.evaluate(f"({choose})('range', 'hand')")
    before = page.evaluate(CANVAS)
    page.evaluate(f"({choose})('high', '100')")
    assert page.evaluate("player.stage.range(0).high") == 100.0
    assert page.evaluate(CANVAS) != before


def test_a_click_on_a_chart_moves_stage_and_all_cursors_to_that_time(page):
    page.evaluate("document.getElementById('plot-displacement').scrollIntoView()")
    page.wait_for("document.querySelector('#plot-displacement .canvases canvas').width > 300")
    left, top, width = page.evaluate(
        "(() => { const b = document.querySelector('#plot-displacement .canvases')"
        ".getBoundingClientRect(); return [b.left, b.top, b.width]; })()"
    )
    page.click(left + 0.55 * width, top + 100)
    clock = page.evaluate("document.getElementById('clock').value")
    assert 1.5 < float(clock.split()[2]) < 2.0
    page.wait_for("document.querySelector('#plot-displacement b').textContent.length > 2")


OUTSIDE = """(() => {
  const s = player.stage;
  s.focus("all"); player.paint();
  const { rect } = s.camera, most = s.edges.largest.pressure;
  const reach = REACH * Math.min(rect.height, WIDE * rect.width) / s.camera.scale;
  let far = -Infinity;
  for (let k = 0; k < s.bodies.frames; k++) {
    const p = s.bodies.positions(k, s.factor);
    for (const one of s.data.surfaces) {
      const nodes = s.bodies.a[`surface ${one.number} nodes`], n = s.edges.normals(one, p);
      for (let i = 0; i < one.nodes; i++) {
        const length = reach * s.bodies.surfaceValue(one, "pressure", i, k) / most;
        const x = s.camera.x(p[2 * nodes[i]] + length * n[2 * i]);
        const y = s.camera.y(p[2 * nodes[i] + 1] + length * n[2 * i + 1]);
        far = Math.max(far, rect.x - x, x - rect.x - rect.width);
        far = Math.max(far, rect.y - y, y - rect.y - rect.height);
      }
    }
  }
  return far;
})()"""


@pytest.mark.parametrize("width", [420, 1400])
def test_the_diagram_of_the_pressure_is_never_cut_off(page, width):
    page.resize(width)
    assert page.evaluate(OUTSIDE) <= 0.0


def test_the_keyboard_steps_and_plays(page):
    page.evaluate("document.getElementById('stage').focus()")
    page.key("ArrowRight")
    assert page.evaluate("player.frame") == 41
    page.key("Home")
    assert page.evaluate("player.frame") == 0
    page.key("End")
    assert page.evaluate("player.frame") == page.evaluate("player.times.length - 1")


def test_a_picture_of_the_stage_is_saved(page):
    page.evaluate(
        "window.saved = null; window.download = (blob, name) => { saved = [blob.size, name]; }"
    )
    page.evaluate("document.getElementById('save').click()")
    page.wait_for("window.saved !== null")
    size, name = page.evaluate("saved")
    assert name == "stage.png" and size > 5000


def test_the_painters_with_and_without_a_graphics_card_paint_the_same(page):
    """Both paint a triangle over a ramp; the imitated card stands in for a real one."""
    different = page.evaluate("""(() => {
      const canvas = document.createElement("canvas");
      const context = canvas.getContext("webgl2", { antialias: false });
      if (!context) return null;
      const card = new GlPainter(canvas, context);
      const seen = [card, new SoftwarePainter()].map((painter) => {
        painter.begin(200, 100);
        painter.triangles(new Uint32Array([0, 1, 2]), new Float32Array([10, 90, 190, 80, 60, 5]),
                          new Float32Array([0, 1, 0.5]), RAMPS.sequential, "#888888");
        painter.end();
        const sheet = new OffscreenCanvas(200, 100).getContext("2d");
        sheet.drawImage(painter.canvas, 0, 0);
        return sheet.getImageData(0, 0, 200, 100).data;
      });
      let far = 0;
      for (let i = 0; i < seen[0].length; i++) if (Math.abs(seen[0][i] - seen[1][i]) > 8) far++;
      return far / seen[0].length;
    })()""")
    if different is None:
        pytest.skip("this browser imitates no graphics card")
    assert different < 0.005  # pixels on the edges


@pytest.mark.parametrize("width", [420, 1400])
@pytest.mark.parametrize("dark", [False, True])
def test_the_page_fits_its_window_in_both_schemes(page, width, dark):
    page.resize(width, dark=dark)
    page.wait_for(f"document.documentElement.scrollWidth <= {width}")
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (colour == "rgb(22, 25, 29)") is dark


@pytest.mark.parametrize("width", (1200, 420))
def test_charts_over_time_stand_exactly_above_each_other(page, width):
    page.resize(width)
    ends = page.evaluate(
        "charts.filter((c) => c.figure.overTime)"
        ".map((c) => { c.draw(); return [c.x.from, c.x.to, c.x.low, c.x.high].join(); })"
    )
    assert len(ends) > 4 and len(set(ends)) == 1


def test_a_telephone_shows_the_numbers_in_rows_that_are_not_torn_apart(page):
    page.resize(420)
    rows = "[...document.querySelectorAll('table.numbers tbody tr')]"
    assert page.evaluate(f"Math.max(...{rows}.map((row) => row.clientHeight))") < 120
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
