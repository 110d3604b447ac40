"""Stages: changes between them, and identical runs without changes."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import fecontact
from fecontact import restart_file
from fecontact.results import Result
from fecontact.simulation import Simulation
from fecontact.study import AnyStudy, InputError, StudyError

SAME = 1e-12

BLOCK = {
    "title": "a block on a floor",
    "kind": "finite-element",
    "mesh.shapes.block": {
        "type": "rectangle", "corner": [0.0, 0.0], "size": [1.0, 1.0], "cells": [2, 2],
    },
    "mesh.shapes.floor": {
        "type": "rectangle", "corner": [-1.0, -0.2], "size": [4.0, 0.2], "cells": [8, 1],
    },
    "mesh.points.peg": [2.0, 1.0],
    "materials.rubber": {"young": 2e8, "poisson": 0.3, "density": 7000.0},
    "bodies.block.material": "rubber",
    "bodies.floor.material": "rubber",
    "supports.floor": {"on": "floor.bottom", "x": 0.0, "y": 0.0},
    "functions.ramp": {"type": "ramp", "end": 0.05},
    "loads.weight": {"type": "pressure", "on": "block.top", "value": 7e4, "function": "ramp"},
    "loads.push": {"type": "pressure", "on": "block.left", "value": 2e4, "function": "ramp"},
    "springs.brake": {"between": ["block.top-right", "peg"], "stiffness": [1e6, 0.0]},
    "contact.sole": {"slave": "block.bottom", "master": "floor.top", "friction": 0.5},
    "time": {"scheme": "static", "step": 0.02, "end": 0.12},
    "watch.a": {"type": "acceleration", "at": "block.top-left"},
}  # fmt: skip
NO_CHECKS = {"checks": None, "references": None}
DYNAMIC = {"scheme": "average-acceleration", "step": 0.005}


def run(study: AnyStudy) -> Result:
    result = fecontact.run(study)
    assert result.record.scalars["energy.balance_error"].within_limit
    return result


def in_stages(changes: dict, **more) -> AnyStudy:
    """The block, pressed statically until 0.1 s, then with these changes."""
    stages = {"press": {"time": {"end": 0.1}}, "then": changes}
    return fecontact.define(BLOCK | {"stages": stages} | more)


def assert_same(one: Result, other: Result) -> None:
    assert np.array_equal(one.time, other.time) or np.allclose(one.time, other.time, rtol=1e-15)
    energy = max(np.abs(one["energy.external"]).max(), np.abs(one["energy.kinetic"]).max())
    for name in one.record.history.columns:
        scale = energy if name.startswith("energy.") else np.abs(one[name]).max()
        assert np.abs(one[name] - other[name]).max() <= SAME * scale, name


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"contact.sole.method": "penalty", "time.scheme": "generalized-alpha"},
        {"contact.sole.method": "continuous", "time.impact": "redistributed-mass"},
        {"contact.sole.method": "augmented-lagrangian", "time.scheme": "average-acceleration"},
        {
            "contact.sole.friction": {
                "law": "exponential", "static": 0.4, "kinetic": 0.2, "decay": 0.1,
            },
            "contact.sole.wear": 1e-12,
            "contact.sole.wear_updates_gap": True,
        },
    ],
    ids=["lagrangian", "penalty", "continuous", "augmented", "friction law and wear"],
)  # fmt: skip
def test_two_stages_with_nothing_changed_are_one_run(changes: dict) -> None:
    study = fecontact.load("sdnv104a", {"time.end": 1.0} | NO_CHECKS | changes)
    stages = {"stages.one.time.end": 0.31, "stages.two": {}}
    assert_same(run(study), run(fecontact.changed(study, stages)))


@pytest.mark.parametrize("method", ["lagrangian", "penalty", "continuous"])
def test_dynamics_after_static_equilibrium_start_without_a_transient(method: str) -> None:
    result = run(in_stages({"time": DYNAMIC}, **{"contact.sole.method": method}))
    weight, mass = 7e4, 7000.0
    assert np.abs(result["a"]).max() < 1e-10 * weight / mass
    assert result["energy.kinetic"].max() < 1e-20 * result["energy.strain"][-1]
    assert result["energy.stage_change"][-1] == 0.0
    assert result["contact.sole.normal"][-1] == pytest.approx(weight, rel=1e-5)


def test_a_released_bar_swings_as_a_wave() -> None:
    """A bar stretched by e at its end and released: e (1 − 2ct/2L) there until −e at t = 2L/c."""
    length, stretch, young, density, cells = 1.0, 1e-3, 1e8, 1e4, 80
    quarter = length / np.sqrt(young / density)
    bar = {
        "title": "a bar", "kind": "finite-element", "plane": "stress",
        "mesh.shapes.bar": {
            "type": "rectangle", "corner": [0.0, 0.0], "size": [length, 0.01], "cells": [cells, 1],
        },
        "materials.m": {"young": young, "poisson": 0.0, "density": density},
        "bodies.bar.material": "m",
        "supports.wall": {"on": "bar.left", "x": 0.0},
        "supports.rail": {"on": "bar.bottom", "y": 0.0},
        "supports.hook": {"on": "bar.right", "x": stretch},
        "time": {"scheme": "static", "step": quarter, "end": 3 * quarter},
        "watch.end": {"type": "displacement", "at": "bar.bottom-right"},
        "watch.pull": {"type": "reaction", "at": "hook"},
        "stages.pull.time.end": quarter,
        "stages.free": {
            "time": {"scheme": "average-acceleration", "step": quarter / cells},
            "supports": {"hook": {"active": False}},
        },
    }  # fmt: skip
    result = run(fecontact.define(bar))
    since = result.time[1:] - quarter
    exact = stretch * (1.0 - since / quarter)
    before_front_is_back = since < 1.9 * quarter  # a front is a few cells wide
    assert np.abs(result["end"][1:] - exact)[before_front_is_back].max() < 0.005 * stretch
    prescribed = 0.5 * young * 0.01 * stretch**2 / length
    assert result["energy.stage_change"][-1] == pytest.approx(0.0, abs=1e-12 * prescribed)
    assert (result["energy.kinetic"] + result["energy.strain"])[1:] == pytest.approx(prescribed)
    assert result["pull"][1] == pytest.approx(young * 0.01 * stretch / length)
    assert not result["pull"][2:].any()


@pytest.mark.parametrize("method", ["penalty", "continuous"])
def test_what_is_switched_off_takes_its_energy_with_it(method: str) -> None:
    changes = {
        "time": DYNAMIC,
        "springs": {"brake": {"active": False}},
        "contact": {"sole": {"active": False}},
    }
    result = run(in_stages(changes, **{"contact.sole.method": method}))
    switch = int(np.searchsorted(result.time, 0.1))
    prescribed = result["energy.springs"][switch] + result["energy.contact"][switch]
    assert prescribed > 0.0
    assert result["energy.stage_change"][-1] == pytest.approx(-prescribed)
    assert result["contact.sole.normal"][switch] == pytest.approx(7e4, rel=1e-5)
    assert not result["contact.sole.normal"][switch + 1 :].any()
    assert result.record.surfaces["sole"].gap[-1].min() == np.inf


def test_a_pair_that_is_switched_on_catches_a_body() -> None:
    """The block hangs on the brake and a bolt that is drawn; then its sole carries the weight."""
    bolt = {"on": "block.top", "x": 0.0, "y": 0.0}
    changes = {"supports": {"bolt": {"active": False}}, "contact": {"sole": {"active": True}}}
    result = run(in_stages(changes, **{"supports.bolt": bolt, "contact.sole.active": False}))
    normal = result["contact.sole.normal"]
    assert not normal[result.time < 0.11].any()
    assert normal[-1] == pytest.approx(7e4, rel=1e-5)


def test_friction_that_changes_lets_a_block_go() -> None:
    """Sticking with μ = 0.5, the block slides once μ = 0.1 < 2e4/7e4, with (F − μN)/m."""
    slippery = {"time": {"scheme": "hht", "step": 0.002}, "contact": {"sole": {"friction": 0.1}}}
    more = {"springs.brake.active": False, "time.end": 0.3}
    more["watch.v"] = {"type": "centroid-velocity", "at": "block"}
    result = run(in_stages(slippery, **more))
    late = result.time > 0.2
    slope = np.polyfit(result.time[late], result["v"][late], 1)[0]
    assert slope == pytest.approx((2e4 - 0.1 * 7e4) / 7000.0, rel=0.02)


def test_a_run_is_resumed_in_any_stage(tmp_path) -> None:
    changes = {"time": DYNAMIC, "springs": {"brake": {"active": False}}}
    study = in_stages(changes)
    whole = run(study)
    for steps in (2, 4, 6):  # in the first stage, at its end, in the second
        folder = tmp_path / str(steps)
        simulation = Simulation(study, checkpoints=folder)
        for _ in range(steps):
            simulation.step()
        simulation.save_checkpoint()
        again = Simulation(study, checkpoints=folder, resume=True)
        assert_same(whole, Result.of(study, again.run()))


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        (
            {"stages.then.loads.pull.active": True},
            "key `stages.then.loads.pull` cannot be changed: [loads] has no such entry",
        ),
        ({"stages.then.mesh.element": "quad8"}, "key `stages.then.mesh`"),
        (
            {"stages.then.contact.sole.slave": "block.top"},
            "key `stages.then.contact.sole.slave`",
        ),
        ({"stages.press.time.end": None}, "key `stages.press.time.end` is missing"),
        ({"stages.press.time.end": 0.2}, "key `stages.then.time.end` is 0.12"),
        (
            {"stages.then.time.end": 0.3},
            "key `stages.then.time.end` is 0.3",
        ),
        ({"stages.then.time.step": 0.05}, "key `stages.then.time.step` is 0.05 s; the stage lasts"),
        (
            {"stages.then.contact.sole.friction": -1.0},
            "key `stages.then.contact.sole.friction` is -1.0; it must be",
        ),
        (
            {"stages.then.loads.push.function": "sine"},
            'key `stages.then.loads.push.function` is "sine"; function not found',
        ),
        (
            {"stages.then.time": {"scheme": "central-difference"}},
            "key `stages.then.mass_matrix` is",
        ),
    ],
)
def test_a_wrong_stage_is_reported(keys: dict, sentence: str) -> None:
    with pytest.raises(StudyError) as caught:
        fecontact.define(BLOCK | {"stages.press.time.end": 0.1, "stages.then": {}} | keys)
    assert len(caught.value.messages) == 1
    assert sentence in caught.value.messages[0]


def test_a_stage_that_lets_a_body_float_is_rejected_before_the_run() -> None:
    changes = {"contact": {"sole": {"active": False}}}
    with pytest.raises(
        InputError, match=r"stages\.then: bodies\.\w+: .* has unconstrained rigid-body motion"
    ):
        Simulation(in_stages(changes))


@pytest.fixture(scope="module")
def pressed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result folder of the block pressed on the floor statically."""
    folder = tmp_path_factory.mktemp("results") / "preload"
    run(fecontact.define(BLOCK | {"time.end": 0.1})).save(folder)
    return folder


