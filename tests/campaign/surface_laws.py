"""Families with tools, friction laws, wear, bonds, stages, adaptive steps, soft penalties and
coarse steps."""

from __future__ import annotations

import numpy as np
from ingredients import (
    GRAVITY,
    Case,
    Keys,
    Random,
    assembled,
    block,
    cells,
    friction,
    hold,
    run_for,
    static,
    throw,
    touch,
    wave_step,
    weigh,
    young_modulus,
)


def tool(rng: Random, x: float, y: float) -> Keys:
    """A tool above a floor at height y, its lowest point at x: circle, plane or wedge."""
    kind = str(rng.choice(["circle", "half-plane", "polyline"]))
    if kind == "circle":
        radius = float(10 ** rng.uniform(-1.3, 0.5))
        return {"type": kind, "center": [x, y + radius], "radius": radius}
    if kind == "half-plane":
        slope = float(rng.uniform(-0.1, 0.1))
        return {"type": kind, "point": [float(-0.5 * np.sign(slope)), y], "normal": [slope, -1.0]}
    half, rise = float(rng.uniform(0.1, 0.4)), float(rng.uniform(0.02, 0.3))
    points = [[x - half, y + rise], [x, y], [x + half, y + rise]]
    return {"type": kind, "points": points, "radius": float(rng.uniform(0.0, 0.3) * half)}


def under_tool(rng: Random, most: int = 8) -> tuple[Keys, float]:
    """A block fixed below with a tool in contact with its top at x = 0; Young's modulus, Pa."""
    young = young_modulus(rng)
    keys = assembled({"low": block(-0.5, -0.5, 1.0, 0.5, cells(rng, most))}, young)
    hold(keys, "low.bottom")
    keys["tools"] = {"punch": tool(rng, float(rng.uniform(-0.3, 0.3)), 0.0)}
    keys["contact"]["pair0"] = {"slave": "low.top", "master": "punch", "friction": friction(rng)}
    return keys, young


def tool_pressed(rng: Random) -> Case:
    """A tool is moved into a block by up to 3 % of its height and along it, static."""
    keys, _ = under_tool(rng)
    static(keys, int(rng.integers(1, 8)))
    depth = float(10 ** rng.uniform(-3.5, -1.8))
    keys["tools"]["punch"] |= {"y": -depth, "y_function": "up"}
    if rng.random() < 0.3:
        keys["tools"]["punch"] |= {"x": depth * float(rng.uniform(-1, 1)), "x_function": "up"}
    return Case("tool_pressed", 0, keys)


def tool_struck(rng: Random) -> Case:
    """A force-controlled tool with mass falls on a block, or is pressed on it by a force."""
    keys, young = under_tool(rng)
    punch = keys["tools"]["punch"]
    weight = float(10 ** rng.uniform(1.0, 3.0))
    punch |= {"free": ["y"], "mass": weight}
    if rng.random() < 0.5:
        static(keys, int(rng.integers(1, 5)))
        punch |= {"force": [0.0, -young * float(10 ** rng.uniform(-4.5, -3.0))]}
        punch |= {"force_function": "up", "stiffness": [0.0, 1e-6 * young]}
    else:
        punch |= {"velocity": [0.0, -float(rng.uniform(0.1, 1.0))], "gravity": [0.0, -GRAVITY]}
        run_for(keys, rng, wave_step(young, 0.3), 40)
    return Case("tool_struck", 0, keys)


def law(rng: Random) -> Keys:
    """A friction law with coefficients of 0.1 to 0.8."""
    high, low = sorted(rng.uniform(0.1, 0.8, 2).tolist(), reverse=True)
    laws: list[Keys] = [
        {"law": "coulomb", "coefficient": low, "static": high},
        {"law": "exponential", "static": high, "kinetic": low, "decay": float(rng.uniform(0.5, 9))},
        {"law": "stribeck", "static": high, "kinetic": low, "speed": float(rng.uniform(0.1, 2))},
        {"law": "table", "speeds": [0.0, 0.5, 2.0], "coefficients": [high, low, low]},
        {"law": "slip-weakening", "static": high, "dynamic": low, "distance": 0.02},
        {"law": "pressure", "coefficient": low, "reference": 1e4, "exponent": -0.2},
        {"law": "directional", "forward": high, "backward": low},
        {"law": "cohesion", "coefficient": low, "cohesion": 1e3},
    ]
    return laws[rng.integers(len(laws))]


