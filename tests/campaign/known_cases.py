"""Studies that failed in an earlier version."""

from __future__ import annotations

import math
from typing import Any

from generator import watched
from ingredients import (
    DENSITY,
    Case,
    Keys,
    assembled,
    block,
    disc,
    hold,
    static,
    throw,
    weigh,
)
from pieces import Piece

EULER = {"scheme": "implicit-euler"}  # bodies land and stay: nothing bounces


def case(name: str, keys: Keys, **more: Any) -> Case:
    keys["watch"] = watched(keys)
    keys["title"] = name
    keys["mesh"].setdefault("element", "quad4")
    return Case(name, 0, keys, **more)


def meet(keys: Keys, first: str, second: str, method: str, slave_first: bool, mu: float) -> None:
    slave, master = (first, second) if slave_first else (second, first)
    keys["contact"]["pair0"] = {
        "slave": slave,
        "master": master,
        "method": method,
        "friction": mu,
    }


def coarse_block_over_a_pillar(method: str, slave_first: bool) -> Case:
    """A block of one cell falls 50 mm on a fixed pillar that is narrower: no node meets it."""
    shapes = {
        "pillar": block(0.25, -1.0, 0.5, 1.0, (2, 2)),
        "block": block(0.0, 0.05, 1.0, 1.0, (1, 1)),
    }
    keys = assembled(shapes, 1e7, time=EULER | {"step": 0.01, "end": 0.5})
    hold(keys, "pillar")
    weigh(keys, "block")
    meet(keys, "block.bottom", "pillar.top", method, slave_first, 0.2)
    return case("coarse_block_over_a_pillar", keys)


def block_over_a_table_end(method: str, slave_first: bool, end: float, time: Keys) -> Case:
    """A block of 3×3 cells on a table that ends at x = end; its centre is at 0.5 m."""
    shapes = {
        "table": block(-1.0, -0.5, 1.0 + end, 0.5, (4, 2)),
        "block": block(0.0, 0.0, 1.0, 1.0, (3, 3)),
    }
    keys = assembled(shapes, 1e8, time=time)
    if time["scheme"] == "static":
        static(keys)
    hold(keys, "table")
    weigh(keys, "block")
    meet(keys, "block.bottom", "table.top", method, slave_first, 0.3)
    return case("block_over_a_table_end", keys, determinate=True)


def coarse_block_on_a_disc(method: str, slave_first: bool) -> Case:
    """A block of one cell falls on a finely meshed disc, whose top lies between its nodes."""
    shapes = {"low": disc(0.5, -0.5, 0.5, 0.06), "high": block(0.0, 0.02, 1.0, 0.5, (1, 1))}
    keys = assembled(shapes, 1e7, time=EULER | {"step": 0.005, "end": 0.3})
    hold(keys, "low")
    weigh(keys, "high")
    meet(keys, "high.bottom", "low.arc", method, slave_first, 0.3)
    return case("coarse_block_on_a_disc", keys)


def bullet(method: str, slave_first: bool, prescribed: bool) -> Case:
    """A block travels 20 m a step towards a plate of 0.1 m."""
    shapes = {
        "plate": block(0.0, -0.5, 0.1, 2.0, (1, 4)),
        "block": block(-31.0, 0.0, 1.0, 1.0, (2, 2)),
    }
    keys = assembled(shapes, 1e12, time=EULER | {"step": 0.1, "end": 0.5})
    if prescribed:
        hold(keys, "plate")
    throw(keys, "block", (200.0, 0.0))
    meet(keys, "block.right", "plate.left", method, slave_first, 0.0)
    return case("bullet", keys)


def square_on_its_corner(method: str, slave_first: bool, cells: int) -> Case:
    """A square turned by 45° falls with its corner on a coarse block, between the nodes of it."""
    pieces = (
        Piece("low", (0.0, -0.25), (2.0, 0.5), (3, 1)),
        Piece("high", (0.0, math.sqrt(0.125) + 0.01), (0.5, 0.5), (cells, cells), math.pi / 4),
    )
    keys = assembled({"low": {}, "high": {}}, 1e8, time=EULER | {"step": 0.004, "end": 0.08})
    keys["mesh"] = {}
    hold(keys, "low.bottom")
    weigh(keys, "high")
    throw(keys, "high", (0.0, -0.5))
    meet(keys, "high.lower", "low.top", method, slave_first, 0.3)
    return case("square_on_its_corner", keys, pieces=pieces)


