"""Measures of a history agree with the sampled function."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.record import History, RunRecord, Scalar
from fecontact.reference import CoulombOscillator
from fecontact.results.checks.measures import extrema, label, measure, unit_of
from fecontact.study.common import Measured
from fecontact.study.errors import InputError


def record_of(t, **columns):
    return RunRecord(History(np.asarray(t, float), {k: np.asarray(v) for k, v in columns.items()}))


T = np.arange(351) * 0.01
WAVE = record_of(T, x=np.sin(2 * np.pi * T))


def test_the_value_at_a_saved_step_is_that_step_whatever_the_rounding_of_its_time():
    exact = WAVE.history.columns["x"][170]
    assert measure(WAVE, Measured(quantity="x", time=1.7)) == exact


def test_between_two_saved_steps_the_history_is_a_straight_line():
    x = WAVE.history.columns["x"]
    got = measure(WAVE, Measured(quantity="x", time=1.7025))
    assert got == pytest.approx(0.75 * x[170] + 0.25 * x[171], rel=1e-9)


def test_final_maximum_and_minimum_are_those_of_the_saved_steps():
    x = WAVE.history.columns["x"]
    assert measure(WAVE, Measured(quantity="x", measure="final")) == x[-1]
    assert measure(WAVE, Measured(quantity="x", measure="maximum")) == x.max()
    assert measure(WAVE, Measured(quantity="x", measure="minimum")) == x.min()


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_the_nth_extremum_lies_where_the_sine_turns_though_no_step_is_saved_there(n):
    t = np.linspace(0.0, 4.0, 413)
    wave = record_of(t, x=np.sin(2 * np.pi * t))
    at = measure(wave, Measured(quantity="x", measure="extremum-time", index=n))
    value = measure(wave, Measured(quantity="x", measure="extremum", index=n))
    assert at == pytest.approx(0.25 + 0.5 * (n - 1), abs=1e-5)
    assert value == pytest.approx((-1) ** (n - 1), abs=2e-6)


def test_a_parabola_is_located_exactly_also_with_uneven_steps():
    t = np.array([0.0, 0.1, 0.25, 0.3, 0.7, 0.8])
    assert extrema(t, 3.0 - (t - 0.31) ** 2) == [pytest.approx((0.31, 3.0))]


def test_reversals_of_a_friction_oscillator_are_found_and_its_stop_is_not_one():
    shoe = CoulombOscillator(mass=7e3, stiffness=24e3, friction=21e3, force=2e5, ramp=0.07)
    t = np.linspace(0.0, 9.0, 901)
    found = np.array(extrema(t, shoe.history(t)["displacement"]))
    exact = shoe.extrema()
    assert len(found) == 4  # the fifth turning point is the stop: the shoe does not turn back
    # friction reverses there, so the curvature jumps: times to half a step, values to its square
    np.testing.assert_allclose(found[:, 0], exact[:4, 0], atol=0.005)
    np.testing.assert_allclose(found[:, 1], exact[:4, 1], atol=1e-4)


def test_elastic_ringing_of_a_body_that_sticks_is_no_reversal():
    t = np.linspace(0.0, 2.0, 2001)
    pushed = np.minimum(t, 1.0) + 1e-8 * np.sin(900.0 * t) * (t > 1.0)
    assert extrema(t, pushed) == []


def test_where_the_body_sticks_at_its_turning_point_the_extremum_is_the_rest_itself():
    t = np.linspace(0.0, 4.0, 41)
    x = np.where(t < 1.5, t, np.where(t < 3.0, 1.5, 4.5 - t))
    assert extrema(t, x) == [pytest.approx((1.5, 1.5))]


def test_maximum_and_minimum_are_those_of_the_interval():
    line = record_of([0.0, 1.0, 2.0, 3.0], x=[0.0, 4.0, -2.0, 6.0])
    found = {
        how: measure(line, Measured(quantity="x", measure=how, interval=(0.5, 1.5)))
        for how in ("maximum", "minimum")
    }
    assert found == {"maximum": 4.0, "minimum": 1.0}


def test_mean_and_rms_over_whole_periods_of_a_sine():
    t = np.linspace(0.0, 3.0, 3001)
    wave = record_of(t, x=1.0 + np.sin(2 * np.pi * t))
    mean = measure(wave, Measured(quantity="x", measure="mean", interval=(0.5, 2.5)))
    rms = measure(wave, Measured(quantity="x", measure="rms"))
    assert mean == pytest.approx(1.0, abs=1e-12)
    assert rms == pytest.approx(np.sqrt(1.5), rel=1e-9)


def test_the_ends_of_an_interval_are_interpolated():
    line = record_of([0.0, 1.0, 2.0], x=np.array([0.0, 1.0, 2.0]))
    got = measure(line, Measured(quantity="x", measure="mean", interval=(0.5, 1.25)))
    assert got == pytest.approx(0.875)


def test_a_rate_is_the_change_per_second_between_interpolated_ends():
    curve = record_of([0.0, 1.0, 2.0], x=np.array([0.0, 1.0, 4.0]))
    asked = Measured(quantity="x", measure="rate", interval=(0.5, 1.5))
    assert measure(curve, asked) == pytest.approx(2.0)
    assert label(asked) == "rate of x on [0.5, 1.5] s"
    curve.history.units["x"] = "rad"
    assert unit_of(curve, asked) == "rad/s"


def test_a_scalar_result_is_taken_as_it_is():
    record = RunRecord(History(T), scalars={"wear power": Scalar(15.267, "W")})
    assert measure(record, Measured(quantity="wear power", measure="scalar")) == 15.267


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (Measured(quantity="y", time=1.0), "history 'y' not found.*'x'"),
        (Measured(quantity="x", time=9.0), "0 s to 3.5 s"),
        (Measured(quantity="x", measure="extremum", index=99), "only 7"),
        (Measured(quantity="x", measure="scalar"), "It is a history"),
        (Measured(quantity="z", measure="scalar"), "scalar 'z' not found.*none"),
        (Measured(quantity="x", measure="mean", interval=(1.0, 9.0)), "at 9 s"),
    ],
)
def test_quantities_missing_from_the_run_are_reported(asked, message):
    with pytest.raises(InputError, match=message):
        measure(WAVE, asked)


def test_labels_describe_the_measured_quantity():
    assert label(Measured(quantity="x_A", time=1.7)) == "x_A at 1.7 s"
    assert label(Measured(quantity="x", measure="extremum", index=2)) == "extremum 2 of x"
    averaged = Measured(quantity="P", measure="mean", interval=(4.0, 12.0))
    assert label(averaged) == "mean of P on [4, 12] s"