def law_slide(rng: Random) -> Case:
    """A block slides on a table with a friction law until it stops."""
    young, mesh = young_modulus(rng), cells(rng, 4)
    x, v = float(rng.uniform(0.2, 1.0)), float(rng.uniform(0.3, 3.0)) * (-1) ** rng.integers(2)
    shapes = {
        "table": block(-3.0, -0.3, 7.0, 0.3, (int(rng.integers(1, 9)), 1)),
        "block": block(x, 0.0, 0.9, 0.3, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "table" if rng.random() < 0.7 else "table.bottom")
    weigh(keys, "block")
    throw(keys, "block", (float(v), 0.0))
    touch(keys, rng, "block.bottom", "table.top", 0.3)
    keys["contact"]["pair0"]["friction"] = law(rng)
    run_for(keys, rng, 0.01, 50)
    return Case("law_slide", 0, keys)


def worn(rng: Random) -> Case:
    """A block is pressed on a table by a load and moved along it by a support: it wears."""
    young, mesh = young_modulus(rng), cells(rng, 5)
    shapes = {
        "table": block(-1.0, -0.3, 3.0, 0.3, cells(rng, 6)),
        "block": block(0.0, 0.0, 0.5, 0.3, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "table.bottom")
    static(keys, int(rng.integers(5, 20)))
    way, penetrate = float(rng.uniform(0.05, 0.4)), young * 1e-3 * float(rng.uniform(0.1, 1.0))
    keys["functions"]["press"] = {"type": "ramp", "end": 0.2}
    keys["functions"]["go"] = {"type": "ramp", "start": 0.2, "end": 1.0}
    keys["supports"]["push"] = {"on": "block.top", "x": way, "function": "go"}
    press = {"type": "traction", "on": "block.top", "value": [0.0, -penetrate], "function": "press"}
    keys["loads"]["press"] = press
    touch(keys, rng, "block.bottom", "table.top", float(rng.uniform(0.05, 0.5)))
    depth = 0.3 * float(10 ** rng.uniform(-4.0, 0.5))  # of the wear of the block
    keys["contact"]["pair0"] |= {"wear": depth / (penetrate * way)}
    keys["contact"]["pair0"]["wear_updates_gap"] = bool(rng.random() < 0.7)
    if rng.random() < 0.3:
        keys["contact"]["pair0"]["master_wear_fraction"] = float(rng.uniform(0.1, 1.0))
    return Case("worn", 0, keys)


def bonded(rng: Random) -> Case:
    """A bonded block is pulled off or along a table by a support, until bonds fail or do not."""
    young, mesh = young_modulus(rng), cells(rng, 5)
    shapes = {
        "table": block(-0.5, -0.5, 2.0, 0.5, cells(rng, 8)),
        "block": block(0.0, 0.0, 1.0, 0.4, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "table.bottom")
    static(keys, int(rng.integers(4, 12)))
    away, along = rng.uniform(-0.002, 0.004, 2).tolist()
    keys["supports"]["pull"] = {"on": "block.top", "x": along, "y": away, "function": "up"}
    touch(keys, rng, "block.bottom", "table.top", float(rng.uniform(0.2, 0.8)))
    keys["contact"]["pair0"]["adhesion"] = young * float(10 ** rng.uniform(-4.0, -2.5))
    return Case("bonded", 0, keys)


def staged(rng: Random) -> Case:
    """A block is pressed on a table, then released or pushed along, in a dynamic stage."""
    young, mesh = young_modulus(rng), cells(rng, 5)
    shapes = {
        "table": block(-1.0, -0.5, 3.0, 0.5, cells(rng, 8)),
        "block": block(0.0, 0.0, 0.8, 0.5, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "table.bottom")
    weigh(keys, "block")
    press = young * float(10 ** rng.uniform(-4.0, -2.5))
    keys["loads"]["press"] = {"type": "traction", "on": "block.top", "value": [0.0, -press]}
    touch(keys, rng, "block.bottom", "table.top", float(rng.uniform(0.1, 0.8)))
    step = wave_step(young, 0.5 / max(mesh))
    static(keys, 2)
    keys["loads"]["press"]["function"] = "up"
    first = {"time": keys["time"]}
    run_for(keys, rng, step, 40)
    second = {"time": keys["time"] | {"end": 1.0 + keys["time"]["end"]}}
    if rng.random() < 0.6:
        second["loads"] = {"press": {"active": False}}
    keys["time"] = dict(second["time"])
    keys["stages"] = {"press": first, "move": second}
    return Case("staged", 0, keys)


def adaptive(rng: Random) -> Case:
    """A block falls on a table or slides along it with steps chosen by the program."""
    young, mesh = young_modulus(rng), cells(rng, 4)
    step, v = wave_step(young, 0.8 / max(mesh)), float(rng.uniform(0.2, 2.0))
    gap = v * step * float(rng.uniform(1.0, 8.0))
    shapes = {
        "table": block(-1.0, -0.5, 3.0, 0.5, cells(rng, 6)),
        "block": block(float(rng.uniform(-0.4, 0.9)), gap, 0.8, 0.6, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "table" if rng.random() < 0.5 else "table.bottom")
    weigh(keys, "block")
    throw(keys, "block", (float(rng.uniform(-1.0, 1.0)), -v))
    touch(keys, rng, "block.bottom", "table.top", friction(rng))
    run_for(keys, rng, step, 30)
    if keys["time"].get("impact") == "stabilized":
        keys["time"] = {"scheme": "generalized-alpha"} | {"end": keys["time"]["end"]}
    keys["time"] |= {"step": "auto", "max_step": keys["time"]["end"] / 30}
    return Case("adaptive", 0, keys)


def soft(rng: Random) -> Case:
    """Penalties from far too soft to hard: a block is pressed on a table or falls on it."""
    young, mesh = young_modulus(rng), cells(rng, 5)
    step, v = wave_step(young, 0.6 / max(mesh)), float(rng.uniform(0.2, 1.5))
    falls = rng.random() < 0.5
    gap = v * step * float(rng.uniform(1.0, 6.0)) if falls else 0.0
    shapes = {
        "low": block(-0.5, -0.4, 2.0, 0.4, cells(rng, 6)),
        "high": block(0.0, gap, 0.7, 0.5, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "low.bottom")
    touch(keys, rng, "high.bottom", "low.top", friction(rng))
    keys["contact"]["pair0"] |= {"method": "penalty"}
    for name in ("normal_penalty", "tangential_penalty"):
        if rng.random() < 0.7:
            keys["contact"]["pair0"][name] = young * float(10 ** rng.uniform(-3.0, 3.0))
    weigh(keys, "high")
    if falls:
        throw(keys, "high", (float(rng.uniform(-0.5, 0.5)), -v))
        run_for(keys, rng, step, 40)
    else:
        static(keys)
        push = [float(rng.uniform(-0.05, 0.05)) * young / 500, -young / 500]
        keys["loads"]["press"] = {"type": "traction", "on": "high.top", "value": push}
        keys["loads"]["press"]["function"] = "up"
    return Case("soft", 0, keys)


def long_steps(rng: Random) -> Case:
    """A block falls on a table or vibrates on it, in steps of up to 100 wave transits."""
    young, mesh = young_modulus(rng), cells(rng, 4)
    v = float(rng.uniform(0.2, 2.0))
    step = wave_step(young, 0.8 / max(mesh)) * float(10 ** rng.uniform(0.3, 2.0))
    shapes = {
        "table": block(-1.0, -0.5, 3.0, 0.5, cells(rng, 6)),
        "block": block(0.2, v * step * float(rng.uniform(0.0, 4.0)), 0.8, 0.6, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "table" if rng.random() < 0.5 else "table.bottom")
    weigh(keys, "block")
    throw(keys, "block", (0.0, -v))
    touch(keys, rng, "block.bottom", "table.top", friction(rng))
    run_for(keys, rng, step, 30)
    return Case("long_steps", 0, keys)


def shaken(rng: Random) -> Case:
    """A block on a table that a support moves back and forth: it sticks, slips or lifts off."""
    young, mesh = young_modulus(rng), cells(rng, 4)
    shapes = {
        "table": block(-0.5, -0.3, 2.0, 0.3, cells(rng, 6)),
        "block": block(0.1, 0.0, 0.8, 0.5, mesh),
    }
    keys = assembled(shapes, young)
    frequency = float(10 ** rng.uniform(0.0, 1.3))
    amplitude = GRAVITY * float(10 ** rng.uniform(-1.0, 0.3)) / (2 * np.pi * frequency) ** 2
    way = "y" if rng.random() < 0.4 else "x"
    keys["functions"]["shake"] = {"type": "sine", "frequency": frequency}
    table = {"on": "table", "x": 0.0, "y": 0.0, "function": "shake"}
    keys["supports"]["shaker"] = table | {way: amplitude}
    weigh(keys, "block")
    touch(keys, rng, "block.bottom", "table.top", float(rng.uniform(0.1, 0.8)))
    run_for(keys, rng, 1.0 / frequency / 25, 50)
    return Case("shaken", 0, keys)
