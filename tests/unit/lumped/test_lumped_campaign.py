"""Random studies: no run hangs or generates energy, and all integrators agree.

`pytest -m slow -s` prints a line for each seed; SEEDS studies without and as many with friction.
"""

from __future__ import annotations

import copy
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from lumped_campaign import by_solve_ivp, random_study
from lumped_systems import STEPPING, Data, run, study

from fecontact.arrays import Array
from fecontact.record import RunRecord

SEEDS = range(100)
QUICK = range(3)
LATE = 2.5e-5 / 4e-3
"""Error of being one fine step late into a dashpot: that step over the time the shortest of these
impacts takes, π√(0.5 kg/10^5.5 N/m)."""
LIMIT = 60.0  # s of computing that a run may take; the longest takes about one


@contextmanager
def time_limit() -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise TimeoutError(f"a run took more than {LIMIT} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Compiling is not a part of a run's time."""
    for scheme in (*STEPPING, "exact"):
        run(random_study(0, friction=True), scheme=scheme, step=1e-4, end=1e-4)


def finished(data: Data, **time: Any) -> RunRecord:
    with time_limit():
        record = run(data, **time)
    assert record.failure is None, record.failure
    return record


def ends(record: RunRecord, data: Data) -> Array:
    """Displacements, then velocities of all masses at the end."""
    columns = record.history.columns
    return np.array([columns[q + n][-1] for q in "xv" for n in data["masses"]])


def sizes(record: RunRecord, data: Data) -> Array:
    columns = record.history.columns
    return np.array([np.abs(columns[q + n]).max() + 1e-12 for q in "xv" for n in data["masses"]])


def sensitivity(data: Data, reference: Array, scale: Array) -> float:
    """How much a small error at the start grows until the end: impacts tell motions apart."""
    nearby = copy.deepcopy(data)
    for mass in nearby["masses"].values():
        mass["velocity"][0] *= 1.0 + 1e-8
    grown = np.abs((ends(finished(nearby), data) - reference) / scale).max() / 1e-8
    return float(max(1.0, grown))


def refined(scheme: str) -> tuple[Data, Data]:
    """[time] keys of a usual and of a fine run."""
    keys = [{"scheme": scheme, "step": h} for h in (2e-4, 2.5e-5)]
    if scheme.startswith("rk"):
        keys[0] |= {"max_step": 2e-3, "tolerance": 1e-6}
        keys[1] |= {"max_step": 2.5e-4, "tolerance": 1e-9}
    if scheme == "adaptive-order2":
        keys[0] |= {"max_step": 8e-4, "points_per_period": 50.0}
        keys[1] |= {"max_step": 1e-4, "points_per_period": 400.0}
    return keys[0], keys[1]


def all_agree(data: Data, reference: Array, scale: Array, grown: float) -> str:
    """Every stepping scheme comes closer to the reference, or is close; its energy is right.

    Where static friction exceeds dynamic friction, the swing of an elastic slider decides whether a
    block sticks or slips on: there only the energy is compared.
    """
    swings = any(
        o.get("static_friction", 0.0) > o.get("friction", 0.0) for o in data["obstacles"].values()
    )
    errors = {}
    for scheme in STEPPING:
        usual, fine = refined(scheme)
        error = []
        for keys in (usual, fine):
            record = finished(data, **keys)
            assert record.scalars["energy.error"].within_limit, scheme
            if scheme == "newmark":
                assert record.scalars["energy.error"].value < 1e-8
            error.append(float(np.abs((ends(record, data) - reference) / scale).max()))
        assert swings or error[1] < max(0.4 * error[0], LATE * grown), (scheme, error, grown)
        errors[scheme] = error[1]
    return " ".join(f"{name} {error:.1e}" for name, error in errors.items())


def check_without_friction(seed: int) -> None:
    data = random_study(seed, friction=False)
    exact = finished(data)
    assert exact.scalars["energy.error"].value < 1e-7
    reference, scale = ends(exact, data), sizes(exact, data)
    grown = sensitivity(data, reference, scale)
    independent = np.abs((by_solve_ivp(study(data)) - reference) / scale).max()
    assert independent < 1e-4 * grown
    messages = all_agree(data, reference, scale, grown)
    print(f"seed {seed}: solve_ivp {independent:.1e} (errors grow {grown:.0f} times) {messages}")


def check_with_friction(seed: int) -> None:
    """The sliders of the stepping integrators are elastic: they agree with each other, and the
    ideal stick of `exact` keeps its energy."""
    data = random_study(seed, friction=True)
    exact = finished(data)
    assert exact.scalars["energy.error"].value < 1e-7
    scale = sizes(exact, data)
    grown = sensitivity(data, ends(exact, data), scale)
    fine = finished(data, scheme="rk54", step=1e-6, max_step=5e-5, tolerance=1e-9)
    reference = ends(fine, data)
    messages = all_agree(data, reference, scale, grown)
    ideal = np.abs((ends(exact, data) - reference) / scale).max()
    print(f"seed {seed}: exact {ideal:.1e} (errors grow {grown:.0f} times) {messages}")


@pytest.mark.parametrize("seed", QUICK)
def test_a_few_random_studies(seed: int) -> None:
    check_without_friction(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_random_studies_without_friction(seed: int) -> None:
    check_without_friction(1000 + seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_random_studies_with_friction(seed: int) -> None:
    check_with_friction(2000 + seed)
