"""The report is one small file without network access, and shows untrusted text as text."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from synthetic import HOSTILE, released_mass, sliding_shoe

import fecontact
from fecontact.record import RunWarning, Scalar
from fecontact.results import evaluate_checks, make_report, write_results
from fecontact.results.charts.thinning import thin
from fecontact.results.drawing.animation import solid_animation
from fecontact.results.drawing.animation_lumped import lumped_animation
from fecontact.results.folder.provenance import note_origin
from fecontact.results.folder.result_folder import load_folder
from fecontact.results.report.html import asset
from fecontact.results.report.packing import in_steps, pack_arrays, quantised, script_json
from fecontact.results.report.report_parts import materials


def report_of(folder, study, record):
    rows = evaluate_checks(study, record)
    return make_report(write_results(folder, study, record, rows, report=False)).read_text()


def data_of(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    study, record = released_mass()
    return report_of(tmp_path_factory.mktemp("mass"), study, record)


def test_the_page_refers_to_nothing_outside_itself(page):
    assert not re.search(r"""src\s*=\s*["'](?!data:)""", page)
    files = set(re.findall(r"""href\s*=\s*["']([^"'#]+)["']""", page))
    assert files == {"history.csv", "result.json"}  # links to neighbours, which nothing loads
    assert "default-src 'none'" in page
    assert "http" not in page.replace("http-equiv", "")


def test_it_holds_the_checks_the_drawing_and_the_plots(page):
    assert "extremum 1 of x" in page and "1 passed, 0 failed" in page
    assert '<figure class="drawing"' in page and '<ul class="samples">' in page
    assert [figure["key"] for figure in data_of(page)["figures"]][:3] == [
        "contact-force",
        "displacement",
        "velocity",
    ]


def test_the_origin_of_the_result_is_shown(tmp_path, shoe_study, shoe):
    page = report_of(tmp_path, shoe_study, shoe)
    messages = json.loads((tmp_path / "result.json").read_text())["origin"]
    assert {"date", "host", "ranks", "command", "study", "mesh", "duration"} <= set(messages)
    assert messages["command"] in html.unescape(page) and messages["mesh"][:16] in page
    again = load_folder(tmp_path)
    assert again.record.origin == shoe.origin


def test_the_digest_of_a_study_changes_with_the_study_alone(tmp_path, shoe_study):
    def digests(study):
        record = sliding_shoe()
        note_origin(study, record)
        return record.origin["study"], record.origin["mesh"]

    other = fecontact.changed(shoe_study, {"contact.sole.friction": 0.2})
    assert digests(shoe_study) == digests(shoe_study)
    assert digests(other)[0] != digests(shoe_study)[0]
    assert digests(other)[1] == digests(shoe_study)[1]


def test_markup_of_a_study_appears_nowhere_as_markup(tmp_path, hostile_study, shoe):
    shoe.warnings.append(RunWarning(HOSTILE))
    shoe.history.columns[HOSTILE] = shoe.history.columns.pop("normal")
    page = report_of(tmp_path, hostile_study, shoe)
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;alert" in page
    assert data_of(page)["animation"]["kind"] == "solid"  # the data was not cut by it


def test_a_run_that_is_not_trusted_is_marked_beside_its_result(tmp_path, shoe_study, shoe):
    shoe.scalars["penetration"] = replace(shoe.scalars["penetration"], value=1e-3)
    page = report_of(tmp_path, shoe_study, shoe)
    assert "penetration = 0.001 m exceeds its limit 1e-09" in page
    assert 'badge failed">not trusted</span> 2 passed, 0 failed' in page


def test_a_run_without_fields_reports_how_to_save_them(tmp_path, shoe_study, shoe):
    shoe.fields = None
    assert "Set output.fields_every" in report_of(tmp_path, shoe_study, shoe)


def test_a_large_run_stays_under_ten_megabytes_and_lists_omissions(tmp_path, shoe_study):
    record = sliding_shoe(steps=6000, every=40, cells=30)
    noise = np.random.default_rng(1).normal(size=record.fields.stress.shape)  # cannot be packed
    record.fields.stress = 1e5 * noise
    folder = write_results(tmp_path, shoe_study, record, [], report=False)
    size = make_report(folder).stat().st_size
    page = (folder / "report.html").read_text()
    assert size < 10e6
    assert re.search(r"the animation shows \d+ of 151 saved times", page)
    assert "of 6001 points" in page


def test_thinning_keeps_every_peak():
    x = np.arange(100_000.0)
    y = np.zeros_like(x)
    y[[12_345, 77_777]] = 5.0, -3.0
    few_x, few_y = thin(x, y, 1000)
    assert len(few_x) <= 1002
    assert {12_345.0, 77_777.0} <= set(few_x.tolist())
    assert few_y.max() == 5.0 and few_y.min() == -3.0