def following(folder: Path, **more) -> dict:
    """The dynamic block from where it was pressed, its loads now constant."""
    constant = {f"loads.{name}.function": None for name in ("weight", "push")}
    return BLOCK | constant | {"initial_state": str(folder), "time": DYNAMIC | {"end": 0.02}} | more


def test_a_run_starts_where_another_ended(pressed: Path) -> None:
    """The second stage of a run, and a separate run are the same."""
    after = run(fecontact.define(following(pressed)))
    staged = run(in_stages({"time": DYNAMIC}))
    second = staged.time >= 0.1 - 1e-12
    assert after.time == pytest.approx(staged.time[second] - 0.1, abs=1e-12)
    for name in ("contact.sole.normal", "contact.sole.tangential", "energy.strain"):
        assert after[name] == pytest.approx(staged[name][second], rel=SAME)
    assert np.abs(after["a"]).max() < 1e-9
    assert abs(after["energy.external"][-1]) < 1e-10 * after["energy.strain"][-1]


def test_a_start_from_elsewhere_is_reported(pressed: Path, tmp_path) -> None:
    def reported(**changes) -> str:
        with pytest.raises(InputError) as caught:
            Simulation(fecontact.define(following(pressed, **changes)))
        assert "\n" not in str(caught.value)
        return str(caught.value)

    moved = {"mesh.points.peg": [2.0, 1.5]}
    assert f"initial_state: the run in {pressed} has another mesh" in reported(**moved)
    finer = {"mesh.shapes.block": BLOCK["mesh.shapes.block"] | {"cells": [3, 2]}}
    assert "has another mesh" in reported(**finer)
    bodies = {"bodies.block.thickness": 2.0, "bodies.floor.thickness": 2.0}
    assert f"the run in {pressed} has different bodies" in reported(**bodies)
    assert "folder not found" in reported(initial_state=str(tmp_path / "none"))
    assert "did not complete" in reported(initial_state=str(tmp_path))
    assert "has no effect with `initial_state`" in reported(**{"bodies.block.velocity": [1.0, 0.0]})
    (tmp_path / "restart.npz").write_bytes(b"nothing")
    assert "cannot be read" in reported(initial_state=str(tmp_path))
    shutil.copy(pressed / "restart.npz", tmp_path / "restart.npz")
    with np.load(tmp_path / "restart.npz") as file:
        content = {name: file[name] for name in file.files}
    content[f"array{list(content['names']).index('u')}"][0] = np.nan
    np.savez(tmp_path / "restart.npz", **content)
    assert "final state" in reported(initial_state=str(tmp_path))


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("rolling-tool", {"mesh.shapes.strip.cells": [40, 1], "time.end": 0.04}),
        ("thrown-disc", {"mesh.shapes.disc.cell_size": 0.1, "time.end": 0.02}),
        ("wear-both", {"materials.hard.young": 1e10, "time.end": 0.1}),
        ("incline-law", {"time.end": 0.04}),
    ],
)
def test_tools_corotational_bodies_masters_with_wear_and_laws_continue(
    name: str, changes: dict
) -> None:
    """Of a worn shape, which adds up the rounding of static steps, to 1e-10: rounding of work and
    strain energy is proportional to the stiffness, and at 1e12 Pa it is 3e-9."""
    same = 1e-10 if name == "wear-both" else SAME
    changes = changes | {"checks": None, "references": None}
    one = fecontact.run(fecontact.load(name, changes)).record.history
    half = {"stages": {"first": {"time": {"end": changes["time.end"] / 2}}, "then": {}}}
    two = fecontact.run(fecontact.load(name, changes | half)).record.history
    energy = max(np.abs(v).max() for k, v in one.columns.items() if k.startswith("energy."))
    assert energy > 0.0 and one.columns.keys() <= two.columns.keys()
    for column, values in one.columns.items():
        if not column.startswith("solver."):
            scale = energy if column.startswith("energy.") else np.abs(values).max()
            assert two.columns[column] == pytest.approx(values, rel=0, abs=same * scale), column


