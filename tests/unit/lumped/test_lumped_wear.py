"""Obstacles whose gap grows with wear, for each scheme, law and geometry."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lumped_systems import Data, run, study

from fecontact.lumped.run import LumpedRun
from fecontact.reference import WornSlider, WornSlot
from fecontact.study.errors import StudyError

WEAR = {"wear": 4e-8, "wear_area": 1e-4}


def thrown(**keys: Any) -> Data:
    """A mass of 1 kg that flies with 2 m/s between two faces and slides along them with 1 m/s."""
    slot: Data = {"type": "slot", "on": "m", "normal": [1.0, 0.0, 0.0], "normal_stiffness": 1e4}
    return {
        "kind": "lumped",
        "title": "worn slot",
        "masses": {"m": {"mass": 1.0, "directions": ["x", "y"], "velocity": [2.0, 1.0, 0.0]}},
        "obstacles": {"way": slot | {"ahead": 0.05, "behind": 0.05} | WEAR | keys},
        "watch": {
            "x": {"type": "displacement", "at": "m", "component": "x"},
            "worn": {"type": "wear-depth", "at": "way"},
        },
        "time": {"scheme": "newmark", "step": 1e-4, "end": 0.3},
    }


EXACT = WornSlot(
    mass=1.0, speed=2.0, sliding_speed=1.0, clearance=0.05, stiffness=1e4, wear=4e-8, area=1e-4
)


def test_the_reference_obeys_its_equations() -> None:
    """m ÿ = −k_n (y − w), ẇ = κ v k_n (y − w), by differences of the closed form."""
    t = np.linspace(0.026, 0.055, 30_001)  # within the first impact
    found = EXACT.history(t)
    pressed = found["displacement"] - 0.05 - found["wear_depth"]
    assert pressed.min() > 0.0
    assert np.gradient(found["velocity"], t)[1:-1] == pytest.approx(-1e4 * pressed[1:-1], abs=1e-3)
    assert np.gradient(found["displacement"], t)[1:-1] == pytest.approx(
        found["velocity"][1:-1], abs=1e-6
    )
    rate = np.gradient(found["wear_depth"], t)[1:-1]
    assert rate == pytest.approx(4e-8 / 1e-4 * 1e4 * pressed[1:-1], abs=1e-6)


def test_a_slow_slider_relaxes_as_its_two_springs_in_series() -> None:
    slider = WornSlider(
        mass=1e-6, spring=1e4, force=1e3, sliding_speed=1.0, stiffness=1e6, wear=1e-8, area=1e-4
    )
    t = np.array([0.5, 2.0])
    slow = 0.1 * (1.0 - np.exp(-1e-4 * t / (1e-4 + 1e-6)))
    assert slider.history(t)["wear_depth"] == pytest.approx(slow, rel=1e-6)


@pytest.mark.parametrize(
    ("scheme", "tolerance"),
    [
        ({"scheme": "newmark", "step": 1e-4}, 3e-6),
        ({"scheme": "central-difference", "step": 1e-4}, 2e-5),
        ({"scheme": "euler", "step": 1e-4}, 2e-5),
        ({"scheme": "rk32", "step": 1e-4, "tolerance": 1e-8}, 3e-6),
    ],
)
def test_integrators_meet_each_face_where_it_was_worn_to(scheme: Data, tolerance: float) -> None:
    data = thrown()
    data["time"] = {"end": 0.3} | scheme
    result = run(data)
    exact = EXACT.history(result.history.time)
    columns = result.history.columns
    assert columns["x"] == pytest.approx(exact["displacement"], abs=tolerance)
    assert columns["worn"] == pytest.approx(exact["wear_depth"], abs=tolerance)
    worn, rubbed = (result.scalars[f"way.{name}"].value for name in ("wear_depth", "wear_work"))
    assert worn == pytest.approx(4e-8 / 1e-4 * rubbed, rel=1e-12)


@pytest.mark.parametrize("scheme", ["newmark", "central-difference"])
@pytest.mark.parametrize(
    "law",
    [
        {"type": "force-table", "penetrations": [0.0, 0.01, 0.02], "forces": [0.0, 20.0, 200.0]},
        {"type": "elastoplastic", "yield_force": 100.0, "hardening": 1e3},
        None,
    ],
)
def test_energy_is_conserved_whatever_presses_and_however_fast_it_wears(
    law: Data | None, scheme: str
) -> None:
    """Also where a step wears off more than it presses in, κ k_n |s| = 10."""
    for wear in (4e-8, 1e-3):
        data = thrown(wear=wear, **({"law": law} if law else {}))
        data["time"]["scheme"] = scheme
        result = run(data)
        assert result.scalars["energy.error"].value < (1e-8 if scheme == "newmark" else 1.0)
        lost = result.history.columns["energy.friction"][-1]
        assert lost > 0.05  # of 2.5 J
        gained = np.diff(result.history.columns["worn"])
        assert gained.min() >= 0.0


def test_energy_wear_with_friction_is_archards_with_its_coefficient_times_mu() -> None:
    belt = {"mass": 1e12, "directions": ["x"], "velocity": [1.0, 0.0, 0.0]}
    shoe = {"mass": 10.0, "directions": ["y"], "displacement": [0.0, -1e-3, 0.0]}
    sole = {
        "type": "moving-planes", "on": "shoe", "against": "belt", "normal": [0.0, -1.0, 0.0],
        "thickness": [0.0, 0.0], "normal_stiffness": 1e6, "friction": 0.25,
        "tangential_stiffness": 1e12, "tangential_damping": 0.0, "wear_area": 1e-4,
    }  # fmt: skip
    depths = []
    for wear in (1e-8, {"law": "energy", "coefficient": 4e-8}):
        data = {
            "kind": "lumped",
            "title": "shoe on a belt",
            "masses": {"shoe": shoe, "belt": belt},
            "forces": {"press": {"on": "shoe", "value": [0.0, -1e3, 0.0]}},
            "obstacles": {"sole": sole | {"wear": wear}},
            "time": {"scheme": "newmark", "step": 1e-4, "end": 0.1},
        }
        depths.append(run(data).scalars["sole.wear_depth"].value)
    assert depths[0] == pytest.approx(0.0099, rel=0.01)  # κ v F t = 0.01 m, less the first swings
    assert depths[1] == pytest.approx(depths[0], rel=1e-9)


def test_a_hole_is_worn_round_about() -> None:
    """A mass whirls in a hole: its path is worn by force times path over the area of the hole."""
    data = thrown()
    data["obstacles"]["way"] = {
        "type": "circle", "on": "m", "axis": [0.0, 0.0, 1.0], "gap": 0.05,
        "normal_stiffness": 1e4, **WEAR,
    }  # fmt: skip
    data["masses"]["m"] |= {"displacement": [0.05, 0.0, 0.0], "velocity": [0.0, 2.0, 0.0]}
    result = run(data)
    worn = result.scalars["way.wear_depth"].value
    assert worn == pytest.approx(4e-4 * result.scalars["way.wear_work"].value, rel=1e-12)
    assert worn > 1e-3
    assert result.scalars["energy.error"].value < 1e-8


def test_what_is_worn_off_is_part_of_a_saved_state() -> None:
    whole = LumpedRun(study(thrown()))
    first, second = LumpedRun(study(thrown())), LumpedRun(study(thrown()))
    for _ in range(500):
        first.advance(single=True)
    second.restore({name: array.copy() for name, array in first.state().items()})
    for each in (whole, second):
        while not each.finished:
            each.advance()
    assert second.record().history.columns["worn"][-1] == whole.record().history.columns["worn"][-1]
    assert whole.record().scalars["way.wear_depth"].value > 1e-3


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (
            {"wear_area": None},
            "`obstacles.way.wear_area` is missing; `wear` needs the wearing area",
        ),
        ({"wear": 0.0}, "`obstacles.way.wear_area` .*has no effect without `wear`"),
        ({"wear": -1e-8}, "`obstacles.way.wear` is -1e-08"),
        ({"wear_area": 0.0}, "`obstacles.way.wear_area` is 0.0"),
        ({"wear": {"law": "archard", "coefficient": -1.0}}, "coefficient` is -1.0; it must be"),
    ],
)
def test_impossible_wear_is_reported(keys: Data, sentence: str) -> None:
    data = thrown()
    way = data["obstacles"]["way"] | keys
    data["obstacles"]["way"] = {key: value for key, value in way.items() if value is not None}
    with pytest.raises(StudyError, match=sentence):
        study(data)


def test_only_a_law_with_a_state_has_one_to_watch() -> None:
    data = thrown()
    data["watch"]["theta"] = {"type": "friction-state", "at": "way"}
    with pytest.raises(StudyError, match="rate-and-state friction"):
        study(data)


def test_the_exact_integrator_rejects_wear() -> None:
    data = thrown()
    data["time"] = {"scheme": "exact", "step": 1e-3, "end": 0.3}
    with pytest.raises(StudyError, match="not supported"):
        study(data)
