"""Rolling and spinning discs: independent integration, equilibrium, limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fecontact.reference.impact.colliding_discs import CollidingDiscs
from fecontact.reference.motion.rolling_disc import RollingDisc
from fecontact.reference.motion.wheel_over_bump import WheelOverBump
from fecontact.reference.solids.spinning_disc import SpinningDisc

CASES = (
    {"friction_coefficient": 0.3, "angle": 20.0},
    {"friction_coefficient": 0.1, "angle": 20.0},
    {"friction_coefficient": 0.3, "angle": 20.0, "ramp": 0.3},
    {"friction_coefficient": 0.1, "angle": 20.0, "ramp": 0.3},
    {"friction_coefficient": 0.2, "initial_velocity": 3.0},
    {"friction_coefficient": 0.2, "initial_velocity": 3.0, "initial_angular_velocity": -10.0},
    {"friction_coefficient": 0.3, "angle": 10.0, "initial_angular_velocity": 15.0},
)


@pytest.mark.parametrize("given", CASES)
def test_a_disc_moves_as_in_a_fine_explicit_integration(given: dict[str, float]) -> None:
    disc = RollingDisc(radius=0.5, gravity=9.81, **given)
    theta, steps, end = math.radians(disc.angle), 200_000, 1.0
    x, turned = 0.0, 0.0
    v, spin, dt = disc.initial_velocity, disc.initial_angular_velocity, end / steps
    for n in range(steps):
        grown = min((n + 0.5) * dt / disc.ramp, 1.0) if disc.ramp else 1.0
        pull = grown * disc.gravity * math.sin(theta)
        limit = disc.friction_coefficient * grown * disc.gravity * math.cos(theta)
        # Friction per mass that would end the slip within the step, as far as Coulomb allows.
        wanted = ((v - disc.radius * spin) / dt + pull) / 3.0
        friction = max(-limit, min(limit, wanted))
        v, spin = v + dt * (pull - friction), spin + dt * 2.0 * friction / disc.radius
        x, turned = x + dt * v, turned + dt * spin
    exact = disc.history(np.array([end]))
    found = {"displacement": x, "velocity": v, "rotation": turned, "angular_velocity": spin}
    for name, value in found.items():
        assert exact[name][0] == pytest.approx(value, rel=1e-4, abs=1e-4)


def test_a_thrown_disc_rolls_with_two_thirds_of_its_velocity() -> None:
    disc = RollingDisc(radius=0.5, gravity=9.81, friction_coefficient=0.3, initial_velocity=3.0)
    assert disc.rolling_from() == pytest.approx(3.0 / (3 * 0.3 * 9.81))
    assert disc.history(np.array([5.0]))["velocity"][0] == pytest.approx(2.0)


def test_a_spinning_disc_is_in_equilibrium() -> None:
    disc = SpinningDisc(radius=0.5, young=1e7, poisson=0.3, density=1000.0, angular_velocity=20.0)
    r = np.linspace(0.01, 0.5, 2001)
    stress = disc.profile(r)
    slope = np.gradient(stress["radial"], r, edge_order=2)
    left = slope + (stress["radial"] - stress["hoop"]) / r + 1000.0 * 400.0 * r
    assert np.abs(left).max() < 1e-6 * 1000.0 * 400.0 * 0.5
    assert stress["radial"][-1] == pytest.approx(0.0, abs=1e-6)
    # Plane strain: E ε_θ = (1+ν)[(1−ν)σ_θ − ν σ_r] at the rim.
    hoop = 1.3 * 0.7 * stress["hoop"][-1] / 1e7
    assert disc.expansion == pytest.approx(0.5 * hoop)


BUMP = {
    "radius": 0.5,
    "height": 0.05,
    "length": 1.5,
    "distance": 0.25,
    "velocity": 1.5,
    "gravity": 9.81,
    "friction_coefficient": 0.6,
}


def test_a_wheel_over_a_bump_touches_it_and_keeps_its_energy() -> None:
    wheel = WheelOverBump(**BUMP)
    t = np.linspace(0.0, 1.6, 16001)
    found = wheel.history(t)
    for way in "xy":
        slope = np.gradient(found[way], t)
        assert slope == pytest.approx(found[f"velocity_{way}"], abs=1e-3)
    speed = np.hypot(found["velocity_x"], found["velocity_y"])
    energy = 0.5 * speed**2 + 0.25 * 0.25 * found["angular_velocity"] ** 2 + 9.81 * found["y"]
    assert energy == pytest.approx(0.75 * 1.5**2, rel=1e-7)
    assert found["velocity_x"].min() == pytest.approx(wheel.top_velocity, rel=1e-6)
    x = np.linspace(0.0, 1.5, 30001)
    ground = 0.025 * (1.0 - np.cos(2.0 * np.pi * x / 1.5))
    for i in range(3000, 13000, 1000):  # over the bump
        centre = found["x"][i] - 0.25, found["y"][i] + 0.5
        distance = np.hypot(x - centre[0], ground - centre[1]).min()
        assert distance == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("friction", (0.0, 0.1, 0.5))
@pytest.mark.parametrize("tangential", (2.0, -2.0))
def test_colliding_discs_keep_their_momenta(friction: float, tangential: float) -> None:
    discs = CollidingDiscs(
        radius_1=0.5,
        radius_2=0.2,
        normal_velocity=1.0,
        tangential_velocity=tangential,
        friction_coefficient=friction,
        restitution=0.8,
    )
    after = {name: column[0] for name, column in discs.history(np.zeros(1)).items()}
    masses, radii, place = (0.25, 0.04), (0.5, 0.2), (0.0, 0.7)
    for way, before in (("x", 1.0), ("y", tangential)):
        total = sum(m * after[f"{way}_{i}"] for i, m in enumerate(masses, 1))
        assert total == pytest.approx(0.25 * before)
    turned = sum(
        m * (x * after[f"y_{i}"] + 0.5 * r * r * after[f"angular_velocity_{i}"])
        for i, (m, r, x) in enumerate(zip(masses, radii, place, strict=True), 1)
    )
    assert turned == pytest.approx(0.0)
    parting = after["x_2"] - after["x_1"]
    assert parting == pytest.approx(0.8)
    rims = (
        after["y_1"] + 0.5 * after["angular_velocity_1"],
        after["y_2"] - 0.2 * after["angular_velocity_2"],
    )
    sliding = rims[0] - rims[1]
    assert sliding * tangential >= -1e-12
    assert discs.slides == (friction < 0.3)  # 3 μ (1 + e) v_n against 2 m/s
    if not discs.slides:
        assert sliding == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("solution", "given"),
    [
        (
            CollidingDiscs,
            {
                "radius_1": 1,
                "radius_2": 1,
                "normal_velocity": 1,
                "tangential_velocity": 0,
                "friction_coefficient": 0,
                "restitution": 1.1,
            },
        ),
        (RollingDisc, {"radius": 0.5, "gravity": 9.81, "friction_coefficient": 0.1, "angle": 90.0}),
        (
            RollingDisc,
            {
                "radius": 0.5,
                "gravity": 9.81,
                "friction_coefficient": 0.1,
                "ramp": 1.0,
                "initial_angular_velocity": 1.0,
            },
        ),
        (WheelOverBump, BUMP | {"velocity": 0.5}),
        (WheelOverBump, BUMP | {"velocity": 9.0}),
        (WheelOverBump, BUMP | {"length": 0.5}),
        (WheelOverBump, BUMP | {"friction_coefficient": 0.01}),
        (
            SpinningDisc,
            {"radius": 1, "young": 1, "poisson": 0.5, "density": 1, "angular_velocity": 1},
        ),
    ],
)
def test_invalid_discs_are_rejected(solution: type, given: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        solution(**given)