def test_the_animation_gives_back_motion_and_stress_to_what_a_screen_shows(shoe_study, shoe):
    data = solid_animation(shoe_study, shoe).data
    arrays = unpacked(data["packed"])
    frames, nodes = len(data["times"]), len(shoe.mesh.points)
    a, b = data["deformationScale"]
    whole = summed(arrays["deformation"].reshape(frames, nodes, 2))
    moved = a + b * whole
    translations = arrays["translations"].reshape(-1, frames, 2)
    moved += translations[arrays["bodyOf"]].transpose(1, 0, 2)
    np.testing.assert_allclose(moved, shoe.fields.displacement, atol=1e-9)
    a, b = data["scales"]["stress yy"]
    stress = a + b * summed(arrays["stress yy"].reshape(frames, nodes))
    np.testing.assert_allclose(stress, shoe.fields.stress[..., 1], atol=7e4 / 60_000)
    normals = arrays["surface 0 normals"].reshape(-1, 2)
    np.testing.assert_allclose(normals, np.tile([0.0, -1.0], (11, 1)), atol=1e-7)


def summed(differences):
    """What `accumulate` of the page makes of packed differences, in its 16 bits."""
    return np.cumsum(differences, axis=0, dtype=np.int16).astype(float)


def unpacked(packed):
    block = gzip.decompress(base64.b64decode(packed["data"]))
    kinds = {"Float32Array": "f4", "Float64Array": "f8", "Int16Array": "i2", "Uint8Array": "u1",
             "Uint32Array": "u4"}  # fmt: skip
    return {
        entry["name"]: np.frombuffer(block, kinds[entry["type"]], entry["length"], entry["offset"])
        for entry in packed["arrays"]
    }


def test_the_page_of_sdnv104_is_below_400_kilobytes(tmp_path):
    result = fecontact.run(fecontact.load("sdnv104a"))
    folder = write_results(tmp_path, result.study, result.record, result.rows)
    assert (folder / "report.html").stat().st_size < 400_000


def test_the_sections_stand_in_the_order_that_an_engineer_reads_them(tmp_path, shoe_study, shoe):
    page = report_of(tmp_path, shoe_study, shoe)
    order = ["key-figures", "checks", "view", "contact-pressure", "histories", "model", "run"]
    places = [page.index(f'<h2 id="s-{name}"') for name in order]
    assert places == sorted(places)
    linked = re.findall(r'href="#s-([^"]+)"', page)
    assert set(order) <= set(linked)
    assert all(f'id="s-{name}"' in page for name in linked)


def test_key_figures_are_in_the_report_and_come_back_from_the_folder(tmp_path, shoe_study, shoe):
    page = report_of(tmp_path, shoe_study, shoe)
    assert "240 kPa" in page and "70 kN/m" in page and "(0, 0) m" in page
    assert 'data-time="1" data-node=' in page
    assert load_folder(tmp_path).record.key_figures == shoe.key_figures


def test_the_head_of_the_report_is_that_of_the_study(tmp_path, shoe_study, shoe):
    messages = {"report": {"title": "Shoe & sole", "author": "A. Engineer", "project": "P-17"}}
    page = report_of(tmp_path, fecontact.changed(shoe_study, messages), shoe)
    assert "<h1>Shoe &amp; sole</h1>" in page
    assert "P-17 · A. Engineer · " in page


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "per metre of depth"),
        ({"bodies.shoe.thickness": 0.02}, "for a thickness of 20 mm"),
    ],
)
def test_the_footer_knows_the_thickness(tmp_path, shoe_study, shoe, changes, words):
    page = report_of(tmp_path, fecontact.changed(shoe_study, changes), shoe)
    assert words in page.partition("<footer>")[2]


def test_the_footer_of_a_lumped_study_names_no_depth(page):
    assert "lumped model" in page.partition("<footer>")[2]


def test_differences_in_time_wrap_and_come_back():
    frames = np.array([[32000, -5], [-32000, 7], [12, 7]], dtype=np.int16)
    np.testing.assert_array_equal(summed(in_steps(frames)), frames)


def test_the_stage_opens_at_the_largest_load_on_the_body_that_slides(shoe_study, shoe):
    shoe.fields.stress[20] *= 3.0
    data = solid_animation(shoe_study, shoe).data
    assert data["openAt"] == 20
    assert data["bodies"][int(data["focus"].split()[1])]["name"] == "shoe"


def test_half_a_symmetric_model_can_be_mirrored_and_no_other(shoe_study, shoe):
    assert solid_animation(shoe_study, shoe).data["mirror"] is False
    support = {"supports": {"axis": {"on": "shoe.left", "x": 0.0}}}
    prescribed = fecontact.changed(shoe_study, support)
    assert solid_animation(prescribed, shoe).data["mirror"] is False  # the support reaches to x < 0
    shoe.mesh.points[:, 0] = shoe.mesh.points[:, 0].clip(min=0.0)
    assert solid_animation(prescribed, shoe).data["mirror"] is True
    clamped = fecontact.changed(prescribed, {"supports.axis.y": 0.0})
    assert solid_animation(clamped, shoe).data["mirror"] is False
    revolved = shoe_study.model_copy(update={"plane": "axisymmetric"})
    assert solid_animation(revolved, shoe).data["mirror"] is True


