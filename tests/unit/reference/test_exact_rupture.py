"""The rupture's kernel against its limits, and the rupture against finer grids."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import Rupture
from fecontact.reference.friction.rupture import bessel, memory

TPV = {
    "young": 8.0091e10, "poisson": 0.25, "density": 2670.0, "pressure": 1.2e8,
    "static_coefficient": 0.677, "dynamic_coefficient": 0.525, "distance": 0.4,
    "shear": 7.0e7, "overstress": 8.16e7, "half_length": 1500.0, "end": 1.5, "period": 30e3,
}  # fmt: skip


def test_bessel_functions_are_those_of_the_tables() -> None:
    j0, j1, integral = bessel(np.array([0.0, 1.0, 10.0, 500.0]))
    assert j0[1:3] == pytest.approx([0.7651976866, -0.2459357645], abs=1e-10)
    assert j1[1:3] == pytest.approx([0.4400505857, 0.0434727462], abs=1e-10)
    assert integral[:3] == pytest.approx([0.0, 0.9197304101, 1.0670113040], abs=1e-10)
    assert integral[3] == pytest.approx(
        1.0 + np.sqrt(2 / np.pi / 500) * np.sin(500 - np.pi / 4), abs=1e-4
    )


@pytest.mark.parametrize("poisson", [0.0, 0.25])
def test_the_memory_of_the_half_planes_has_the_transform_it_is_made_of(poisson: float) -> None:
    ratio = np.sqrt(2 * (1 - poisson) / (1 - 2 * poisson))
    time = np.arange(0.0, 60.0, 0.005)
    kernel = memory(time, ratio)
    for q in (0.5, 1.0, 3.0):
        found = np.trapezoid(kernel * np.exp(-q * time), time)
        shear, dilatation = np.sqrt(1 + q**2), np.sqrt(1 + q**2 / ratio**2)
        exact = ((2 + q**2) ** 2 - 4 * shear * dilatation) / (q**2 * shear) - q
        assert found == pytest.approx(exact, rel=1e-4)


def test_arrivals_converge_and_stay_below_the_speed_of_rayleigh_waves() -> None:
    coarse, fine = (Rupture(**TPV, spacing=spacing) for spacing in (100.0, 60.0))
    for place in (2000.0, 3000.0, 4000.0):
        assert coarse.arrival(place) == pytest.approx(fine.arrival(place), rel=0.005)
    assert coarse.potency == pytest.approx(fine.potency, rel=0.005)
    speed = 1000.0 / (fine.arrival(4000.0) - fine.arrival(3000.0))
    assert 0.5 * fine.shear_speed < speed < 0.9194 * fine.shear_speed
    assert fine.profile(np.array([0.0, 9000.0]))["slip"][1] == 0.0


def test_a_load_below_the_strength_is_rejected() -> None:
    with pytest.raises(ValueError, match="strength must lie between"):
        Rupture(**(TPV | {"overstress": 8.0e7}), spacing=200.0)


@pytest.mark.parametrize("changed", [{"spacing": 1e-6}, {"end": 1e10}, {"period": 1e15}])
def test_a_solution_that_would_exhaust_time_or_memory_is_rejected(changed: dict) -> None:
    with pytest.raises(ValueError, match="spacing"):
        Rupture(**(TPV | {"spacing": 200.0} | changed))
