"""Spheres, punches and thick walls against the equations that they solve."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.special import ellipk

from fecontact.reference import (
    FlatPunch,
    HertzImpact,
    HertzPointContact,
    HollowSphere,
    ShrinkFit,
    ThickCylinder,
)

STEEL = {"young_1": 2.1e11, "poisson_1": 0.3}


def settlement(pressure, radius: float, r: float, modulus: float) -> float:
    """u_z(r) = (4/πE*) ∫ p(s) s/(r + s) K(m) ds, m = 4rs/(r + s)²: a sum of ring loads on a
    half-space."""

    def ring(s: float) -> float:
        return float(pressure(s)) * s / (r + s) * ellipk(4 * r * s / (r + s) ** 2)

    return 4 / (math.pi * modulus) * quad(ring, 0.0, radius, points=[r], limit=400)[0]


def test_hertzian_spheres_touch_inside_the_circle_and_carry_the_load() -> None:
    hertz = HertzPointContact(load=100.0, radius_1=0.05, radius_2=0.1, young_2=7e10, **STEEL)
    a = hertz.contact_radius

    def pressure(r: float) -> float:
        return float(hertz.profile(np.array(r))["pressure"])

    assert quad(lambda r: 2 * np.pi * r * pressure(r), 0, a)[0] == pytest.approx(100.0, rel=1e-8)
    for r in (0.2 * a, 0.5 * a, 0.9 * a):
        gap = r**2 / (2 * hertz.radius) + settlement(pressure, a, r, hertz.modulus)
        assert gap == pytest.approx(hertz.approach, rel=1e-5)


def test_a_punch_sinks_in_evenly() -> None:
    punch = FlatPunch(radius=0.01, depth=1e-5, young=2.1e11, poisson=0.3)
    modulus = 2.1e11 / 0.91

    def by_angle(r: float) -> float:  # s = a sin φ takes the pole of the pressure away
        def ring(phi: float) -> float:
            s = 0.01 * math.sin(phi)
            k = ellipk(4 * r * s / (r + s) ** 2)
            return punch.load / (2 * math.pi * 0.01) * s / (r + s) * k

        return 4 / (math.pi * modulus) * quad(ring, 0, np.pi / 2, points=[math.asin(r / 0.01)])[0]

    for r in (0.002, 0.006, 0.009):
        assert by_angle(r) == pytest.approx(1e-5, rel=1e-6)
    at = np.array([0.0, 0.006, 0.01, 0.02])
    assert punch.profile(at)["pressure"][2:].tolist() == [0.0, 0.0]


def test_an_impact_obeys_its_equation_of_motion() -> None:
    impact = HertzImpact(mass=0.03, velocity=0.2, radius_1=0.01, start=1e-5, **STEEL)

    def motion(_: float, state):
        approach, rate = state
        return [rate, -impact.stiffness * max(approach, 0.0) ** 1.5 / impact.mass]

    t = np.linspace(0.0, impact.duration, 41)
    found = solve_ivp(motion, (0, t[-1]), [0.0, 0.2], "DOP853", t, rtol=1e-12, atol=1e-16)
    exact = impact.history(impact.start + t)
    scale = impact.largest_approach
    assert np.abs(found.y[0] - exact["approach"]).max() < 1e-6 * scale
    assert np.abs(found.y[1] - exact["rate"]).max() < 1e-5 * 0.2
    law = (impact.mass**2 / (impact.radius * impact.modulus**2 * impact.velocity)) ** 0.2
    assert impact.duration == pytest.approx(2.868 * law, rel=2e-4)
    assert impact.history(np.array([0.0, 1.0]))["force"].tolist() == [0.0, 0.0]


@pytest.mark.parametrize(("wall", "n"), [(ThickCylinder, 1), (HollowSphere, 2)])
def test_thick_walls_are_in_equilibrium_under_their_pressures(wall, n: int) -> None:
    solution = wall(inner=0.1, outer=0.25, young=2e11, poisson=0.3, inside=3e7, outside=1e7)
    r = np.linspace(0.1, 0.25, 7)
    found, step = solution.profile(r), 1e-6
    assert found["radial_stress"][[0, -1]] == pytest.approx([-3e7, -1e7], rel=1e-12)
    after, before = solution.profile(r + step), solution.profile(r - step)
    slope = (after["radial_stress"] - before["radial_stress"]) / (2 * step)
    off = slope + n * (found["radial_stress"] - found["hoop_stress"]) / r
    assert np.abs(off).max() < 1e-6 * np.abs(slope).max()
    stretch = (after["displacement"] - before["displacement"]) / (2 * step)
    around = found["displacement"] / r
    lame, shear = 2e11 * 0.3 / (1.3 * 0.4), 2e11 / 2.6
    law = lame * (stretch + n * around) + 2 * shear * stretch
    assert law == pytest.approx(found["radial_stress"], rel=1e-6)


def test_a_shrink_fit_of_equal_rings_is_the_textbook_s() -> None:
    """p = E' Δ (c² − b²)(b² − a²)/(2b³(c² − a²)), E' = E/(1 − ν²), for rings of one material."""
    a, b, c = 0.05, 0.1, 0.15
    fit = ShrinkFit(
        inner=a,
        fit=b,
        outer=c,
        interference=1e-5,
        young_inner=2e11,
        young_outer=2e11,
        poisson_inner=0.3,
        poisson_outer=0.3,
    )
    textbook = 2e11 / 0.91 * 1e-5 * (c**2 - b**2) * (b**2 - a**2) / (2 * b**3 * (c**2 - a**2))
    assert fit.pressure == pytest.approx(textbook, rel=1e-12)


@pytest.mark.parametrize(
    ("solution", "wrong"),
    [
        (ThickCylinder, {"inner": 0.3}),
        (HollowSphere, {"poisson": 0.5}),
        (FlatPunch, {"depth": 0.0}),
    ],
)
def test_invalid_parameters_are_rejected(solution, wrong) -> None:
    sound = {"inner": 0.1, "outer": 0.2, "young": 1.0, "poisson": 0.3}
    if solution is FlatPunch:
        sound = {"radius": 1.0, "depth": 1.0, "young": 1.0, "poisson": 0.3}
    with pytest.raises(ValueError, match=solution.__name__):
        solution(**sound | wrong)
