"""Parts of generated studies: shapes, supports, loads, contact pairs, time schemes.

Numbers are round SI ones near 1: bodies of about 1 m and 1000 kg/m³, waves of 100 to 300 m/s, steps
in which a wave crosses about an element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from pieces import Piece

Keys = dict[str, Any]
Random = np.random.Generator

GRAVITY = 9.81  # m/s²
DENSITY = 1000.0  # kg/m³
DYNAMIC: tuple[Keys, ...] = (
    {"scheme": "newmark", "beta": 0.36, "gamma": 0.7},
    {"scheme": "newmark"},
    {"scheme": "hht", "alpha": -0.1},
    {"scheme": "hht", "alpha": -0.3},
    {"scheme": "hht", "alpha": -0.2, "modified_equilibrium": False},
    {"scheme": "generalized-alpha", "rho_infinity": 0.5},
    {"scheme": "generalized-alpha", "rho_infinity": 0.0},
    {"scheme": "implicit-euler"},
    {"scheme": "hht", "alpha": -0.2, "impact": "velocity"},
    {"scheme": "generalized-alpha", "impact": "redistributed-mass"},
    {"scheme": "average-acceleration", "impact": "stabilized"},
)


@dataclass(frozen=True)
class Case:
    """A study to be judged. determinate: equilibrium alone gives the contact resultants;
    pieces: turned blocks of a mesh file, if the study has one; units: of length, mass and time."""

    family: str
    seed: int
    keys: Keys
    determinate: bool = False
    pieces: tuple[Piece, ...] = ()
    units: str = "SI"

    @property
    def name(self) -> str:
        return f"{self.family}-{self.seed}"


def block(x: float, y: float, width: float, height: float, cells: tuple[int, int]) -> Keys:
    return {"type": "rectangle", "corner": [x, y], "size": [width, height], "cells": list(cells)}


def disc(x: float, y: float, radius: float, cell: float) -> Keys:
    return {"type": "disc", "center": [x, y], "radius": radius, "cell_size": cell}


def cells(rng: Random, most: int = 5) -> tuple[int, int]:
    """From one cell up; every third mesh is a single row or cell."""
    if rng.random() < 0.33:
        return int(rng.integers(1, 3)), 1
    return int(rng.integers(1, most + 1)), int(rng.integers(1, most))


def graded(rng: Random, shape: Keys) -> Keys:
    """Every fourth rectangle with cells of unequal size."""
    if rng.random() < 0.25:
        shape = shape | {"grading": [float(rng.uniform(0.25, 4.0)), 1.0]}
    return shape


def assembled(shapes: Keys, young: float, **tables: Any) -> Keys:
    """A study of one elastic material, a body of each shape, all fields kept."""
    return {
        "title": "campaign",
        "kind": "finite-element",
        "mesh": {"shapes": shapes},
        "materials": {"m": {"young": young, "poisson": 0.3, "density": DENSITY}},
        "bodies": {name: {"material": "m"} for name in shapes},
        "supports": {},
        "loads": {},
        "functions": {},
        "contact": {},
        "output": {"fields_every": 1},
    } | tables


def young_modulus(rng: Random) -> float:
    """Such that waves run at 100 to 300 m/s, and what lands with 1 m/s is strained by 1 %."""
    return float(10 ** rng.uniform(7.0, 8.0))


def wave_step(young: float, edge: float) -> float:
    """Time in which a wave crosses an edge, s."""
    return float(edge / np.sqrt(young / DENSITY))


def weigh(keys: Keys, *names: str, g: float = GRAVITY) -> None:
    for name in names:
        keys["loads"][f"weight-{name}"] = {"type": "gravity", "on": name, "value": [0.0, -g]}


def hold(keys: Keys, place: str, x: float | None = 0.0, y: float | None = 0.0) -> None:
    given = {"x": x, "y": y}
    keys["supports"][f"hold-{place.replace('.', '-')}"] = {"on": place} | {
        way: value for way, value in given.items() if value is not None
    }


def touch(keys: Keys, rng: Random, one: str, other: str, friction: float) -> None:
    """A contact pair with the roles drawn."""
    slave, master = (one, other) if rng.random() < 0.5 else (other, one)
    keys["contact"][f"pair{len(keys['contact'])}"] = {
        "slave": slave,
        "master": master,
        "friction": friction,
    }


def run_for(keys: Keys, rng: Random, step: float, steps: int) -> None:
    """A dynamic scheme, `steps` steps of about `step`."""
    step = float(step * rng.uniform(0.7, 1.5))
    keys["time"] = dict(DYNAMIC[rng.integers(len(DYNAMIC))]) | {"step": step, "end": steps * step}


def static(keys: Keys, steps: int = 2) -> None:
    keys["time"] = {"scheme": "static", "step": 1.0 / steps, "end": 1.0}
    keys["functions"]["up"] = {"type": "ramp", "end": 1.0}


def friction(rng: Random) -> float:
    return 0.0 if rng.random() < 0.3 else float(rng.uniform(0.05, 1.0))


def throw(keys: Keys, name: str, velocity: tuple[float, float]) -> None:
    keys["bodies"][name]["velocity"] = list(velocity)
