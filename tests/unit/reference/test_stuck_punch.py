"""Stick zone under a flat punch: singular moduli, integrals, and the study."""

from __future__ import annotations

import math

import numpy as np
import pytest

import fecontact
from fecontact.reference.contact.stuck_punch import StuckPunch

NU = 0.45
BETA = StuckPunch(half_width=1.0, friction=1.0, poisson=NU).coupling


def stick(ratio: float) -> float:
    """c/a where friction is so many times β."""
    return StuckPunch(half_width=1.0, friction=ratio * BETA, poisson=NU).stick_half_width


def test_the_ratios_of_singular_moduli_come_back() -> None:
    """K′/K = 1 at 1/√2, √2 at √2 − 1, 2 at 3 − 2√2; and 1/2 at the complement of the last."""
    assert pytest.approx(1.0 / 11.0) == BETA
    assert stick(1.0) == pytest.approx(math.sqrt(0.5), rel=1e-12)
    assert stick(math.sqrt(0.5)) == pytest.approx(math.sqrt(2.0) - 1.0, rel=1e-12)
    assert stick(0.5) == pytest.approx(3.0 - 2.0 * math.sqrt(2.0), rel=1e-12)
    assert stick(2.0) == pytest.approx(
        math.sqrt(1.0 - (3.0 - 2.0 * math.sqrt(2.0)) ** 2), rel=1e-12
    )


@pytest.mark.parametrize("ratio", [0.3, 0.8, 1.7])
def test_the_traction_is_bounded_at_the_ends_of_the_stick_zone(ratio: float) -> None:
    """∫ G/√(c² − x²) dx = 0, both parts by quadrature: Gauss–Chebyshev after substitutions."""
    c = stick(ratio)
    angle = np.pi * (np.arange(4000) + 0.5) / 4000
    x = c * np.cos(angle)
    holding = BETA * np.mean(np.pi / np.sqrt(1.0 - x**2))
    s = np.sqrt(0.5 * (1.0 + c**2) + 0.5 * (1.0 - c**2) * np.cos(angle))  # c² to 1 evenly
    slipping = ratio * BETA * np.mean(np.pi / s)
    assert slipping == pytest.approx(holding, rel=1e-9)


def test_the_study_has_these_numbers() -> None:
    study = fecontact.load("punch-slip")
    assert study.checks["stick"].reference == pytest.approx(stick(1.0), abs=1e-7)
    for variant, ratio in (("little", 0.5), ("much", 2.0)):
        messages = fecontact.load("punch-slip", variant=variant)
        assert messages.checks["stick"].reference == pytest.approx(stick(ratio), abs=1e-7)
        assert messages.contact["sole"].friction == pytest.approx(ratio * BETA, rel=1e-8)  # type: ignore[union-attr]
