"""Elastodynamics without contact, on one rank and on two, with every solver."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from launch import on_ranks
from plain_script import DENSITY, HEIGHT, LENGTH, PUSH, SPEED, YOUNG, histories

SCRIPT = Path(__file__).with_name("plain_script.py")
CASES = [
    *((1, solver) for solver in ("auto", "lu", "mumps")),
    *(pytest.param(2, solver, marks=pytest.mark.extended) for solver in ("lu", "mumps")),
]


@pytest.fixture(scope="module")
def on_two_ranks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    output = tmp_path_factory.mktemp("plain") / "found.npz"
    on_ranks(2, [SCRIPT, output]).check_returncode()
    return dict(np.load(output))


@pytest.fixture
def bar(
    request: pytest.FixtureRequest, ranks: int, solver: str, prescribed: str
) -> dict[str, np.ndarray]:
    """The histories of the bar, computed on that many ranks."""
    if ranks == 1:
        return histories(solver, prescribed)
    found, stem = request.getfixturevalue("on_two_ranks"), f"{solver}/{prescribed}/"
    return {k.removeprefix(stem): v for k, v in found.items() if k.startswith(stem)}


@pytest.mark.parametrize("prescribed", ["bar.left"])
@pytest.mark.parametrize(("ranks", "solver"), CASES)
def test_a_bar_swings_as_waves_run_through_it(bar: dict[str, np.ndarray]) -> None:
    """The tip falls freely, u = g t²/2, until the wave of the wall arrives at t = L/c. All modes of
    a bar fixed at one end are odd multiples of c/4L: at t = 2L/c each has turned round, and the bar
    is stretched to twice its static displacement, u = ρ g L²/E at the tip. Elements of L/40 and
    steps of L/200c disperse the waves by less than 1e-3 of that.
    """
    static = DENSITY * PUSH * LENGTH**2 / (2 * YOUNG)
    early = bar["time"] < 0.9 * LENGTH / SPEED
    fall = PUSH * bar["time"][early] ** 2 / 2
    assert np.abs(bar["tip"][early] - fall).max() < 1e-3 * static
    assert bar["tip"][-1] == pytest.approx(2 * static, rel=1e-3)


@pytest.mark.parametrize("prescribed", ["bar"])
@pytest.mark.parametrize(("ranks", "solver"), CASES)
def test_a_body_that_is_constrained_all_over_weighs_on_its_support(
    bar: dict[str, np.ndarray],
) -> None:
    assert not bar["tip"].any()
    weight = DENSITY * LENGTH * HEIGHT * PUSH
    assert bar["wall"] == pytest.approx(np.full(len(bar["time"]), -weight), rel=1e-12)
