"""The stability limit is known, stated and enforced."""

from __future__ import annotations

import math
from typing import Any

import pytest
from lumped_systems import oscillator, sliding_block, study

from fecontact.lumped.run import LumpedRun
from fecontact.study.errors import InputError

OMEGA = 20.0  # of `oscillator()`


@pytest.mark.parametrize(
    ("scheme", "limit", "keys"),
    [
        ("euler", 2.0, {}),
        ("central-difference", 2.0, {}),
        ("devogelaere", 2.0 * math.sqrt(2.0), {}),
        ("newmark", math.sqrt(12.0), {"beta": 1.0 / 6.0}),
    ],
)
def test_largest_stable_step_is_the_known_one(
    scheme: str, limit: float, keys: dict[str, Any]
) -> None:
    LumpedRun(study(oscillator(), scheme=scheme, step=0.999 * limit / OMEGA, end=1e3, **keys))
    with pytest.raises(InputError) as caught:
        LumpedRun(study(oscillator(), scheme=scheme, step=1.01 * limit / OMEGA, end=1e3, **keys))
    stated = float(str(caught.value).split("Reduce it to ")[-1].split(" s")[0])
    assert stated == pytest.approx(limit / OMEGA, rel=2e-3)


@pytest.mark.parametrize("scheme", ["newmark", "hht"])
def test_implicit_schemes_take_any_step(scheme: str) -> None:
    LumpedRun(study(oscillator(), scheme=scheme, step=1.0))


def test_contact_and_stick_count_for_the_limit() -> None:
    """K_t = 1e6 N/m on 1 kg without damping: 2/√K_t = 2 ms."""
    data = sliding_block(tangential_damping=0.0)
    del data["time"]["max_step"]
    LumpedRun(study(data, scheme="central-difference", step=1.9e-3))
    with pytest.raises(InputError, match=r"Reduce it to 0\.002 s"):
        LumpedRun(study(data, scheme="central-difference", step=2.1e-3))


def test_damping_lowers_the_limit_of_explicit_schemes() -> None:
    """Critical damping, symplectic Euler: ω h = 2(√2 − 1)."""
    data = oscillator()
    data["springs"]["s"]["damping"] = [2 * 2.0 * OMEGA, 0.0, 0.0]
    limit = 2 * (math.sqrt(2) - 1) / OMEGA
    LumpedRun(study(data, scheme="euler", step=0.99 * limit))
    with pytest.raises(InputError, match="unstable"):
        LumpedRun(study(data, scheme="euler", step=1.01 * limit))
