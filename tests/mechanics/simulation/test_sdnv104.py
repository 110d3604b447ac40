"""SDNV104: a shoe slides 15 m on a support and returns. Values of the document and more."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.record import RunRecord
from fecontact.reference import SOLUTIONS
from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.library import file_of

FULL_HHT = ("time.alpha=-0.1", "time.modified_equilibrium=true")


def run(model: str, *overrides: str, variant: str | None = None) -> RunRecord:
    study = load(file_of(f"sdnv104{model}"), overrides, variant)
    return Simulation(study).run()


def exact_displacement(t: np.ndarray) -> np.ndarray:
    rigid = SOLUTIONS["coulomb-oscillator"](
        mass=7000.0, stiffness=24000.0, force=200000.0, friction=21000.0, ramp=0.07
    )
    return rigid.history(t)["displacement"]


@pytest.mark.parametrize("model", "abcde")
def test_both_solvers_give_the_same_motion(model: str) -> None:
    mumps, lu = run(model), run(model, "solver=lu")
    x, y = mumps.history.columns["x_A"], lu.history.columns["x_A"]
    assert np.abs(x - y).max() <= 1e-9 * np.abs(x).max()


def test_full_hht_converges_with_second_order_until_the_first_reversal() -> None:
    errors = []
    for step in (0.01, 0.005, 0.0025):
        history = run("a", *FULL_HHT, f"time.step={step}", "time.end=1.6").history
        late = history.time > 0.1  # after the kink at the end of the ramp
        error = history.columns["x_A"] - exact_displacement(history.time)
        errors.append(np.abs(error[late]).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 1.8), (errors, orders)


def test_the_whole_motion_ends_where_the_exact_one_stops() -> None:
    history = run("a", variant="to-the-stop").history
    error = np.abs(history.columns["x_A"] - exact_displacement(history.time))
    assert error.max() < 1e-3 * 14.911  # reversals are met to a step, 2.5 ms, at most
    stopped = history.time > 8.51826973664 + 0.1
    assert np.abs(history.columns["v_A"][stopped]).max() < 1e-3


def test_the_support_carries_the_weight_and_friction_is_a_third_of_it_while_sliding() -> None:
    history = run("a").history
    sliding = (history.time > 0.3) & (np.abs(history.columns["v_A"]) > 0.3)
    normal, friction = history.columns["normal"], history.columns["friction"]
    ringing = np.abs(normal[sliding] - 70_000.0).max()
    assert ringing < 1e-3 * 70_000.0  # elastic ringing after the ramp, damped by the scheme
    assert np.allclose(np.abs(friction[sliding]), 0.3 * normal[sliding], rtol=1e-9)


def test_the_energy_ledger_closes() -> None:
    history = run("e").history
    closure = np.abs(history.columns["energy.balance_error"]).max()
    assert closure <= 1e-9 * np.abs(history.columns["energy.external"]).max()


def test_the_result_of_the_continuous_method_does_not_depend_on_the_augmentation() -> None:
    small, large = (run("c", f"contact.sole.augmentation={r}") for r in (0.03, 30.0))
    x, y = small.history.columns["x_A"], large.history.columns["x_A"]
    assert np.abs(x - y).max() <= 1e-10 * np.abs(x).max()


@pytest.mark.parametrize(
    "cells",
    [10, 20, pytest.param(40, marks=pytest.mark.slow), pytest.param(80, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("model", "abc")
def test_fine_meshes_whose_edge_nodes_lift_off_and_land_converge_in_a_handful(
    model: str, cells: int
) -> None:
    record = run(model, f"mesh.shapes.shoe.cells=[{cells},{cells}]", *FULL_HHT)
    assert record.failure is None
    steps = record.statistics["steps"]
    assert record.statistics["iterations"] <= 5 * steps
    coarse = run(model, *FULL_HHT).history
    difference = np.abs(record.history.columns["x_A"] - coarse.columns["x_A"])
    assert difference.max() < 1e-4  # both nearly rigid: elastic deformation is of 1e-6 m
