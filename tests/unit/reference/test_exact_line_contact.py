"""Hertz and Cattaneo–Mindlin against the integral equation of the elastic half-plane."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import quad

from fecontact.reference.contact.hertz import HertzLineContact
from fecontact.reference.friction.carter import CarterRolling
from fecontact.reference.friction.cattaneo_mindlin import CattaneoMindlin
from fecontact.reference.friction.lap_joint import LapJoint
from fecontact.reference.friction.mindlin_loop import MindlinLoop

STEEL = {"young_1": 2.1e11, "poisson_1": 0.3, "young_2": 2.1e11, "poisson_2": 0.3}
CYLINDER_ON_PLANE = {"load": 1e6, "radius_1": 0.05, **STEEL}


def surface_strain(
    traction: Callable[[float], float], x: float, edges: list[float], modulus: float
) -> float:
    """−(2/πE*) PV∫ q(ξ)/(x − ξ) dξ by adaptive quadrature."""
    total = 0.0
    for left, right in itertools.pairwise(edges):
        if left < x < right:
            total += -quad(traction, left, right, weight="cauchy", wvar=x)[0]
        else:
            total += quad(lambda s: traction(s) / (x - s), left, right, limit=200)[0]
    return -2.0 / (math.pi * modulus) * total


def test_pressure_carries_the_load() -> None:
    hertz = HertzLineContact(**CYLINDER_ON_PLANE)
    a = hertz.half_width
    total = quad(lambda x: hertz.profile(np.array(x))["pressure"], -a, a)[0]
    assert total == pytest.approx(1e6, rel=1e-8)
    assert hertz.peak_pressure == pytest.approx(hertz.modulus * a / (2 * 0.05), rel=1e-14)


def test_bodies_touch_inside_the_contact_and_part_outside() -> None:
    hertz = HertzLineContact(**{**CYLINDER_ON_PLANE, "radius_2": 0.2, "young_2": 7e10})
    a = hertz.half_width

    def pressure(x: float) -> float:
        return float(hertz.profile(np.array(x))["pressure"])

    for x in (0.15 * a, 0.5 * a, 0.9 * a):
        strain = surface_strain(pressure, x, [-a, a], hertz.modulus)
        assert strain == pytest.approx(-x / hertz.radius, rel=1e-6)
    for x in (1.1 * a, 2.0 * a):
        assert x / hertz.radius + surface_strain(pressure, x, [-a, a], hertz.modulus) > 0.0


def test_rigid_plane_doubles_the_modulus_of_equal_bodies() -> None:
    equal = HertzLineContact(**CYLINDER_ON_PLANE)
    rigid = HertzLineContact(load=1e6, radius_1=0.05, young_1=2.1e11, poisson_1=0.3)
    assert rigid.modulus == pytest.approx(2.0 * equal.modulus, rel=1e-14)
    assert equal.half_width == pytest.approx(math.sqrt(2.0) * rigid.half_width, rel=1e-14)


def test_stick_zone_moves_as_one_and_the_rest_slips() -> None:
    contact = CattaneoMindlin(**CYLINDER_ON_PLANE, tangential_load=2e5, friction_coefficient=0.3)
    a, c = contact.half_width, contact.stick_half_width
    assert c == pytest.approx(a * math.sqrt(1.0 / 3.0), rel=1e-14)

    def traction(x: float) -> float:
        return float(contact.profile(np.array(x))["traction"])

    assert quad(traction, -a, a, points=[-c, c])[0] == pytest.approx(2e5, rel=1e-7)
    scale = 0.3 * a / contact.radius
    edges = [-a, -c, c, a]
    for x in (0.2 * c, 0.6 * c, 0.9 * c):
        assert abs(surface_strain(traction, x, edges, contact.modulus)) < 1e-5 * scale
    assert abs(surface_strain(traction, 0.5 * (a + c), edges, contact.modulus)) > 0.1 * scale
    profile = contact.profile(np.linspace(-a, a, 201))
    slipping = np.abs(np.linspace(-a, a, 201)) >= c
    np.testing.assert_allclose(
        profile["traction"][slipping], 0.3 * profile["pressure"][slipping], rtol=1e-12
    )
    assert np.all(profile["traction"] <= 0.3 * profile["pressure"] * (1.0 + 1e-12))


def test_tangential_load_at_the_limit_slips_everywhere() -> None:
    sliding = CattaneoMindlin(**CYLINDER_ON_PLANE, tangential_load=-3e5, friction_coefficient=0.3)
    profile = sliding.profile(np.linspace(-1e-3, 1e-3, 51))
    assert sliding.stick_half_width == pytest.approx(0.0, abs=1e-9)
    np.testing.assert_allclose(profile["traction"], -0.3 * profile["pressure"], atol=1e-6)


@pytest.mark.parametrize("load", (2e5, -2e5))
def test_a_rolling_contact_sticks_in_front_and_strained_by_its_creepage(
    load: float,
) -> None:
    rolling = CarterRolling(**CYLINDER_ON_PLANE, tangential_load=load, friction_coefficient=0.3)
    a, c = rolling.half_width, rolling.stick_half_width
    end = a - 2.0 * c

    def traction(x: float) -> float:
        return float(rolling.profile(np.array(x))["traction"])

    assert quad(traction, -a, a, points=[end])[0] == pytest.approx(load, rel=1e-6)
    edges = [-a, end, a]
    for x in (end + 0.3 * c, end + c, a - 0.2 * c):
        strain = surface_strain(traction, x, edges, rolling.modulus)
        assert strain == pytest.approx(-rolling.creepage, rel=1e-4)
    # Behind it the surfaces slide in the sense of the force.
    behind = surface_strain(traction, 0.5 * (end - a), edges, rolling.modulus)
    assert (behind + rolling.creepage) * load > 0.0
    x = np.linspace(-a, a, 201)
    profile = rolling.profile(x)
    limit = 0.3 * profile["pressure"]
    assert np.all(np.abs(profile["traction"]) <= limit * (1.0 + 1e-12))
    np.testing.assert_allclose(np.abs(profile["traction"][x <= end]), limit[x <= end], rtol=1e-12)
    there = dataclasses.replace(rolling, middle=3.0 * a).profile(x + 3.0 * a)
    for quantity, values in profile.items():
        np.testing.assert_allclose(there[quantity], values, atol=1e-6 * np.abs(values).max())


def loop(load: float, second_turn: float, first_turn: float = 2e5) -> MindlinLoop:
    return MindlinLoop(
        **CYLINDER_ON_PLANE, friction_coefficient=0.3, tangential_load=load,
        first_turn=first_turn, second_turn=second_turn,
    )  # fmt: skip


def test_a_loop_of_shear_closes_and_carries_its_load_everywhere() -> None:
    first = CattaneoMindlin(**CYLINDER_ON_PLANE, tangential_load=2e5, friction_coefficient=0.3)
    a = first.half_width
    x = a * np.sin(np.linspace(-0.5 * math.pi, 0.5 * math.pi, 20001))
    for load, second_turn in ((2e5, -2e5), (0.0, -2e5), (-5e4, -1e5), (5e4, 5e4), (-2e5, -2e5)):
        profile = loop(load, second_turn).profile(x)
        assert np.trapezoid(profile["traction"], x) == pytest.approx(load, abs=2.0)
        assert np.all(np.abs(profile["traction"]) <= 0.3 * profile["pressure"] + 1e-3)
    closed, opposite = (loop(q, -2e5).profile(x)["traction"] for q in (2e5, -2e5))
    np.testing.assert_allclose(closed, first.profile(x)["traction"], atol=1e-3)
    np.testing.assert_allclose(opposite, -first.profile(x)["traction"], atol=1e-3)


def test_slip_dissipates_the_work_of_a_loop() -> None:
    """In full sliding π μ² p₀² a²/8E*; a way back twice as far does twice the work of the first."""
    there = loop(2e5, -2e5)
    assert there.dissipated(2) == there.dissipated(3) == pytest.approx(2.0 * there.dissipated(1))
    sliding = loop(3e5, -3e5, first_turn=3e5)
    exact = math.pi * (0.3 * sliding.peak_pressure * sliding.half_width) ** 2 / 8 / sliding.modulus
    assert sliding.dissipated(1) == pytest.approx(exact, rel=1e-12)
    # For small loads W ∝ Q³, as in Mindlin & Deresiewicz.
    small, half = (loop(q, -q, first_turn=q).dissipated(1) for q in (2e3, 1e3))
    assert small / half == pytest.approx(8.0, rel=0.02)
    with pytest.raises(ValueError, match="between the turns"):
        loop(1.9e5, -1e5, first_turn=1.5e5)
    with pytest.raises(ValueError, match="turns must obey"):
        loop(0.0, -2.5e5)


def test_parameters_outside_the_solutions_are_rejected() -> None:
    with pytest.raises(ValueError, match="Dundurs"):
        CattaneoMindlin(
            **{**CYLINDER_ON_PLANE, "young_2": 7e10}, tangential_load=1.0, friction_coefficient=0.3
        )
    with pytest.raises(ValueError, match="friction limit"):
        CattaneoMindlin(**CYLINDER_ON_PLANE, tangential_load=4e5, friction_coefficient=0.3)
    with pytest.raises(ValueError, match="be curved"):
        HertzLineContact(**{**CYLINDER_ON_PLANE, "radius_1": math.inf})


def test_a_lap_joint_dissipates_the_area_of_its_loop() -> None:
    joint = LapJoint(
        young=2e11, height=0.004, length=0.2, pressure=1e7, friction_coefficient=0.3,
        amplitude=3.6e5, frequency=50.0, start=0.02,
    )  # fmt: skip
    t = np.linspace(0.0, 0.065, 65_001)
    found = joint.history(t)
    assert not found["displacement"][t <= 0.02].any()
    assert np.abs(np.diff(found["displacement"])).max() < 1e-7  # no jump at a turn
    assert np.diff(found["dissipated"]).min() > -1e-12
    cycle = (t >= 0.025) & (t <= 0.045)
    area = np.trapezoid(found["force"][cycle], found["displacement"][cycle])
    lost = found["dissipated"][cycle]
    assert area == pytest.approx(joint.loss_of_a_cycle, rel=1e-5)
    assert lost[-1] - lost[0] == pytest.approx(joint.loss_of_a_cycle, rel=1e-9)
    assert joint.loss_of_a_cycle == pytest.approx(12.96)
    with pytest.raises(ValueError, match="would slide"):
        dataclasses.replace(joint, amplitude=7e5)
