"""Yield in closed form against small steps of its differential equations."""

from __future__ import annotations

import math

import pytest

from fecontact.reference.impact.plastic_wave import PlasticWave
from fecontact.reference.solids.yielding import Flow, YieldingTube, YieldUnderCylinder


def test_a_path_of_loading_is_that_of_many_small_steps() -> None:
    path, law = [4.0, -2.0, 5.0], Flow(yield_stress=1.0, hardening=0.4, resistance=3.0)
    q, plastic, equivalent, before, work = 0.0, 0.0, 0.0, 0.0, 0.0
    for target in path:
        count = 20000
        for _ in range(count):
            change = (target - before) / count
            trial, limit = q + change, 1.0 + 0.4 * equivalent
            more = max(0.0, abs(trial) - limit) / law.resistance
            sign = math.copysign(1.0, trial)
            q = trial - sign * (law.resistance - law.hardening) * more
            plastic, equivalent, work = (
                plastic + sign * more,
                equivalent + more,
                work + abs(q) * more,
            )
        before = target
    found = law.after(path)
    assert found == pytest.approx((q, plastic, equivalent), rel=1e-9)
    assert law.work(found[2]) == pytest.approx(work, rel=1e-3)


def test_the_tube_is_in_equilibrium_and_yields_up_to_its_front() -> None:
    tube = YieldingTube(inner=0.1, outer=0.2, front=0.15, shear=8e10, yield_stress=2.4e8)
    difference, pressure, count = 2 / math.sqrt(3) * 2.4e8, 0.0, 200000
    for i in range(count):  # dσ_r/dr = (σ_θ − σ_r)/r, from the free outside to the inside
        r = 0.2 - (i + 0.5) * 0.1 / count
        elastic = 4 * tube.shear * tube.displacement(1.0) / r**2
        pressure += min(elastic, difference) / r * 0.1 / count
    assert tube.pressure == pytest.approx(pressure, rel=1e-8)
    assert tube.plastic_strain(0.15) == pytest.approx(0.0, abs=1e-15)
    loaded = difference - tube.pressure
    assert tube.residual_hoop == pytest.approx(loaded - tube.pressure * 0.05 / 0.03)


def test_yield_under_a_cylinder_starts_at_1_79_of_the_yield_stress() -> None:
    onset = YieldUnderCylinder(poisson=0.3)
    assert onset.onset == pytest.approx(1.79, abs=0.005)
    assert onset.depth == pytest.approx(0.70, abs=0.005)
    assert all(onset.mises(z) <= 1 / onset.onset for z in (0.1, 0.5, 0.7, 0.9, 2.0))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: YieldUnderCylinder(poisson=0.6),
        lambda: YieldingTube(inner=0.1, outer=0.2, front=0.3, shear=1.0, yield_stress=1.0),
        lambda: Flow(yield_stress=0.0, hardening=0.0, resistance=1.0),
    ],
)
def test_impossible_parameters_are_rejected(wrong) -> None:
    with pytest.raises(ValueError, match=r"[A-Z]\w+: "):
        wrong()


STEEL = {"young": 2.1e11, "poisson": 0.3, "density": 7800.0, "yield_stress": 2.5e8}


def test_plastic_wave_balances_momentum_and_energy():
    wave = PlasticWave(**STEEL, hardening=1e10, speed=20.0)
    c, c_p = wave.waves
    assert c_p < c
    # In a time t the wall stops the part behind the plastic wave and slows the part ahead of it.
    passed, ahead = c_p, c - c_p
    momentum = 7800.0 * (passed * 20.0 + ahead * wave.elastic_speed)
    assert wave.pressure == pytest.approx(momentum, rel=1e-12)
    # Stress by the law at the strain behind both waves.
    strain = wave.yield_pressure / (7800.0 * c**2) + (20.0 - wave.elastic_speed) / c_p
    bulk = 2.1e11 / (3 * 0.4)
    shape = 2.5e8 + 1e10 * wave.plastic_strain  # q = Y + H ᾱ; σ = κ ε + ⅔ q
    assert wave.pressure == pytest.approx(bulk * strain + 2 / 3 * shape, rel=1e-12)


def test_plastic_wave_wants_a_speed_that_yields():
    with pytest.raises(ValueError, match=r"speed must be above 9\.3"):
        PlasticWave(**STEEL, hardening=1e10, speed=9.0)
    with pytest.raises(ValueError, match="poisson"):
        PlasticWave(**STEEL | {"poisson": 0.5}, hardening=1e10, speed=20.0)
