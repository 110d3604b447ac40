"""Small systems for several tests, as study dictionaries."""

from __future__ import annotations

import copy
from typing import Any

from fecontact.lumped.schemes import SCHEMES
from fecontact.record import RunRecord
from fecontact.simulation import Simulation
from fecontact.study import study_from_dict
from fecontact.study.lumped import LumpedStudy

Data = dict[str, Any]

STEPPING = (
    "euler",
    "central-difference",
    "devogelaere",
    "adaptive-order2",
    "rk32",
    "rk54",
    "newmark",
    "hht",
)


def study(data: Data, **time: Any) -> LumpedStudy:
    """The validated study, with keys of [time] changed; keys that only the scheme before has
    fall away, as in layers of a study."""
    data = copy.deepcopy(data)
    if "scheme" in time:
        own = SCHEMES[time["scheme"]].model_fields
        data["time"] = {name: value for name, value in data["time"].items() if name in own}
    data["time"].update(time)
    made = study_from_dict(data)
    assert isinstance(made, LumpedStudy)
    return made


def run(data: Data, **time: Any) -> RunRecord:
    return Simulation(study(data, **time)).run()


def constant_step(scheme: str, h: float) -> Data:
    """[time] keys that make any scheme take steps of h."""
    keys: Data = {"scheme": scheme, "step": h}
    if scheme.startswith("rk"):
        keys |= {"max_step": h, "tolerance": 0.999}
    if scheme == "adaptive-order2":
        keys |= {"growth": 1.0, "reduction": 1.0}
    return keys


def oscillator(mass: float = 2.0, stiffness: float = 800.0, **keys: Any) -> Data:
    """A mass on a spring, moving in x."""
    data: Data = {
        "kind": "lumped",
        "title": "mass and spring",
        "masses": {"m": {"mass": mass, "directions": ["x"]}},
        "springs": {"s": {"between": ["m", "ground"], "stiffness": [stiffness, 0.0, 0.0]}},
        "watch": {
            "x": {"type": "displacement", "at": "m", "component": "x"},
            "v": {"type": "velocity", "at": "m", "component": "x"},
        },
        "time": {"scheme": "exact", "step": 0.01, "end": 1.0},
    }
    return data | keys


def two_masses() -> Data:
    """Two masses in a row with springs, a dashpot and a force; no obstacles."""
    return {
        "kind": "lumped",
        "title": "two masses",
        "masses": {
            "a": {"mass": 1.0, "directions": ["x"], "displacement": [0.01, 0.0, 0.0]},
            "b": {"mass": 2.0, "directions": ["x"], "velocity": [0.3, 0.0, 0.0]},
        },
        "springs": {
            "left": {"between": ["a", "ground"], "stiffness": [900.0, 0.0, 0.0]},
            "middle": {"between": ["a", "b"], "stiffness": [400.0, 0.0, 0.0]},
        },
        "functions": {"f": {"type": "sine", "frequency": 2.0, "phase": 0.4}},
        "forces": {"push": {"on": "b", "value": [30.0, 0.0, 0.0], "function": "f"}},
        "watch": {
            "xa": {"type": "displacement", "at": "a", "component": "x"},
            "xb": {"type": "displacement", "at": "b", "component": "x"},
            "vb": {"type": "velocity", "at": "b", "component": "x"},
        },
        "time": {"scheme": "exact", "step": 0.01, "end": 1.0},
    }


def sliding_block(friction: float = 0.2, **obstacle: Any) -> Data:
    """A block of 1 kg that a weight of 10 N (50 N/m · 0.2 m) presses on a plane; slides in x, y."""
    return {
        "kind": "lumped",
        "title": "block",
        "masses": {"block": {"mass": 1.0, "directions": ["x", "y"]}},
        "obstacles": {
            "floor": {
                "type": "plane",
                "on": "block",
                "normal": [0.0, 0.0, -1.0],
                "generator": [0.0, 1.0, 0.0],
                "gap": -0.2,
                "normal_stiffness": 50.0,
                "friction": friction,
                "tangential_stiffness": 1e6,
                **obstacle,
            }
        },
        "watch": {
            "x": {"type": "displacement", "at": "block", "component": "x"},
            "y": {"type": "displacement", "at": "block", "component": "y"},
            "vx": {"type": "velocity", "at": "block", "component": "x"},
            "slip": {"type": "slip", "at": "floor"},
            "T": {"type": "contact-force", "at": "floor", "component": "tangential"},
        },
        "time": {"scheme": "rk54", "step": 1e-5, "max_step": 1e-3, "end": 1.0},
    }