@pytest.mark.parametrize("name", ["adheres", "bonded"])
def test_a_start_from_an_older_version_is_reported(
    name: str, pressed: Path, tmp_path: Path
) -> None:
    with np.load(pressed / "restart.npz") as file:
        end = {str(n): file[f"array{i}"] for i, n in enumerate(file["names"])}
    with (tmp_path / "restart.npz").open("wb") as written:
        restart_file.write(written, {n: a for n, a in end.items() if not n.endswith(f"/{name}")})
    with pytest.raises(InputError, match="' is missing"):
        restart_file.read(tmp_path)


def _released(scale: float) -> np.ndarray:
    """Contact forces, N/m, of the block that is released with massless contact nodes.

    scale: unit of length per metre, with newton and second as units.
    """
    pressure, (a, b) = 1.0 / scale**2, (scale, 0.2 * scale)
    block, floor = BLOCK["mesh.shapes.block"], BLOCK["mesh.shapes.floor"]
    time = {"scheme": "generalized-alpha", "impact": "redistributed-mass", "step": 1e-3}
    weight = {"type": "pressure", "on": "block.top", "value": 7e4 * pressure}
    keys = {
        "mesh.shapes.block": block | {"size": [a, a], "cells": [2, 4]},
        "mesh.shapes.floor": floor | {"corner": [-a, -b], "size": [4 * a, b]},
        "mesh.points.peg": [2 * a, a],
        "materials.rubber": {
            "young": 2e8 * pressure,
            "poisson": 0.3,
            "density": 7000.0 / scale**4,
        },
        "loads.weight": weight,
        "loads.push": None,
        "springs.brake": None,
        "watch": {"force": {"type": "contact-force", "at": "sole", "component": "y"}},
        "stages": {
            "press": {"time": {"scheme": "static", "step": 0.1, "end": 0.1}},
            "then": {"loads": {"weight": {"active": False}}, "time": time},
        },
        "time.end": 0.11,
    }
    return np.asarray(run(fecontact.define(BLOCK | keys))["force"]) * scale


def test_forces_on_massless_nodes_are_kept_at_a_stage_change_in_all_units() -> None:
    """They do not follow from accelerations: the local problem gave them a compliance of 1 unit."""
    metres, millimetres = _released(1.0), _released(1e3)
    assert metres[1] == pytest.approx(7e4)
    assert np.abs(metres - millimetres).max() < 1e-6 * metres.max()
