"""Natural frequencies in closed form: limits of one theory in another, published numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fecontact.reference.solids.natural_frequencies import (
    hulten_brake,
    hulten_limit,
    mode_coupling,
    rod,
    slender_beam,
    supported_plate,
    thin_ring,
    timoshenko_beam,
)


def test_beam_theories_agree_for_slender_beams():
    slender = slender_beam("supported", 1, 1.0, 5000.0, 0.01)
    assert timoshenko_beam(1, 1.0, 0.01, 5000.0, 0.3) == pytest.approx(slender, rel=2e-4)
    assert supported_plate(1, 1.0, 0.01, 5000.0, 0.3) == pytest.approx(slender, rel=2e-4)


def test_timoshenko_with_this_shear_coefficient_is_close_to_elasticity():
    for mode in (1, 2, 3):
        exact = supported_plate(mode, 1.0, 0.1, 5000.0, 0.3)
        assert timoshenko_beam(mode, 1.0, 0.1, 5000.0, 0.3) == pytest.approx(exact, rel=2e-4)
        assert slender_beam("supported", mode, 1.0, 5000.0, 0.1) > 1.01 * exact


def test_slender_beams_have_the_tabulated_wave_numbers():
    scale = 2.0 * math.pi * math.sqrt(12.0)  # ω L² √(ρA/EI) with c = h = L = 1
    for ends, betas in {
        "clamped-free": (1.87510407, 4.69409113, 7.85475744),
        "free-free": (4.73004074, 7.85320462, 10.99560784),
    }.items():
        for mode, beta in enumerate(betas, 1):
            assert scale * slender_beam(ends, mode, 1.0, 1.0, 1.0) == pytest.approx(beta**2)


def test_rings_and_rods():
    assert thin_ring(3, 1.0, 0.01, 1.0) / thin_ring(2, 1.0, 0.01, 1.0) == pytest.approx(
        math.sqrt(8.0)
    )
    assert rod(1, 1.0, 5000.0, closed=True) == 2 * rod(1, 1.0, 5000.0, closed=False) == 2500.0


def test_two_modes_coalesce_at_the_critical_friction_coefficient():
    springs, angles = (11.0, 20.0), (150.0, 35.0)
    _, critical = mode_coupling(springs, angles, 11.0, 0.0)
    assert critical == pytest.approx(0.4300654694, abs=1e-10)
    above, _ = mode_coupling(springs, angles, 11.0, 1.1 * critical)
    assert above.real.max() == pytest.approx(0.161444275, abs=1e-9)
    assert np.abs(above.imag) == pytest.approx(4.585418656, abs=1e-9)
    below, _ = mode_coupling(springs, angles, 11.0, 0.9 * critical)
    assert np.abs(below.real).max() < 1e-12
    assert np.sort(np.abs(below.imag))[::2] == pytest.approx([4.418078860, 4.741368914])


@pytest.mark.parametrize(
    "damping, limit",
    [
        ((0.0, 0.0), 7 / 24),
        ((0.02, 0.02), 0.2893671255),
        ((0.02, 0.06), 0.2717900338),
        ((0.06, 0.02), 0.2355513626),
    ],
)
def test_unequal_damping_lowers_the_limit_of_the_brake(damping, limit):
    assert hulten_limit((100.0, 75.0), damping) == pytest.approx(limit, abs=1e-8)
    assert hulten_brake((100.0, 75.0), damping, limit + 1e-3).real.max() > 0.0
