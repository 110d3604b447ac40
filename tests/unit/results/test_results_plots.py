"""Plots are complete: labels, no overlapping text, PNG and SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from matplotlib.quiver import Quiver
from PIL import Image
from pydantic import TypeAdapter
from synthetic import released_mass, shoe_mesh, sliding_shoe

import fecontact
from fecontact.record import SweepRecord
from fecontact.results import draw_all, evaluate_checks, write_results
from fecontact.results.charts.charts_data import Chart, Series
from fecontact.results.charts.run_charts import charts_of
from fecontact.results.folder.files import slug
from fecontact.results.plots import style
from fecontact.results.plots.curves import draw
from fecontact.results.plots.film import write_film
from fecontact.results.plots.mesh import draw_mesh
from fecontact.results.plots.model import draw_model, load_directions
from fecontact.results.plots.solid import draw_deformed
from fecontact.results.plots.units import scaled_label
from fecontact.study.errors import InputError
from fecontact.study.models.loads import Load


@pytest.fixture
def figures(monkeypatch):
    """The figures that are drawn, to examine their contents."""
    from contextlib import contextmanager

    seen, original = [], style.picture

    @contextmanager
    def kept(*args, **kwargs):
        with original(*args, **kwargs) as figure:
            yield figure
        seen.append(figure)

    for module in ("curves", "mesh", "model", "solid", "schematic"):
        monkeypatch.setattr(f"fecontact.results.plots.{module}.picture", kept)
    return seen


def assert_readable(figure):
    """Axes are titled with units, and neither label nor legend covers another."""
    for axes in figure.axes:
        boxes = [axes.xaxis.label, axes.yaxis.label, axes.title]
        if axes.get_legend() is not None:
            boxes.append(axes.get_legend())
        shown = [b.get_window_extent() for b in boxes if getattr(b, "get_text", lambda: "x")()]
        for n, one in enumerate(shown):
            for other in shown[n + 1 :]:
                assert not one.overlaps(other), axes.get_title()
        assert axes.has_data() or axes.collections or axes.patches


@pytest.mark.parametrize("case", ["shoe", "mass"])
def test_every_picture_of_a_run_is_readable_and_can_be_drawn_again(
    tmp_path, figures, case, shoe_study, shoe
):
    study, record = (shoe_study, shoe) if case == "shoe" else released_mass()
    rows = evaluate_checks(study, record)
    write_results(tmp_path, study, record, rows, report=False)
    files = draw_all(tmp_path)
    assert {file.suffix for file in files} == {".png", ".svg"}
    for file in files:
        assert file.stat().st_size > 3000
        if file.suffix == ".svg":
            ElementTree.parse(file)
    for figure in figures:
        assert_readable(figure)
    assert len(figures) == len(files) // 2


@pytest.mark.parametrize(
    ("label", "power", "scaled"),
    [
        ("displacement [m]", -6, "displacement [µm]"),
        ("force [N/m]", 3, "force [kN/m]"),
        ("stress [Pa]", 9, "stress [GPa]"),
        ("area [m²]", -6, "area [10⁻⁶ m²]"),
        ("count", 6, "count [10⁶]"),
        ("energy [J]", -12, "energy [10⁻¹² J]"),
    ],
)
def test_an_axis_is_read_in_a_handy_multiple_of_its_unit(label, power, scaled):
    assert scaled_label(label, power) == scaled


def test_ticks_of_micrometres_are_short_and_labelled(tmp_path, figures):
    line = Series("x", np.linspace(0.0, 2e-3, 5), np.linspace(0.0, 6e-4, 5))
    draw(Chart("a", "x", "time [s]", "displacement [m]", [line]), tmp_path / "a")
    (axes,) = figures[0].axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("time [ms]", "displacement [µm]")
    assert max(len(tick.get_text()) for tick in axes.get_xticklabels()) <= 5
    assert not axes.xaxis.get_offset_text().get_visible()


def test_a_map_over_decades_is_drawn_with_readable_logarithmic_ticks(tmp_path, figures, shoe_study):
    values = np.outer(np.geomspace(1e-3, 10.0, 4), [0.0, 1.0, 2.0, 2.0])
    axes = {"time.step": [1e-4, 1e-3, 1e-2, 1e-1], "time.end": [1.0, 2.0, 3.0, 4.0]}
    (plane,) = charts_of(shoe_study, SweepRecord(axes, {"wear": values}))
    draw(plane, tmp_path / "map")
    assert_readable(figures[0])
    shown, bar = figures[0].axes
    assert shown.get_xscale() == "log"
    texts = {tick.get_text() for tick in (*shown.get_xticklabels(), *bar.get_yticklabels())}
    assert not any("$" in text for text in texts)
    assert {"0.001", "0.01", "1", "10"} <= texts


def test_a_name_with_a_dollar_a_slash_or_markup_is_a_label_and_not_a_path(tmp_path):
    name = "../x$_{\\frac <script>"
    line = Series(name, np.arange(3.0), np.arange(3.0))
    draw(Chart("a", name, name, name, [line, line]), tmp_path / slug(name))
    assert {file.name for file in tmp_path.iterdir()} == {"x-frac-script.png", "x-frac-script.svg"}


def test_a_small_body_on_a_long_one_gets_a_close_up(tmp_path, figures):
    draw_mesh(shoe_mesh(), tmp_path / "mesh")
    near, whole = figures[0].axes
    assert near.get_xlim()[1] < 2.0
    assert whole.get_xlim()[1] > 20.0


def test_the_deformed_bodies_are_shown_under_their_largest_load(
    tmp_path, figures, shoe_study, shoe
):
    """At the end of an unloaded run only rounding is left, which would be magnified to a shape."""
    shoe.fields.stress[-1] *= 1e-12
    shoe.fields.stress[30] *= 2.0
    draw_deformed(shoe_study, shoe, tmp_path / "deformed")
    title = figures[0].axes[0].get_title()
    assert title.startswith("t = 1.5 s (")


def test_a_run_of_one_row_draws_no_empty_axes(shoe_study, shoe):
    history = shoe.history
    history.time = history.time[:1]
    history.columns = {name: values[:1] for name, values in history.columns.items()}
    assert charts_of(shoe_study, shoe) == []


def test_an_animation_shows_every_saved_time(tmp_path, shoe_study):
    record = sliding_shoe(steps=70, every=14)
    path = write_film(shoe_study, record, tmp_path / "film.gif")
    with Image.open(path) as film:
        assert film.n_frames == len(record.fields.time)


def test_an_impossible_animation_is_rejected(tmp_path, shoe_study, shoe):
    with pytest.raises(InputError, match=r"film\.avi: .*\.gif, \.mp4, \.webm"):
        write_film(shoe_study, shoe, tmp_path / "film.avi")
    shoe.fields = None
    with pytest.raises(InputError, match=r"Set output\.fields_every"):
        write_film(shoe_study, shoe, tmp_path / "film.gif")


@pytest.mark.parametrize(
    ("load", "down"),
    [
        ({"type": "pressure", "value": 2.0}, [0.0, 1.0]),
        ({"type": "traction", "value": [3.0, 4.0]}, [0.6, 0.8]),
        (
            {"type": "traction", "value": [0.0, -5.0], "directions": "normal-tangential"},
            [-1.0, 0.0],
        ),
        ({"type": "traction", "value": [2.0, 0.0], "directions": "normal-tangential"}, [0.0, -1.0]),
    ],
)
def test_arrows_of_loads_follow_their_edge_where_the_loads_do(load, down):
    """On a lower edge, of which the outward normal points down and the body lies above."""
    given = TypeAdapter(Load).validate_python(load | {"on": "block.bottom"})
    found = load_directions(given, np.array([[0.0, -1.0]]))
    assert found[0] == pytest.approx(down)


def test_a_load_that_changes_along_its_edge_is_drawn_as_it_acts(tmp_path, figures):
    along = {"type": "polynomial", "coordinate": "y", "at": [0.0, 1.0], "values": [2.0, 0.0]}
    study = fecontact.load("sdnv104a", {"loads.push.profile": along})
    draw_model(study, shoe_mesh(), tmp_path / "model")
    (axes,) = figures[0].axes
    arrows = next(c for c in axes.collections if isinstance(c, Quiver) and np.any(c.U))
    height = arrows.Y
    assert arrows.U / arrows.U.max() == pytest.approx((1.0 - height) / (1.0 - height.min()))
    words = [text.get_text() for text in axes.get_legend().get_texts()]
    assert "push: pressure 200 kPa on shoe.left × polynomial over y × ramp" in words


def test_names_of_points_close_together_do_not_cover_each_other(tmp_path, figures):
    mesh = shoe_mesh()
    mesh.point_groups.update({f"a-long-name-{node}": node for node in (1, 2, 3)})
    draw_mesh(mesh, tmp_path / "mesh")
    names = [t for t in figures[0].axes[0].texts if t.get_text().startswith("a-long-name")]
    boxes = [name.get_window_extent() for name in names]
    assert len(boxes) == 3
    assert not any(a.overlaps(b) for n, a in enumerate(boxes) for b in boxes[n + 1 :])
