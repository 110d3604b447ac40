"""Key figures: the largest stress, pressure and force of a run, where and when they occur."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact
from fecontact.results import Result
from fecontact.study.errors import InputError

FORCE, WIDTH, THICK = 3000.0, 0.1, 0.01  # N, m, m
PUSHED = {
    "title": "A block is pressed on the ground and released",
    "kind": "finite-element",
    "plane": "stress",
    "mesh": {
        "shapes": {
            "block": {
                "type": "rectangle",
                "corner": [0.0, 0.0],
                "size": [WIDTH, 0.05],
                "cells": [8, 4],
            }
        }
    },
    "materials": {
        "soft": {"young": 1e9, "poisson": 0.0, "density": 1000.0, "yield_stress": 6e6},
    },
    "bodies": {"block": {"material": "soft", "thickness": THICK}},
    "tools": {"ground": {"type": "half-plane"}},
    "contact": {"sole": {"slave": "block.bottom", "master": "ground"}},
    "supports": {"side": {"on": "block.left", "x": 0.0}},
    "functions": {"push": {"type": "table", "times": [0.0, 0.4, 1.0], "values": [0.0, 1.0, 0.2]}},
    "loads": {
        "weight": {
            "type": "pressure",
            "on": "block.top",
            "value": FORCE / (WIDTH * THICK),
            "function": "push",
        }
    },
    "time": {"scheme": "static", "step": 0.1, "end": 1.0},
    "output": {"fields_every": 1},
}


@pytest.fixture(scope="module")
def pushed() -> Result:
    watch = {
        "stress": {"type": "max-von-mises", "at": "block"},
        "pressure": {"type": "peak-pressure", "at": "sole"},
        "width": {"type": "contact-width", "at": "sole"},
    }
    charts = {
        "over": {"x": "width", "y": ["pressure"]},
        "edge": {"pair": "sole", "coordinate": "x", "times": [0.4]},
        "up": {"line": [[0.05, 0.0], [0.05, 0.05]], "coordinate": "y", "times": [0.4]},
    }
    return fecontact.run(fecontact.define(PUSHED | {"watch": watch, "charts": charts}))


def figure(result: Result, name: str):
    return next(one for one in result.record.key_figures if one.name == name)


def test_the_largest_stress_is_that_of_the_largest_load(pushed: Result) -> None:
    found = figure(pushed, "bodies.block.max_von_mises")
    assert found.value == pytest.approx(FORCE / (WIDTH * THICK), rel=1e-9)
    assert found.time == pytest.approx(0.4)
    assert found.position is not None and found.unit == "Pa"


def test_the_largest_displacement_and_reactions_are_those_of_the_largest_load() -> None:
    """The base carries the load; the top moves by p h/E, as ν = 0."""
    fixed = {"supports": {"base": {"on": "block.bottom", "y": 0.0, "x": 0.0}}, "contact": {}}
    study = fecontact.define({k: v for k, v in PUSHED.items() if k != "tools"} | fixed)
    run = fecontact.run(study)
    found = figure(run, "bodies.block.max_displacement")
    assert found.value == pytest.approx(FORCE / (WIDTH * THICK) * 0.05 / 1e9)
    assert found.time == pytest.approx(0.4) and found.position[1] == pytest.approx(0.05)
    upward = figure(run, "supports.base.max_reaction_y")
    assert (upward.value, upward.unit) == (pytest.approx(FORCE), "N")
    assert upward.time == pytest.approx(0.4)
    assert run.record.scalars["supports.base.max_reaction_y"].value == upward.value


def test_peaks_of_a_pair_are_those_of_the_run_and_not_of_its_end(pushed: Result) -> None:
    assert figure(pushed, "contact.sole.max_normal_force").value == pytest.approx(FORCE)
    assert figure(pushed, "contact.sole.max_normal_force").time == pytest.approx(0.4)
    assert figure(pushed, "contact.sole.max_contact_width").value == pytest.approx(WIDTH)
    pressure = figure(pushed, "contact.sole.max_pressure").value
    assert pressure == pytest.approx(FORCE / (WIDTH * THICK))
    at_the_end = pushed.record.scalars["contact.sole.peak_pressure"].value
    assert at_the_end == pytest.approx(0.2 * pressure)


def test_the_margin_to_yield_is_yield_stress_over_stress_less_one(pushed: Result) -> None:
    assert pushed.record.scalars["bodies.block.yield_margin"].value == pytest.approx(1.0)


def test_history_outputs_follow_the_largest_values(pushed: Result) -> None:
    load = np.interp(pushed.time, [0.0, 0.4, 1.0], [0.0, 1.0, 0.2]) * FORCE / (WIDTH * THICK)
    np.testing.assert_allclose(pushed["stress"], load, atol=1.0)
    np.testing.assert_allclose(pushed["pressure"], load, atol=1.0)
    np.testing.assert_allclose(pushed["width"][1:], WIDTH)


def test_charts_of_a_study_are_drawn_by_name(pushed: Result) -> None:
    from fecontact.results.charts.run_charts import charts_of

    charts = {chart.key: chart for chart in charts_of(pushed.study, pushed.record)}
    over, edge, up = (charts[f"chart-{name}"] for name in ("over", "edge", "up"))
    assert over.x_label == "width [m]" and over.section == "Charts"
    np.testing.assert_array_equal(over.series[0].y, pushed["pressure"])
    assert edge.series[0].label == "t = 0.4 s"
    np.testing.assert_allclose(edge.series[0].y, FORCE / (WIDTH * THICK))
    np.testing.assert_allclose(up.series[0].y, FORCE / (WIDTH * THICK), rtol=1e-6)
    assert up.series[0].x[-1] == pytest.approx(0.05)


def test_a_run_without_fields_samples_stress_all_along() -> None:
    run = fecontact.run(fecontact.define(PUSHED | {"output": {"every": 10}}))
    assert run.record.statistics["times at which stress was sampled"] == 11
    found = figure(run, "bodies.block.max_von_mises")
    assert (found.time, found.value) == pytest.approx((0.4, FORCE / (WIDTH * THICK)))


@pytest.mark.parametrize(
    ("chart", "message"),
    [
        ({"y": ["force"]}, r"charts.c.y.*history not found"),
        ({"pair": "heel"}, r"charts.c.pair.*contact pair not found"),
        ({"pair": "sole", "times": [2.0]}, r"charts.c.times"),
        ({"pair": "sole", "quantity": "xx"}, r"charts.c.quantity"),
        ({"x": "solver.step"}, "charts.c.*y, pair, line"),
        ({"line": [[0.0, 0.0], [0.0, 0.0]]}, r"charts.c.line.*no length"),
    ],
)
def test_a_chart_of_what_the_run_has_not_is_reported_by_its_key(chart, message) -> None:
    with pytest.raises(InputError, match=message):
        fecontact.define(PUSHED | {"charts": {"c": chart}})


@pytest.mark.parametrize(
    ("values", "noted"), [((0.2, 1.0, 0.2), False), ((0.2, 0.6, 1.0), True)], ids=["middle", "end"]
)
def test_a_peak_pressure_at_an_end_of_the_slave_edge_is_noted(values, noted: bool) -> None:
    profile = {"type": "table", "coordinate": "x", "at": [0.0, 0.05, WIDTH], "values": list(values)}
    study = fecontact.changed(fecontact.define(PUSHED), {"loads.weight.profile": profile})
    note = figure(fecontact.run(study), "contact.sole.max_pressure").note
    assert ("at an end" in note) == noted


def test_the_moment_of_a_tool_with_a_reference_point() -> None:
    """The ground carries a uniform pressure: F · WIDTH / 2 about its left corner."""
    ground = {"type": "half-plane", "reference_point": [0.0, 0.0]}
    result = fecontact.run(fecontact.define(PUSHED | {"tools": {"ground": ground}}))
    found = figure(result, "tool.ground.max_moment")
    assert abs(found.value) == pytest.approx(FORCE * WIDTH / 2, rel=1e-9)
    assert found.time == pytest.approx(0.4) and found.unit == "N·m"
    assert result.record.scalars["tool.ground.max_moment"].value == found.value
    assert not any(one.of.startswith("tool.") for one in pushed_without().record.key_figures)


def pushed_without() -> Result:
    return fecontact.run(fecontact.define(PUSHED))


def test_angles_of_charts_are_in_degrees() -> None:
    from fecontact.results.charts.study_charts import study_charts

    study = fecontact.define(PUSHED | {
        "tools": {"ground": {"type": "half-plane", "angle": 0.01, "angle_function": "push"}},
        "charts": {"tilt": {"x": "tool.ground.rotation", "y": ["contact.sole.normal"]}},
    })  # fmt: skip
    (chart,) = study_charts(study, fecontact.run(study).record)
    assert chart.x_label.endswith("[°]")
    assert max(chart.series[0].x) == pytest.approx(0.01)
