"""Charts of a run: every curve with its exact solution and its references."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from synthetic import SHOE, released_mass

from fecontact.record import SweepRecord
from fecontact.results.charts.charts_data import Chart, Map
from fecontact.results.charts.page_charts import page_charts
from fecontact.results.charts.run_charts import TITLES, charts_of
from fecontact.results.plots.units import label_places, with_unit
from fecontact.results.report.sweep_rows import sweep_rows
from fecontact.study import InputError, finite_element, lumped, study_from_dict


def by_key(study, record):
    return {chart.key: chart for chart in charts_of(study, record)}


def series(chart, label):
    return next(s for s in chart.series if s.label == label)


def test_the_displacement_stands_beside_the_exact_one_and_both_references(shoe_study, shoe):
    chart = by_key(shoe_study, shoe)["displacement"]
    assert chart.y_label == "displacement [m]"
    exact = series(chart, "x_A, exact")
    np.testing.assert_allclose(exact.y, SHOE.history(exact.x)["displacement"])
    marks = series(chart, "reference")
    assert marks.x.tolist() == [1.7, 3.4]
    assert marks.y.tolist() == [14.8986486, 3.5130524]
    assert series(chart, "code_aster").style == "code_aster"


def test_the_phase_portrait_pairs_displacement_and_velocity_of_the_same_point(shoe_study, shoe):
    portrait = by_key(shoe_study, shoe)["phase-portrait"]
    curve = series(portrait, "A x")
    np.testing.assert_array_equal(curve.x, shoe.history.columns["x_A"])
    np.testing.assert_array_equal(curve.y, shoe.history.columns["v_A"])


def test_the_energy_ledger_leaves_out_what_is_nothing_and_shows_its_error_apart(shoe_study, shoe):
    shoe.history.columns["energy.damping"] = np.zeros_like(shoe.history.time)
    charts = by_key(shoe_study, shoe)
    labels = [s.label for s in charts["energy"].series]
    assert labels == ["kinetic", "springs", "external", "friction"]
    assert [s.label for s in charts["energy-balance"].series] == ["balance error"]


def test_status_is_a_map_over_time_and_the_slave_edge(shoe_study, shoe):
    chart = by_key(shoe_study, shoe)["status-sole"]
    assert isinstance(chart, Map)
    assert chart.values.shape == (len(chart.y), len(chart.x)) == (11, 351)
    assert chart.classes == {0: "open", 1: "stick", 2: "slip"}


def test_contact_states_of_a_mass_are_bars_that_do_not_join_across_gaps():
    study, record = released_mass()
    chart = by_key(study, record)["states"]
    slip = series(chart, "slip")
    assert chart.y_ticks == ["stop"]
    assert np.isnan(slip.x[2::3]).all()
    assert series(chart, "stick").x[1] == 0.15


def test_a_sweep_of_one_axis_is_a_curve_and_of_two_curves_or_from_4_by_4_on_a_map(shoe_study):
    one = SweepRecord({"mu": [0.1, 0.2]}, {"x": np.array([1.0, 2.0])}, {"x": "m"})
    two = SweepRecord(
        {"mu": [0.1, 0.2, 0.3], "solver": ["lu", "mumps"]}, {"x": np.arange(6.0).reshape(3, 2)}
    )
    mu, words = [0.1, 0.2, 0.3, 0.4], ["a", "b", "c", "d"]
    many = SweepRecord({"mu": mu, "solver": words}, {"x": np.arange(16.0).reshape(4, 4)})
    (curve,), (curves,) = charts_of(shoe_study, one), charts_of(shoe_study, two)
    assert isinstance(curve, Chart) and curve.y_label == "x [m]"
    assert isinstance(curves, Chart)
    assert [s.label for s in curves.series] == ["solver = lu", "solver = mumps"]
    assert curves.series[1].y.tolist() == [1.0, 3.0, 5.0]
    (plane,) = charts_of(shoe_study, many)
    assert isinstance(plane, Map) and plane.y_ticks == words
    assert plane.values[1, 2] == 9.0  # solver b, mu 0.3


def test_keys_that_vary_together_are_named_on_one_axis(shoe_study):
    linked = {"time.end": [3.0, 4.0]}
    sweep = SweepRecord({"time.step": [0.1, 0.2]}, {"x": np.ones(2)}, linked=linked)
    assert charts_of(shoe_study, sweep)[0].x_label == "time step (with time end) [s]"


def test_the_axes_of_a_sweep_carry_the_units_of_their_keys(shoe_study):
    axes = {"materials.steel.young": [1e8, 1e9, 1e10, 1e11]}
    axes |= {"contact.sole.friction": [0.1, 0.2, 0.3, 0.4]}
    material = next(iter(shoe_study.materials))
    axes = {name.replace("steel", material): values for name, values in axes.items()}
    (plane,) = charts_of(shoe_study, SweepRecord(axes, {"slip_max": np.ones((4, 4))}))
    assert plane.x_label == f"young of {material} [Pa]"
    assert plane.y_label == "friction of sole [–]"
    assert plane.title == "slip max"
    entry = SweepRecord({"springs.lower.stiffness.0": [1.0, 2.0]}, {"slip_max": np.ones(2)})
    assert charts_of(shoe_study, entry)[0].x_label == "stiffness 1 of lower [N/m]"


@pytest.mark.parametrize(
    ("values", "logarithmic"),
    [
        (np.geomspace(0.5, 15.0, 20), True),
        ([1, 2, 5, 10, 20, 50], True),
        (np.linspace(0.02, 0.5, 20), False),
        ([0.1, 0.2, 0.3], False),
        ([-1.0, 1.0, 100.0], False),
        ([3.0], False),
    ],
)
def test_values_in_even_ratios_are_drawn_on_a_logarithmic_axis(shoe_study, values, logarithmic):
    sweep = SweepRecord({"time.step": list(values)}, {"x": np.arange(float(len(values)))})
    (curve,) = charts_of(shoe_study, sweep)
    assert curve.x_label == "time step [s]"
    assert (curve.logarithmic == "x") is logarithmic


def test_results_over_decades_are_coloured_by_their_logarithm_and_zero_apart(shoe_study):
    wear = np.outer(np.geomspace(1e-3, 10.0, 4), [0.0, 1.0, 1.0, 2.0])
    axes = {"time.step": [1.0, 2.0, 3.0, 4.0], "time.end": [1.0, 2.0, 3.0, 4.0]}
    (plane,) = charts_of(shoe_study, SweepRecord(axes, {"wear": wear}))
    assert plane.logarithmic == "z"
    figure = page_charts([plane]).figures[0]
    assert figure["z"]["log"] and figure["title"] == "wear (grey: none)"
    # The scale begins at the 5 % quantile, which lies above the least value.
    assert figure["z"]["ends"] == pytest.approx([wear[wear > 0].min(), 20.0], rel=0.5)
    (signed,) = charts_of(shoe_study, SweepRecord(axes, {"wear": wear - 1.0}))
    assert signed.logarithmic == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"solution": "perpetuum"}, '`references.rigid.solution` is "perpetuum"'),
        ({"parameters": {"mass": -1.0, "stiffness": 1.0, "friction": 1.0}}, "mass must be greater"),
        ({"parameters": {"weight": 1.0}}, "references.rigid.parameters"),
        ({"curves": {"x_A": "temperature"}}, 'is "temperature"; quantity of the solution'),
    ],
)
def test_a_wrong_reference_is_reported_before_anything_is_computed(shoe_study, change, message):
    data = shoe_study.model_dump(mode="json")
    data["references"]["rigid"] |= change
    with pytest.raises(InputError, match=message):
        study_from_dict(data)


def test_axes_of_the_page_are_in_handy_units_and_one_unit_of_length(shoe_study, shoe):
    shoe.surfaces["sole"].arc *= 1e-3
    page = page_charts(charts_of(shoe_study, shoe), places=-3)
    by_name = {figure["key"]: figure for figure in page.figures}
    assert by_name["energy"]["y"]["label"] == "energy [MJ]"
    assert by_name["contact-force"]["y"]["label"] == "contact force [kN]"
    for key, axis in (("pressure-sole", "x"), ("status-sole", "y")):
        assert by_name[key][axis]["label"] == "arc length along the slave edge [mm]"


def test_what_the_time_cursor_moves_through_knows_its_time(shoe_study, shoe):
    page = page_charts(charts_of(shoe_study, shoe))
    by_name = {figure["key"]: figure for figure in page.figures}
    over_time = {key for key, figure in by_name.items() if figure["overTime"]}
    assert {"displacement", "energy", "states", "status-sole"} <= over_time
    portrait = by_name["phase-portrait"]["series"][0]
    np.testing.assert_allclose(page.arrays[portrait["t"]], shoe.history.time, rtol=1e-6)
    assert by_name["pressure-sole"]["live"] == {"surface": "sole", "quantity": "pressure"}


def test_equal_arrays_travel_once(shoe_study, shoe):
    page = page_charts(charts_of(shoe_study, shoe))
    by_name = {figure["key"]: figure for figure in page.figures}
    assert by_name["displacement"]["series"][0]["x"] == by_name["velocity"]["series"][0]["x"]


def test_times_in_a_legend_are_in_handy_units():
    assert with_unit(0.00012, "s") == "120 µs"
    assert with_unit(3.4, "s") == "3.4 s"
    assert with_unit(0.0, "s") == "0 s"
    assert with_unit(2.1e11, "Pa") == "210 GPa"
    assert with_unit(0.012, "m") == "12 mm" and with_unit(1.5, "m") == "1.5 m"


def test_the_model_is_drawn_in_the_unit_of_the_page():
    figure = Figure()
    axes = figure.subplots()
    axes.set(xlim=(0.0, 0.08), ylim=(0.0, 0.04))
    label_places(axes, -3)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x [mm]", "y [mm]")
    assert axes.xaxis.get_major_formatter()(0.08, 0) == "80"


@pytest.mark.parametrize("kind", (finite_element, lumped))
def test_whatever_can_be_watched_has_a_title(kind):
    assert set(kind.Watch.model_fields["type"].annotation.__args__) <= set(TITLES)


def test_profiles_of_a_pair_that_is_mostly_open_are_those_of_its_impacts(shoe_study, shoe):
    surface = shoe.surfaces["sole"]
    pressure = np.zeros_like(surface.pressure)
    pressure[[20, 21, 200], 5] = [1e5, 2e5, 3e5]
    shoe.surfaces["sole"] = replace(surface, pressure=pressure)
    chart = by_key(shoe_study, shoe)["pressure-sole"]
    drawn = [s for s in chart.series if s.label != "exact"]
    assert [s.y.max() for s in drawn] == [1e5, 2e5, 3e5, 0.0]
    assert drawn[0].x.tolist() == surface.arc[4:7].tolist()  # the loaded node, between others


def test_the_table_of_a_sweep_has_si_prefixes(shoe_study):
    values = {"stress": np.array([1.2e8, 9.9e7]), "ratio": np.array([1e-5, 2e-5])}
    material = next(iter(shoe_study.materials))
    linked = {f"materials.{material}.young": [1e11, 2.1e11]}
    axes, units = {"time.step": [0.1, 0.2]}, {"stress": "Pa", "ratio": "1"}
    sweep = SweepRecord(axes, values, units=units, linked=linked)
    sweep.results["width"] = np.array([0.03, 0.03])
    sweep.units["width"] = "m"
    header, rows, same = sweep_rows(shoe_study, sweep, 10)
    assert same == ["width 30 mm"]
    assert header == ["time step [s]", f"young of {material} [GPa]", "stress [MPa]", "ratio"]
    assert rows[1] == ["0.2", "210", "99", "2e-05"]
