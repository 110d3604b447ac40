"""Stick zone under a round punch: closed form without coupling, and the study."""

from __future__ import annotations

import math

import pytest
from scipy.special import ellipk

import fecontact
from fecontact.reference.contact import stuck_round_punch
from fecontact.reference.contact.stuck_round_punch import StuckRoundPunch


def punch(ratio: float, poisson: float) -> StuckRoundPunch:
    """With a friction of so many times β."""
    beta = StuckRoundPunch(radius=1.0, friction=1.0, poisson=poisson).coupling
    return StuckRoundPunch(radius=1.0, friction=ratio * beta, poisson=poisson)


@pytest.mark.parametrize("ratio", [0.5, 1.0, 2.0])
def test_the_closed_form_is_the_limit_of_little_coupling(ratio: float) -> None:
    """The remainder is of the order β μ, here 1e-4, and of the panels."""
    one = punch(ratio, 0.495)
    k = one.uncoupled_stick_radius
    assert math.log((1 + k) / (1 - k)) / (2 * k) == pytest.approx(ratio * ellipk(1 - k * k))
    assert one.stick_radius == pytest.approx(k, abs=3e-4)


def test_coupling_narrows_the_zone_in_proportion_to_its_square() -> None:
    """With a given μ/β by β μ ∝ β²: 1/11² against 1/6² and (2/7)²."""
    less = [
        1.0 - one.stick_radius / one.uncoupled_stick_radius
        for one in (punch(0.5, nu) for nu in (0.45, 0.4, 0.3))
    ]
    assert less[1] / less[0] == pytest.approx(121 / 36, rel=0.1)
    assert less[2] / less[1] == pytest.approx(36 * 4 / 49, rel=0.1)


def test_finer_panels_change_little(monkeypatch: pytest.MonkeyPatch) -> None:
    coarse = punch(1.0, 0.3).stick_radius
    monkeypatch.setattr(stuck_round_punch, "PANELS", 120)
    assert punch(1.0, 0.3).stick_radius == pytest.approx(coarse, abs=3e-4)


def test_the_study_has_these_numbers() -> None:
    for variant in (None, "much", "incompressible"):
        study = fecontact.load("round-punch-slip", variant=variant)
        exact = StuckRoundPunch(
            radius=1.0,
            friction=study.contact["sole"].friction,  # type: ignore[union-attr, arg-type]
            poisson=study.materials["rubber"].poisson,  # type: ignore[union-attr]
        )
        assert study.checks["stick"].reference == pytest.approx(exact.stick_radius, abs=1e-3)
