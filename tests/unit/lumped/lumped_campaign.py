"""Random lumped studies, and an independent solution of those without friction."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from fecontact.arrays import Array
from fecontact.study.lumped import LumpedStudy
from fecontact.timefunctions import compile_functions, evaluate, kinks

Data = dict[str, Any]
END = 1.5


def random_study(seed: int, friction: bool) -> Data:
    """One to three masses in a row, springs and dashpots, loads of every kind, stops; in half of
    the studies also supports that rub."""
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c"][: rng.integers(1, 4)]
    data: Data = {
        "kind": "lumped",
        "title": f"random study {seed}",
        "masses": {n: _mass(rng, i) for i, n in enumerate(names)},
        "springs": {f"s{n}": _spring(rng, n, "ground") for n in names},
        "functions": _functions(rng),
        "obstacles": {},
        "time": {"scheme": "exact", "step": 0.01, "end": END},
    }
    for left, right in itertools.pairwise(names):
        data["springs"][left + right] = _spring(rng, left, right)
        if rng.random() < 0.5:
            data["obstacles"][f"between_{left}{right}"] = {
                "type": "moving-planes",
                "on": left,
                "against": right,
                "normal": [1.0, 0.0, 0.0],
                "thickness": [0.01, 0.01],
                **_stiff(rng),
            }
    kinds = list(data["functions"])
    data["forces"] = {
        f"f{n}": {
            "on": n,
            "value": [float(rng.uniform(-40.0, 40.0)), 0.0, 0.0],
            "function": kinds[rng.integers(len(kinds))],
        }
        for n in names
    }
    if rng.random() < 0.3:
        data["base"] = {
            "acceleration": [float(rng.uniform(1.0, 20.0)), 0.0, 0.0],
            "function": "sine",
        }
    for n in names:
        data["obstacles"] |= _stops(rng, n)
        if friction and (n == "a" or rng.random() < 0.5):
            data["obstacles"][f"under_{n}"] = _support(rng, n)
    data["watch"] = {
        f"{q}{n}": {"type": kind, "at": n, "component": "x"}
        for n in names
        for q, kind in (("x", "displacement"), ("v", "velocity"))
    }
    return data


def _mass(rng: np.random.Generator, i: int) -> Data:
    return {
        "mass": float(rng.uniform(0.5, 5.0)),
        "directions": ["x"],
        "position": [0.05 * i, 0.0, 0.0],
        "displacement": [float(rng.uniform(-0.01, 0.01)), 0.0, 0.0],
        "velocity": [float(rng.uniform(-1.0, 1.0)), 0.0, 0.0],
    }


def _spring(rng: np.random.Generator, one: str, other: str) -> Data:
    return {
        "between": [one, other],
        "stiffness": [float(10.0 ** rng.uniform(1.0, 3.5)), 0.0, 0.0],
        "damping": [float(rng.choice([0.0, rng.uniform(0.1, 3.0)])), 0.0, 0.0],
    }


def _functions(rng: np.random.Generator) -> Data:
    start = float(rng.uniform(0.1, 1.0))
    return {
        "sine": {"type": "sine", "frequency": float(rng.uniform(0.5, 8.0))},
        "ramp": {"type": "ramp", "end": float(rng.uniform(0.1, 1.0))},
        "swell": {"type": "product", "of": ["sine", "ramp"]},
        "pulse": {
            "type": "table",
            "times": [start, start + 0.02, start + 0.05],
            "values": [0.0, float(rng.uniform(1.0, 3.0)), 0.0],
        },
        "both": {"type": "sum", "of": ["sine", "pulse"]},
    }


def _stiff(rng: np.random.Generator) -> Data:
    return {
        "normal_stiffness": float(10.0 ** rng.uniform(3.5, 5.5)),
        "normal_damping": float(rng.choice([0.0, rng.uniform(1.0, 60.0)])),
    }


def _stops(rng: np.random.Generator, n: str) -> Data:
    kind = rng.integers(3)
    if kind == 0:
        gap = float(rng.uniform(0.011, 0.04))
        normal = [float(rng.choice([-1.0, 1.0])), 0.0, 0.0]
        return {
            f"stop_{n}": {"type": "plane", "on": n, "normal": normal, "gap": gap, **_stiff(rng)}
        }
    if kind == 1:
        half = float(rng.uniform(0.011, 0.04))
        origin = [0.05 * "abc".index(n), 0.0, 0.0]
        normal = [1.0, 0.0, 0.0]
        stop = {"type": "planes", "on": n, "normal": normal, "origin": origin, "half_gap": half}
        return {f"stops_{n}": stop | _stiff(rng)}
    return {}


def _support(rng: np.random.Generator, n: str) -> Data:
    dynamic = float(rng.uniform(0.05, 0.5))
    return {
        "type": "plane",
        "on": n,
        "normal": [0.0, 0.0, -1.0],
        "gap": -0.1,
        "normal_stiffness": float(rng.uniform(20.0, 200.0)),
        "friction": dynamic,
        "static_friction": float(rng.choice([dynamic, 1.3 * dynamic])),
        "tangential_stiffness": 1e6,
    }


def by_solve_ivp(study: LumpedStudy) -> Array:
    """Displacements and velocities at the end: the textbook equations, M ẍ = f − C ẋ − K x + stops,
    written independently, with scipy from kink to kink of the loads."""
    names = list(study.masses)
    mass = np.array([m.mass for m in study.masses.values()])
    place = np.array([m.position[0] for m in study.masses.values()])
    used = [study.forces[f"f{n}"].function for n in names]
    program = compile_functions(study.functions, [*used, "sine"])
    loads = np.array([study.forces[f"f{n}"].value[0] for n in names])
    shaken = 0.0 if study.base is None else study.base.acceleration[0]
    jets = np.empty((len(names) + 1, 3))

    def rhs(t: float, y: Array) -> Array:
        x, v = y[: len(names)], y[len(names) :]
        evaluate(program, t, jets)
        force = loads * jets[:-1, 0] - mass * shaken * jets[-1, 0]
        for spring in study.springs.values():
            i = names.index(spring.between[0])
            j = -1 if spring.between[1] == "ground" else names.index(spring.between[1])
            stretch, rate = (x[i], v[i]) if j < 0 else (x[i] - x[j], v[i] - v[j])
            pull = spring.stiffness[0] * stretch + spring.damping[0] * rate
            force[i] -= pull
            if j >= 0:
                force[j] += pull
        for o in study.obstacles.values():
            i, k, c = names.index(o.on), o.normal_stiffness, o.normal_damping
            if o.type == "moving-planes":
                j = names.index(o.against)
                p = x[i] - x[j] - (place[j] - place[i] - sum(o.thickness))
                push = max(0.0, k * p + c * (v[i] - v[j])) if p > 0.0 else 0.0
                force[i] -= push
                force[j] += push
                continue
            ways = (o.normal[0],) if o.type == "plane" else (1.0, -1.0)
            for way in ways:
                p = way * x[i] - (o.gap if o.type == "plane" else o.half_gap)
                if p > 0.0:
                    force[i] -= way * max(0.0, k * p + c * way * v[i])
        return np.concatenate((v, force / mass))

    start = [m.displacement[0] for m in study.masses.values()]
    start += [m.velocity[0] for m in study.masses.values()]
    y, edges = np.array(start), kinks(program)
    edges = np.unique(np.concatenate(([0.0], edges[(edges > 0.0) & (edges < END)], [END])))
    for begin, end in itertools.pairwise(edges):
        found = solve_ivp(rhs, (begin, end), y, method="RK45", rtol=1e-9, atol=1e-12, max_step=2e-3)
        y = found.y[:, -1]
    return y
