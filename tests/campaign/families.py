"""Families of random studies, each a function of a random number generator."""

from __future__ import annotations

import numpy as np
from ingredients import (
    DENSITY,
    GRAVITY,
    Case,
    Random,
    assembled,
    block,
    cells,
    disc,
    friction,
    graded,
    hold,
    run_for,
    static,
    throw,
    touch,
    wave_step,
    weigh,
    young_modulus,
)
from pieces import Piece


def dropped(rng: Random) -> Case:
    """A block falls flat on a wide fixed table, off its middle."""
    young, mesh = young_modulus(rng), cells(rng)
    step, v = wave_step(young, 1.0 / max(mesh)), float(rng.uniform(0.2, 2.0))
    gap, x = v * step * float(rng.uniform(1.0, 8.0)), float(rng.uniform(-0.4, 0.9))
    shapes = {
        "table": graded(rng, block(-1.0, -0.5, 3.0, 0.5, cells(rng, 8))),
        "block": graded(rng, block(x, gap, 1.0, float(rng.uniform(0.4, 1.2)), mesh)),
    }
    keys = assembled(shapes, young)
    hold(keys, "table" if rng.random() < 0.5 else "table.bottom")
    weigh(keys, "block")
    throw(keys, "block", (float(rng.uniform(-1.0, 1.0)), -v))
    touch(keys, rng, "block.bottom", "table.top", friction(rng))
    run_for(keys, rng, step, 50)
    return Case("dropped", 0, keys)


def on_pillars(rng: Random) -> Case:
    """A coarse block above one or two narrow pillars, between its nodes."""
    young, mesh = young_modulus(rng), (int(rng.integers(1, 4)), int(rng.integers(1, 3)))
    step, v = wave_step(young, 0.3), float(rng.uniform(0.2, 1.5))
    width = float(rng.uniform(0.1, 0.45))
    places = [0.5 - width / 2] if rng.random() < 0.5 else [0.05, 0.95 - width]
    shapes = {"block": block(0.0, v * step * float(rng.uniform(1, 6)), 1.0, 0.6, mesh)}
    for i, x in enumerate(places):
        shapes[f"pillar{i}"] = block(x, -1.0, width, 1.0, (int(rng.integers(1, 4)), 2))
    keys = assembled(shapes, young)
    weigh(keys, "block")
    throw(keys, "block", (0.0, -v))
    mu = friction(rng)
    for i in range(len(places)):
        hold(keys, f"pillar{i}.bottom")
        touch(keys, rng, "block.bottom", f"pillar{i}.top", mu)
    run_for(keys, rng, step, 45)
    return Case("on_pillars", 0, keys)