def test_a_gap_without_end_is_drawn_as_the_largest(shoe_study, shoe):
    shoe.surfaces["sole"].gap[:, 0] = np.inf
    data = solid_animation(shoe_study, shoe).data
    assert np.isfinite(data["surfaces"][0]["scales"]["gap"]).all()


def test_packed_arrays_start_where_typed_arrays_may():
    packed = pack_arrays({"a": np.arange(3, dtype=np.uint8), "b": np.arange(2.0)})
    assert [entry["offset"] for entry in packed["arrays"]] == [0, 8]
    np.testing.assert_array_equal(unpacked(packed)["b"], [0.0, 1.0])


def test_quantised_values_err_by_less_than_a_sixty_thousandth_of_their_range():
    values = np.random.default_rng(0).uniform(-3.0, 9.0, 1000)
    whole, a, b = quantised(values)
    np.testing.assert_allclose(a + b * whole.astype(float), values, atol=12.0 / 60_000)
    assert quantised(np.full(4, 7.0))[0].tolist() == [-32500] * 4


def test_a_quantised_zero_is_exact():
    values = np.random.default_rng(1).uniform(-3.0, 9.0, 1000)
    values[::10] = 0.0
    whole, a, b = quantised(values)
    found = a + b * whole.astype(float)
    assert not found[::10].any()
    np.testing.assert_allclose(found, values, atol=12.0 / 60_000)


def test_json_in_a_script_element_cannot_end_it():
    text = script_json({"a": "</script><!--\u2028"})
    assert "<" not in text and "\u2028" not in text
    assert json.loads(text) == {"a": "</script><!--\u2028"}


def test_times_of_contact_events_are_folded_and_crowd_out_no_result(tmp_path):
    study, record = released_mass()
    events = {f"floor.stick.{n}": Scalar(0.1 * n, "s", "floor: starts to stick") for n in range(80)}
    record.scalars = {
        **events,
        "steady.floor.work_rate": Scalar(0.4, "W", "mean"),
        **record.scalars,
    }
    page = report_of(tmp_path, study, record)
    scalars, _, folded = page.partition("<summary>80 times of contact events</summary>")
    assert "<td>steady.floor.work_rate</td>" in scalars
    assert "floor.stick.1" not in scalars and "<td>floor.stick.1</td>" in folded


def test_a_round_stop_is_described_by_the_names_that_the_page_reads():
    study, record = released_mass()
    hole = {"type": "circle", "on": "shoe", "axis": [0.0, 0.0, 1.0], "gap": 1e-3}
    around = fecontact.changed(study, {"obstacles.stop": None, "watch.T": None})
    around = fecontact.changed(around, {"obstacles.hole": hole | {"normal_stiffness": 1e6}})
    animation = lumped_animation(around, record)
    assert animation is not None
    (stop,) = animation.data["obstacles"]
    read = set(re.findall(r"\bo\.(\w+)", asset("masses.js"))) - {"walls"}
    assert read == {"center", "radius"} and read < set(stop)


def test_a_located_extremum_is_shown_once(tmp_path):
    study, record = released_mass()
    record.scalars["x.extremum.1"] = Scalar(0.123456, "m", "extremum 1 of x")
    record.scalars["x.extremum.1.time"] = Scalar(0.654321, "s", "time of extremum 1 of x")
    page = report_of(tmp_path, study, record)
    _, _, extrema = page.partition("<h3>Extrema</h3>")
    row = "<tr><td>x</td><td>1</td><td>0.654321</td><td>0.123456</td><td>m</td></tr>"
    assert extrema.count(row) == 1
    assert page.count("0.123456") == 1


@pytest.mark.parametrize(
    ("changes", "mass"),
    [
        ({}, "7000 kg/m"),
        ({"bodies.shoe.thickness": 0.01}, "70 kg"),
        ({"plane": "axisymmetric"}, ""),
    ],
)
def test_the_mass_of_a_body_is_in_the_table_of_materials(changes, mass, shoe_study, shoe):
    """A square of 1 m, 7000 kg/m³; a ring has the volume of Pappus."""
    study = fecontact.changed(shoe_study, changes)
    cells = shoe.mesh.cells[shoe.mesh.cell_groups["shoe"]]
    middle = 0.5 * (shoe.mesh.points[cells, 0].max() + shoe.mesh.points[cells, 0].min())
    expected = mass or f"{2.0 * np.pi * middle * 7000.0:.4g} kg"
    assert f">{expected}</td>" in materials(study, shoe.mesh)


def test_a_static_analysis_offers_no_velocities(shoe_study, shoe):
    moving = solid_animation(shoe_study, shoe).data["scales"]
    static = fecontact.changed(shoe_study, {"time.scheme": "static"})
    at_rest = solid_animation(static, shoe).data["scales"]
    assert moving.keys() - at_rest.keys() == {"velocity x", "velocity y"}