def sliver(c: float, method: str, slave_first: bool) -> Case:
    """Blocks 4 m wide, the upper one moved aside by c; pressed together by 1 mm."""
    shapes = {
        "lower": block(0.0, 0.0, 4.0, 2.0, (4, 2)),
        "upper": block(c, 2.0, 4.0, 2.0, (4, 2)),
    }
    keys = assembled(shapes, 1e8)
    keys["materials"]["m"]["density"] = 0.0
    hold(keys, "lower.bottom")
    static(keys, 1)
    keys["supports"]["press"] = {"on": "upper.top", "x": 0.0, "y": -1e-3, "function": "up"}
    meet(keys, "lower.top", "upper.bottom", method, slave_first, 0.0)
    return case("sliver", keys)


def fixed_ends(method: str) -> Case:
    """Two clamped beams, one pressed on the other: the nodes of the clamps touch, too."""
    shapes = {
        "lower": block(0.0, -0.1, 1.0, 0.1, (20, 2)),
        "upper": block(0.0, 0.0, 1.0, 0.1, (20, 2)),
    }
    time = {"scheme": "hht", "alpha": -0.3, "step": 5e-4, "end": 0.012}
    keys = assembled(shapes, 200e9, time=time, plane="stress")
    keys["materials"]["m"] |= {"poisson": 0.0, "density": 7800.0}
    hold(keys, "lower.left")
    hold(keys, "upper.left")
    keys["loads"]["force"] = {
        "type": "point-force",
        "on": "upper.top-right",
        "value": [0.0, -1e7],
    }
    meet(keys, "lower.top", "upper.bottom", method, True, 0.2)
    return case("held_ends", keys)


def block_between_others(method: str, slave_first: bool) -> Case:
    """Three blocks in a row, the last pushed on by a support, static: only the contact forces that
    the push itself makes hold the middle one, on which no load acts."""
    shapes = {
        "left": block(0.0, 0.0, 0.6, 0.9, (2, 1)),
        "middle": block(0.6, 0.02, 0.6, 0.77, (1, 1)),
        "right": block(1.2, -0.03, 0.6, 0.86, (2, 1)),
    }
    keys = assembled(shapes, 1e7)
    static(keys)
    hold(keys, "left.left")
    keys["supports"]["push"] = {"on": "right.right", "x": -0.002, "y": 0.0, "function": "up"}
    meet(keys, "left.right", "middle.left", method, slave_first, 0.3)
    first = keys["contact"].pop("pair0")
    meet(keys, "right.left", "middle.right", method, slave_first, 0.3)
    keys["contact"]["pair1"] = first
    return case("block_between_others", keys)


def nothing_touches(solver: str) -> Case:
    """A body in free flight, a study without any contact pair."""
    keys = assembled({"one": block(0.0, 0.0, 1.0, 1.0, (2, 2))}, 1e7, solver=solver)
    keys["time"] = EULER | {"step": 0.1, "end": 1.0}
    weigh(keys, "one")
    return case("nothing_touches", keys)


def quick_press(duration: float) -> Case:
    """A block pressed on another by a support, static; the time of a static run means nothing."""
    shapes = {
        "low": block(0.0, 0.0, 1.0, 0.5, (2, 1)),
        "high": block(0.0, 0.5, 1.0, 0.5, (2, 1)),
    }
    keys = assembled(shapes, 1e7)
    keys["time"] = {"scheme": "static", "step": duration / 2, "end": duration}
    keys["functions"]["up"] = {"type": "ramp", "end": duration}
    keys["time"]["min_step"] = duration / 100
    hold(keys, "low.bottom")
    keys["supports"]["press"] = {"on": "high.top", "x": 0.0, "y": -1e-3, "function": "up"}
    meet(keys, "high.bottom", "low.top", "lagrangian", True, 0.0)
    return case("quick_press", keys)


WEIGHT = DENSITY * 9.81  # of a block of 1 m × 1 m, N per m
