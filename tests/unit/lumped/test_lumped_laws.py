"""Laws of stops and springs, branches, anchors and massless joints, against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from lumped_systems import Data, run, study

from fecontact.lumped.run import LumpedRun
from fecontact.reference import BouncingBall, BucklingStop, ImpactOscillator, ZenerOscillator
from fecontact.study.errors import InputError, StudyError

WATCH = {
    "x": {"type": "displacement", "at": "m", "component": "x"},
    "v": {"type": "velocity", "at": "m", "component": "x"},
}


def thrown(**keys: Any) -> Data:
    """A mass of 1 kg that meets an obstacle with 2 m/s."""
    stop: Data = {"type": "plane", "on": "m", "normal": [1.0, 0.0, 0.0], "normal_stiffness": 100.0}
    return {
        "kind": "lumped",
        "title": "mass and stop",
        "masses": {"m": {"mass": 1.0, "directions": ["x"], "velocity": [2.0, 0.0, 0.0]}},
        "obstacles": {"stop": stop | keys},
        "watch": WATCH | {"F": {"type": "contact-force", "at": "stop", "component": "normal"}},
        "time": {"scheme": "newmark", "step": 1e-3, "end": 1.0},
    }


BUCKLING = {"type": "buckling", "critical_force": 10.0, "buckled_force": 6.0}
PLASTIC = {"type": "elastoplastic", "yield_force": 10.0, "hardening": 20.0}
TABLE = {"type": "force-table", "penetrations": [0.0, 0.05, 0.1], "forces": [0.0, 2.0, 10.0]}


@pytest.mark.parametrize("law", [BUCKLING, PLASTIC, TABLE])
@pytest.mark.parametrize("normal", [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
def test_no_energy_is_made_or_lost_unseen_by_a_law(law: Data, normal: list[float]) -> None:
    data = thrown(law=law)
    if normal[0] < 0.0:  # the face behind remembers for itself
        data["obstacles"]["stop"] |= {"type": "slot", "normal": normal, "ahead": 9.0, "behind": 0.0}
    result = run(data)
    assert result.scalars["energy.error"].value < 1e-9
    columns = result.history.columns
    left = 0.5 * columns["v"][-1] ** 2
    dissipated = columns["energy.damping"][-1]
    assert left + dissipated == pytest.approx(2.0, rel=1e-9)
    assert (dissipated > 0.1) == (law is not TABLE)


def test_a_dent_remains_through_a_second_impact() -> None:
    """A mass between a dented stop and an elastic one comes back slower and dents no more."""
    data = thrown(law=PLASTIC)
    data["obstacles"]["wall"] = {
        "type": "plane", "on": "m", "normal": [-1.0, 0.0, 0.0], "gap": 0.1,
        "normal_stiffness": 1e4,
    }  # fmt: skip
    once = run(data, end=0.5).scalars["stop.permanent_set"].value
    twice = run(data, end=1.2)
    assert twice.scalars["stop.impacts"].value == 2
    # the deepest point lies between two steps: another impact may find it a little deeper
    assert twice.scalars["stop.permanent_set"].value == pytest.approx(once, rel=1e-5)
    # the second contact is a half period of the elastic stop, from the dent on
    assert twice.scalars["stop.largest_force"].value == pytest.approx(math.sqrt(160.0), rel=1e-4)


def test_a_law_needs_another_integrator_than_exact() -> None:
    with pytest.raises(InputError, match=r"obstacles\.stop\.law"):
        LumpedRun(study(thrown(law=PLASTIC), scheme="exact"))


@pytest.mark.parametrize("restitution", [0.3, 0.8, 1.0])
def test_restitution_is_that_of_a_free_impact(restitution: float) -> None:
    data = thrown(restitution=restitution, normal_stiffness=1e4)
    assert run(data, scheme="exact").history.columns["v"][-1] == pytest.approx(
        -2.0 * restitution, rel=1e-12
    )
    slow = run(data, step=1e-5).history.columns["v"][-1]
    assert slow == pytest.approx(-2.0 * restitution, rel=1e-5)


def test_a_dashpot_pulls_only_where_contact_is_bonded() -> None:
    for release, smallest in (("force", 0.0), ("gap", -1.0)):
        data = thrown(normal_damping=5.0, release=release)
        exact, mean = run(data, scheme="exact", step=1e-4), run(data, step=1e-4)
        lowest = exact.history.columns["F"].min()
        assert lowest == 0.0 if smallest == 0.0 else lowest < smallest
        assert mean.history.columns["v"][-1] == pytest.approx(exact.history.columns["v"][-1], 1e-5)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"restitution": 0.5, "normal_damping": 1.0}, "obstacles.stop.normal_damping"),
        ({"restitution": 0.5, "law": PLASTIC}, "linear law"),
        ({"law": BUCKLING | {"buckled_force": 11.0}}, "must be ≤ `critical_force`"),
        ({"law": TABLE | {"forces": [0.0, 1.0]}}, "each of the 3"),
        ({"law": TABLE | {"forces": [0.0, -1.0, 1.0]}}, "cannot pull"),
        ({"law": TABLE | {"penetrations": [0.0, 0.2, 0.1]}}, "larger than the previous"),
        ({"law": TABLE | {"penetrations": [0.1, 0.2, 0.3]}}, "must both start with 0"),
        ({"law": {"type": "bucking"}}, "obstacles.stop.law"),
    ],
)
def test_a_wrong_law_is_reported(keys: Data, words: str) -> None:
    with pytest.raises(StudyError) as caught:
        study(thrown(**keys))
    assert len(caught.value.messages) == 1
    assert words in caught.value.messages[0]


def sprung(law: Data, **keys: Any) -> Data:
    """A mass of 1 kg, struck to 2 m/s, on a spring with a law."""
    spring = {"between": ["m", "ground"], "direction": [1.0, 0.0, 0.0], "law": law}
    return {
        "kind": "lumped",
        "title": "mass and spring",
        "masses": {"m": {"mass": 1.0, "directions": ["x"], "velocity": [2.0, 0.0, 0.0]}},
        "springs": {"s": spring | keys},
        "watch": dict(WATCH),
        "time": {"scheme": "newmark", "step": 1e-3, "end": 2.0},
    }


def test_a_table_that_is_a_line_is_a_linear_spring() -> None:
    law = {"type": "force-table", "stretches": [-0.1, 0.0, 0.2], "forces": [-10.0, 0.0, 20.0]}
    data = sprung(law)
    data["watch"]["F"] = {"type": "spring-force", "at": "s"}
    for keys in ({}, {"scheme": "central-difference"}):
        result = run(data, **keys)
        time = result.history.time
        assert result.history.columns["x"] == pytest.approx(0.2 * np.sin(10.0 * time), abs=1e-4)
        assert result.history.columns["F"] == pytest.approx(20.0 * np.sin(10.0 * time), abs=1e-2)


def test_a_hardening_table_keeps_the_energy() -> None:
    law = {"type": "force-table", "stretches": [-0.1, 0.0, 0.05], "forces": [-10.0, 0.0, 2.0]}
    result = run(sprung(law))
    assert result.scalars["energy.error"].value < 1e-9
    assert result.history.columns["x"].min() == pytest.approx(-0.2, abs=1e-5)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"direction": None}, "springs.s.direction"),
        ({"law": {"type": "elastoplastic", "stiffness": 1.0, "yield_force": 1.0, "hardening": 2.0}},
         "smaller than `stiffness`"),
        ({"law": {"type": "force-table", "stretches": [0.0, 1.0], "forces": [0.0]}},
         "has 1 entries"),
        ({"between": ["m", "wall"]}, "or point not found"),
    ],
)  # fmt: skip
def test_a_wrong_spring_is_reported(change: Data, words: str) -> None:
    data = sprung({"type": "maxwell", "stiffness": 1.0, "damping": 1.0})
    data["springs"]["s"] |= change
    if data["springs"]["s"]["direction"] is None:
        del data["springs"]["s"]["direction"]
    with pytest.raises(StudyError) as caught:
        study(data)
    assert len(caught.value.messages) == 1
    assert words in caught.value.messages[0]


def zener(maxwell: bool) -> Data:
    """SDND107, with a Maxwell branch, or with a dashpot behind a massless joint."""
    parts: Data = {"first": {"between": ["m", "joint"], "stiffness": [120.0, 0.0, 0.0]}}
    parts["second"] = {"between": ["joint", "wall"], "stiffness": [10.0, 0.0, 0.0]}
    masses: Data = {
        "m": {"mass": 1.0, "directions": ["x"]},
        "joint": {"mass": 0.0, "directions": ["x"]},
    }
    if maxwell:
        law = {"type": "maxwell", "stiffness": 60.0, "damping": 1.7}
        parts["second"] |= {"direction": [1.0, 0.0, 0.0], "law": law}
    else:
        masses["end"] = {"mass": 0.0, "directions": ["x"]}
        parts["third"] = {"between": ["joint", "end"], "stiffness": [60.0, 0.0, 0.0]}
        parts["dashpot"] = {"between": ["end", "wall"], "damping": [1.7, 0.0, 0.0]}
    return {
        "kind": "lumped",
        "title": "Zener",
        "masses": masses,
        "anchors": {"wall": {"displacement": [0.1, 0.0, 0.0]}},
        "springs": parts,
        "watch": {"x": WATCH["x"]},
        "time": {"scheme": "exact", "step": 0.01, "end": 3.0},
    }


@pytest.mark.parametrize("maxwell", [True, False])
def test_branches_and_massless_joints_are_exact(maxwell: bool) -> None:
    known = ZenerOscillator(
        mass=1.0, series_stiffness=120.0, stiffness=10.0, branch_stiffness=60.0, damping=1.7,
        displacement=0.1,
    )  # fmt: skip
    result = run(zener(maxwell))
    exact = known.history(result.history.time)["displacement"]
    assert result.history.columns["x"] == pytest.approx(exact, abs=1e-14)
    assert result.scalars["energy.error"].value < 1e-10


def test_an_anchor_that_moves_pulls_by_stretch_and_rate() -> None:
    """A branch on an anchor with a sum of functions: the same in the frame of the anchor."""
    data = sprung(
        {"type": "maxwell", "stiffness": 50.0, "damping": 3.0}, stiffness=[100.0, 0.0, 0.0]
    )
    data["functions"] = {
        "sine": {"type": "sine", "frequency": 1.5},
        "ramp": {"type": "ramp", "start": 0.5, "end": 1.0},
        "both": {"type": "product", "of": ["sine", "ramp"]},
    }
    data["springs"]["s"] |= {"between": ["m", "wall"], "axial_damping": 0.7}
    data["anchors"] = {"wall": {"displacement": [0.02, 0.0, 0.0], "function": "both"}}
    result = run(data, scheme="exact", end=2.0)
    # the anchor as a very heavy mass that is pushed along its path, m ü of it
    time, omega = result.history.time, 3.0 * math.pi
    ramp = np.clip(2.0 * (time - 0.5), 0.0, 1.0)
    anchor = 0.02 * np.sin(omega * time) * ramp
    x, h = result.history.columns["x"], time[1] - time[0]
    stretch = x - anchor
    z = np.zeros_like(x)  # by the trapezoidal rule on the branch alone
    for i in range(1, len(x)):
        z[i] = (
            z[i - 1] * (1 - 50 / 3 * h / 2) + 50 / 3 * h / 2 * (stretch[i - 1] + stretch[i])
        ) / (1 + 50 / 3 * h / 2)
    force = -100.0 * stretch - 50.0 * (stretch - z) - 0.7 * np.gradient(stretch, h)
    acceleration = np.gradient(np.gradient(x, h), h)
    assert np.abs(acceleration - force)[5:-5].max() < 0.15  # of 20 m/s²; kinks of the ramp


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"masses": {"joint": {"mass": 0.0, "directions": ["x", "y"]}}}, "no spring"),
        ({"watch": {"w": {"type": "displacement", "at": "joint", "component": "x"}}}, "watch.w"),
        ({"obstacles": {"o": {"type": "plane", "on": "joint", "normal": [1.0, 0.0, 0.0],
                              "normal_stiffness": 1.0}}}, "obstacles.o"),
        ({"functions": {"f": {"type": "sine", "frequency": 1.0}},
          "forces": {"F": {"on": "joint", "value": [1.0, 0.0, 0.0], "function": "f"}}},
         "functions.f"),
    ],
)  # fmt: skip
def test_unsupported_settings_of_massless_joints_are_rejected(change: Data, words: str) -> None:
    data = zener(maxwell=True)
    for table, entries in change.items():
        data.setdefault(table, {}).update(entries)
    with pytest.raises(InputError, match=words):
        LumpedRun(study(data))


def test_a_dashpot_on_an_anchor_that_jumps_is_rejected() -> None:
    data = zener(maxwell=True)
    data["functions"] = {"f": {"type": "table", "times": [1.0, 1.0], "values": [0.0, 1.0]}}
    data["anchors"]["wall"]["function"] = "f"
    with pytest.raises(StudyError, match="jumps at 1 s"):
        study(data)


@pytest.mark.parametrize("scheme", ["exact", "rk54", "newmark"])
def test_a_force_that_jumps_acts_from_that_instant_on(scheme: str) -> None:
    data = thrown()
    data["masses"]["m"]["velocity"] = [0.0, 0.0, 0.0]
    data["obstacles"], data["watch"] = {}, dict(WATCH)
    data["functions"] = {
        "f": {"type": "table", "times": [0.25, 0.25, 0.75, 0.75], "values": [0.0, 1.0, 1.0, 0.0]}
    }
    data["forces"] = {"F": {"on": "m", "value": [4.0, 0.0, 0.0], "function": "f"}}
    result = run(data, scheme=scheme)
    error = {"exact": 1e-14, "rk54": 1e-6, "newmark": 4e-3}[scheme]
    assert result.history.columns["v"][-1] == pytest.approx(2.0, abs=error)
    assert result.history.columns["x"][-1] == pytest.approx(0.5 + 0.5, abs=error)


def test_tchamwa_damps_by_its_determinant() -> None:
    """|λ|² = 1 − (φ − 1) ω²h²; with φ = 1 it is symplectic Euler."""
    data = sprung({"type": "maxwell", "stiffness": 1.0, "damping": 1.0})
    data["springs"]["s"] = {"between": ["m", "ground"], "stiffness": [100.0, 0.0, 0.0]}
    plain = run(data, scheme="tchamwa", phi=1.0).history.columns["x"]
    euler = run(data, scheme="euler").history.columns["x"]
    assert plain == pytest.approx(euler, abs=1e-12)
    h, steps = 0.01, 200
    damped = run(data, scheme="tchamwa", step=h, phi=1.2)
    x, v = damped.history.columns["x"], damped.history.columns["v"]
    # the invariant quadratic form of the step matrix, scaled by its determinant in every step
    matrix = np.array([[1.0 - 1.2 * 100.0 * h * h, h], [-100.0 * h, 1.0]])
    state = np.linalg.matrix_power(matrix, steps) @ np.array([0.0, 2.0])
    assert [x[-1], v[-1]] == pytest.approx(state, abs=1e-12)
    assert abs(np.linalg.eigvals(matrix)[0]) ** 2 == pytest.approx(1.0 - 0.2 * 100.0 * h * h)


def test_references_meet_their_own_equations() -> None:
    stop = BucklingStop(mass=1.0, stiffness=1.0, critical_force=1.0, buckled_force=0.5, speed=2.0)
    at = np.array([stop.buckles, stop.turns, stop.leaves, stop.returns])
    assert stop.history(at)["displacement"] == pytest.approx([1.0, 4.0, 3.0, 0.0], abs=1e-12)
    ball = BouncingBall(height=1.25, gravity=10.0, restitution=0.8)
    after = np.array([ball.impact(n) for n in range(1, 20)]) + 1e-9
    speeds = ball.history(after)["velocity"]
    assert speeds == pytest.approx(5.0 * 0.8 ** np.arange(1, 20), abs=1e-7)
    prescribed = ImpactOscillator(
        mass=1.0, stiffness=0.0, gap=2.0, contact_stiffness=100.0, force=0.0, frequency=1.0,
        constant_force=10.0, contact_damping=5.0, lasting=1.0, initial_velocity=1.0,
    )  # fmt: skip
    assert [status for _, status in prescribed.events(1.2)] == ["flight", "contact", "flight"]
    assert prescribed.contacts(1.2)[0, 1] == pytest.approx(0.92403882542, abs=1e-9)  # V5.01.108


@pytest.mark.parametrize("scheme", ["exact", "newmark", "rk54"])
def test_the_force_of_a_maxwell_spring_can_be_watched(scheme: str) -> None:
    """In a steady swing c ż = iωkc/(k + iωc) x, beside the stretch x of the branch."""
    import fecontact

    k, c, frequency = 2e4, 150.0, 8.0
    study = {
        "kind": "lumped",
        "title": "a Maxwell spring",
        "masses.b": {"mass": 4.0, "directions": ["x"]},
        "springs.s": {
            "between": ["b", "ground"],
            "direction": [1.0, 0.0, 0.0],
            "axial_stiffness": 3000.0,
            "law": {"type": "maxwell", "stiffness": k, "damping": c},
        },
        "functions.f": {"type": "sine", "frequency": frequency},
        "forces.f": {"on": "b", "value": [200.0, 0.0, 0.0], "function": "f"},
        "time": {"scheme": scheme, "step": 1e-4, "end": 4.0},
        "watch.x": {"type": "displacement", "at": "b", "component": "x"},
        "watch.F": {"type": "spring-force", "at": "s"},
    }
    result = fecontact.run(fecontact.define(study))
    late, omega = result.time > 3.0, 2.0 * np.pi * frequency
    wave = np.exp(-1j * omega * result.time[late])
    wanted = 1j * omega * k * c / (k + 1j * omega * c)
    basis = np.stack([wave.real, wave.imag], axis=1)

    def amplitude(name: str) -> complex:
        real, imag = np.linalg.lstsq(basis, result[name][late], rcond=None)[0]
        return complex(real, imag)

    assert amplitude("F") / amplitude("x") == pytest.approx(wanted, rel=1e-3)