def table_edge(rng: Random) -> Case:
    """A block at rest over the edge of a table, its centre on the table or beyond, under weight."""
    young, mesh = young_modulus(rng), (int(rng.integers(1, 7)), int(rng.integers(1, 4)))
    end = float(rng.uniform(0.35, 0.98))
    shapes = {
        "table": block(-0.5, -0.4, 0.5 + end, 0.4, cells(rng, 6)),
        "block": block(0.0, 0.0, 1.0, 0.5, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "table" if rng.random() < 0.5 else "table.bottom")
    weigh(keys, "block")
    touch(keys, rng, "block.bottom", "table.top", float(rng.uniform(0.2, 0.8)))
    if rng.random() < 0.5:
        static(keys)
    else:
        run_for(keys, rng, wave_step(young, 0.3), 50)
    return Case("table_edge", 0, keys, determinate=True)


def stacked(rng: Random) -> Case:
    """Two to four blocks on each other, meshes that do not match, sides that are not flush."""
    young, count = young_modulus(rng), int(rng.integers(2, 5))
    shapes = {
        f"b{i}": graded(
            rng,
            block(
                float(rng.uniform(-0.1, 0.1)),
                0.4 * i,
                float(rng.uniform(0.7, 1.1)),
                0.4,
                cells(rng),
            ),
        )
        for i in range(count)
    }
    keys = assembled(shapes, young)
    hold(keys, "b0.bottom")
    mu = float(rng.uniform(0.2, 0.9))
    for i in range(1, count):
        weigh(keys, f"b{i}")
        touch(keys, rng, f"b{i}.bottom", f"b{i - 1}.top", mu)
    if rng.random() < 0.6:
        static(keys)
        press = {"type": "pressure", "on": f"b{count - 1}.top", "value": 5e3, "function": "up"}
        keys["loads"]["press"] = press
    else:
        run_for(keys, rng, wave_step(young, 0.2), 40)
    return Case("stacked", 0, keys, determinate=True)


def side_by_side(rng: Random) -> Case:
    """Blocks of unequal height in a row, the first fixed, the last pushed by force or support."""
    young, count = young_modulus(rng), int(rng.integers(2, 4))
    shapes = {
        f"b{i}": block(
            0.6 * i, float(rng.uniform(-0.15, 0.15)), 0.6, float(rng.uniform(0.5, 0.9)), cells(rng)
        )
        for i in range(count)
    }
    keys = assembled(shapes, young)
    hold(keys, "b0.left")
    mu = float(rng.uniform(0.1, 0.9))
    for i in range(1, count):
        touch(keys, rng, f"b{i}.left", f"b{i - 1}.right", mu)
    static(keys)
    last = f"b{count - 1}.right"
    forced = rng.random() < 0.4
    if forced:
        hold(keys, last, x=None)
        push = {"type": "traction", "on": last, "value": [-young / 300, 0.0], "function": "up"}
        keys["loads"]["push"] = push
    else:
        keys["supports"]["push"] = {"on": last, "x": -0.002, "y": 0.0, "function": "up"}
    return Case("side_by_side", 0, keys)


def sliding(rng: Random) -> Case:
    """A block slides on a long table until friction stops it, or over the table's end."""
    young, mesh = young_modulus(rng), cells(rng, 4)
    mu, v = friction(rng), float(rng.uniform(0.3, 3.0))
    x = float(rng.uniform(0.0, 3.0))
    shapes = {
        "table": block(0.0, -0.3, 4.0, 0.3, (int(rng.integers(1, 9)), 1)),
        "block": graded(rng, block(x, 0.0, 0.9, 0.3, mesh)),
    }
    keys = assembled(shapes, young)
    hold(keys, "table" if rng.random() < 0.7 else "table.bottom")
    weigh(keys, "block")
    throw(keys, "block", (v, 0.0))
    touch(keys, rng, "block.bottom", "table.top", mu)
    run_for(keys, rng, 0.01, 55)
    return Case("sliding", 0, keys)


def pushed(rng: Random) -> Case:
    """A block that friction holds against a push, static; the push at half of its height."""
    young, mu = young_modulus(rng), float(rng.uniform(0.2, 0.9))
    width, height = float(rng.uniform(0.8, 1.5)), float(rng.uniform(0.2, 0.5))
    shapes = {
        "table": block(-1.0, -0.5, 3.5, 0.5, cells(rng, 8)),
        "block": graded(rng, block(0.0, 0.0, width, height, cells(rng))),
    }
    keys = assembled(shapes, young)
    hold(keys, "table.bottom")
    weigh(keys, "block")
    touch(keys, rng, "block.bottom", "table.top", mu)
    static(keys)
    weight = DENSITY * GRAVITY * width * height
    share = float(rng.uniform(0.1, 0.8)) * mu  # of its weight: it sticks
    push = {"type": "traction", "on": "block.left", "value": [share * weight / height, 0.0]}
    keys["loads"]["push"] = push | {"function": "up"}
    return Case("pushed", 0, keys, determinate=True)


def thrown(rng: Random) -> Case:
    """A free block is thrown at another free block, level or not: momentum is shared."""
    young, first, second = young_modulus(rng), cells(rng, 4), cells(rng, 4)
    step, v = wave_step(young, 0.6 / max(first)), float(rng.uniform(0.3, 2.0))
    gap = v * step * float(rng.uniform(1.0, 8.0))
    low = float(rng.uniform(-0.2, 0.2))
    shapes = {
        "left": block(-0.6 - gap, 0.0, 0.6, 0.6, first),
        "right": block(
            0.0, low, float(rng.uniform(0.2, 1.0)), float(rng.uniform(0.4, 0.8)), second
        ),
    }
    keys = assembled(shapes, young)
    throw(keys, "left", (v, 0.0))
    touch(keys, rng, "left.right", "right.left", friction(rng))
    run_for(keys, rng, step, 50)
    return Case("thrown", 0, keys)


def disc_dropped(rng: Random) -> Case:
    """A disc falls on a block, or a coarse block on a disc."""
    young, size = young_modulus(rng), float(rng.uniform(0.1, 0.25))
    step, v = wave_step(young, size), float(rng.uniform(0.2, 1.5))
    gap = v * step * float(rng.uniform(1.0, 6.0))
    mesh = cells(rng, 6)
    if rng.random() < 0.5:
        shapes = {"low": block(-1.0, -0.5, 2.0, 0.5, mesh), "high": disc(0.1, 0.5 + gap, 0.5, size)}
        edges, foot = ("high.arc", "low.top"), "low.bottom"
    else:
        shapes = {"low": disc(0.0, -0.5, 0.5, size), "high": block(-0.45, gap, 1.0, 0.5, mesh)}
        edges, foot = ("high.bottom", "low.arc"), "low"
    keys = assembled(shapes, young)
    hold(keys, foot)
    weigh(keys, "high")
    throw(keys, "high", (0.0, -v))
    touch(keys, rng, *edges, friction(rng))
    run_for(keys, rng, step, 40)
    return Case("disc_dropped", 0, keys)


def discs(rng: Random) -> Case:
    """Two discs collide, off centre."""
    young, size = young_modulus(rng), float(rng.uniform(0.1, 0.25))
    step, v = wave_step(young, size), float(rng.uniform(0.3, 2.0))
    gap = v * step * float(rng.uniform(1.0, 5.0))
    angle = float(rng.uniform(-0.5, 0.5))
    reach = 0.8 + gap
    shapes = {
        "one": disc(0.0, 0.0, 0.4, size),
        "two": disc(
            reach * np.cos(angle), reach * np.sin(angle), 0.4, float(rng.uniform(0.1, 0.2))
        ),
    }
    keys = assembled(shapes, young)
    throw(keys, "one", (v, 0.0))
    touch(keys, rng, "one.arc", "two.arc", friction(rng))
    run_for(keys, rng, step, 40)
    return Case("discs", 0, keys)


def squeezed(rng: Random) -> Case:
    """Two blocks of unequal width are pressed together by a support, in part beside each other."""
    young = young_modulus(rng)
    width = float(rng.uniform(0.3, 1.4))
    x = float(rng.uniform(-0.7 * width, 0.9))
    shapes = {
        "low": graded(rng, block(0.0, -0.5, 1.0, 0.5, cells(rng, 6))),
        "high": graded(rng, block(x, 0.0, width, 0.5, cells(rng, 6))),
    }
    keys = assembled(shapes, young)
    hold(keys, "low.bottom")
    static(keys)
    keys["supports"]["press"] = {"on": "high.top", "x": 0.0, "y": -0.002, "function": "up"}
    touch(keys, rng, "high.bottom", "low.top", friction(rng))
    return Case("squeezed", 0, keys)


def bridge(rng: Random) -> Case:
    """A beam on two pillars, loaded off its middle: the lever rule shares the load out."""
    young = young_modulus(rng)
    width = float(rng.uniform(0.1, 0.4))
    shapes = {
        "beam": block(0.0, 0.0, 3.0, 0.6, (int(rng.integers(1, 9)), int(rng.integers(1, 4)))),
        "p0": block(float(rng.uniform(0.0, 0.5)), -0.5, width, 0.5, (int(rng.integers(1, 4)), 1)),
        "p1": block(float(rng.uniform(2.0, 2.6)), -0.5, width, 0.5, (int(rng.integers(1, 4)), 1)),
    }
    keys = assembled(shapes, young)
    weigh(keys, "beam")
    mu = float(rng.uniform(0.2, 0.8))
    for name in ("p0", "p1"):
        hold(keys, f"{name}.bottom")
        touch(keys, rng, "beam.bottom", f"{name}.top", mu)
    static(keys)
    return Case("bridge", 0, keys)  # friction of the feet shares out a thrust


def overhanging(rng: Random) -> Case:
    """A wide body pressed by a load on a narrower one whose corners lie between its nodes."""
    young = young_modulus(rng)
    width = float(rng.uniform(0.2, 0.8))
    x = float(rng.uniform(0.45 - width, 0.55))  # the centre 0.5 above it, or beyond: it tips
    shapes = {
        "low": block(x, -0.5, width, 0.5, cells(rng, 5)),
        "high": graded(rng, block(0.0, 0.0, 1.0, 0.5, cells(rng, 4))),
    }
    keys = assembled(shapes, young)
    hold(keys, "low.bottom")
    static(keys)
    weigh(keys, "high")
    touch(keys, rng, "high.bottom", "low.top", float(rng.uniform(0.2, 0.8)))
    return Case("overhanging", 0, keys, determinate=True)


def corner_down(rng: Random) -> Case:
    """A turned square falls on a block with a corner, or a face that is nearly flat."""
    young, v = young_modulus(rng), float(rng.uniform(0.2, 1.0))
    n = int(rng.integers(1, 5))
    step = wave_step(young, 0.5 / n)
    angle = np.pi / 4 if rng.random() < 0.4 else float(rng.uniform(0.05, 1.5))
    reach = 0.25 * (np.sin(angle) + np.cos(angle))  # from centre to lowest corner
    pieces = (
        Piece("low", (0.0, -0.25), (2.0, 0.5), (int(rng.integers(1, 9)), int(rng.integers(1, 3)))),
        Piece(
            "high", (float(rng.uniform(-0.3, 0.3)), reach + 3 * v * step), (0.5, 0.5), (n, n), angle
        ),
    )
    keys = assembled({"low": {}, "high": {}}, young)
    keys["mesh"] = {}
    hold(keys, "low.bottom")
    weigh(keys, "high")
    throw(keys, "high", (0.0, -v))
    # The lowest corner is that of bottom and left of the unturned square for 0 < angle < π/2.
    touch(keys, rng, "high.lower", "low.top", friction(rng))
    run_for(keys, rng, step, 30)
    return Case("corner_down", 0, keys, pieces=pieces)


def fast(rng: Random) -> Case:
    """A block that travels several times the thickness of its obstacle in one step."""
    young, thin = young_modulus(rng) * 10000, float(rng.uniform(0.02, 0.3))
    travel = float(rng.uniform(0.5, 20.0))
    step = 0.05
    shapes = {
        "plate": block(0.0, -0.5, thin, 2.0, (1, int(rng.integers(1, 5)))),
        "block": block(-1.0 - travel * float(rng.uniform(1.2, 3.0)), 0.0, 1.0, 1.0, cells(rng, 3)),
    }
    keys = assembled(shapes, young)
    if rng.random() < 0.5:
        hold(keys, "plate")
    throw(keys, "block", (travel / step, 0.0))
    touch(keys, rng, "block.right", "plate.left", friction(rng))
    run_for(keys, rng, step, 8)
    return Case("fast", 0, keys)


def apart(rng: Random) -> Case:
    """Bodies that never meet: free flight, with a pair or without."""
    young = young_modulus(rng)
    shapes = {
        "one": block(0.0, 0.0, 1.0, 1.0, cells(rng)),
        "two": disc(3.0, 0.5, 0.5, 0.3)
        if rng.random() < 0.5
        else block(3.0, 0.0, 1.0, 1.0, (2, 2)),
    }
    keys = assembled(shapes, young)
    throw(keys, "one", (-float(rng.uniform(0, 3)), float(rng.uniform(-2, 2))))
    throw(keys, "two", (float(rng.uniform(0, 3)), float(rng.uniform(-2, 2))))
    weigh(keys, "one", "two")
    if rng.random() < 0.6:
        edge = "two.left" if shapes["two"]["type"] == "rectangle" else "two.arc"
        touch(keys, rng, "one.right", edge, friction(rng))
    run_for(keys, rng, 0.05, 20)
    return Case("apart", 0, keys)


def resting(rng: Random) -> Case:
    """A block at rest on a table for a long time, in long steps."""
    young = young_modulus(rng)
    shapes = {
        "table": block(-0.5, -0.5, 2.5, 0.5, cells(rng, 6)),
        "block": graded(rng, block(0.0, 0.0, 1.0, float(rng.uniform(0.3, 1.0)), cells(rng))),
    }
    keys = assembled(shapes, young)
    hold(keys, "table" if rng.random() < 0.5 else "table.bottom")
    weigh(keys, "block")
    touch(keys, rng, "block.bottom", "table.top", friction(rng))
    run_for(keys, rng, wave_step(young, 0.3) * float(10 ** rng.uniform(0, 4)), 50)
    return Case("resting", 0, keys)


def boxed(rng: Random) -> Case:
    """A block between a floor and a wall, pushed into the corner: two pairs on one body."""
    young = young_modulus(rng)
    height = float(rng.uniform(0.4, 0.8))
    shapes = {
        "floor": block(-0.2, -0.4, 1.8, 0.4, cells(rng, 6)),
        "wall": block(1.0, 0.05, 0.3, 1.0, (1, int(rng.integers(1, 6)))),
        "block": block(0.0, 0.0, 1.0, height, cells(rng, 4)),
    }
    keys = assembled(shapes, young)
    hold(keys, "floor.bottom")
    hold(keys, "wall.right")
    weigh(keys, "block")
    mu = friction(rng)
    touch(keys, rng, "block.bottom", "floor.top", mu)
    touch(keys, rng, "block.right", "wall.left", 0.0)
    static(keys)
    push = {"type": "traction", "on": "block.left", "value": [2e4, 0.0], "function": "up"}
    keys["loads"]["push"] = push
    return Case("boxed", 0, keys)
