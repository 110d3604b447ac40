"""Families with bodies of other kinds: corotational, finite strain, elastoplastic, axisymmetric,
plane stress, and mixtures of them."""

from __future__ import annotations

from ingredients import (
    DENSITY,
    Case,
    Keys,
    Random,
    assembled,
    block,
    cells,
    disc,
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

PLANES = ("strain", "stress", "axisymmetric")


def rubber(rng: Random, young: float) -> Keys:
    """A hyperelastic material with about the given stiffness."""
    shear = young / 2.6
    law = str(rng.choice(["neo-hookean", "st-venant-kirchhoff", "hencky", "mooney-rivlin", "yeoh"]))
    if law == "mooney-rivlin":
        constants = {"c_10": 0.4 * shear, "c_01": 0.1 * shear, "bulk": 20 * shear}
    elif law == "yeoh":
        constants = {"c_10": 0.5 * shear, "c_20": -0.01 * shear, "c_30": 0.01 * shear}
        constants |= {"bulk": 20 * shear}
    else:
        constants = {"young": young, "poisson": float(rng.uniform(0.0, 0.4))}
    return {"law": law, "density": DENSITY} | constants


def metal(rng: Random, young: float) -> Keys:
    """An elastoplastic material that yields at a strain of 0.1 to 1 %."""
    return {
        "law": "elastoplastic",
        "young": young,
        "poisson": 0.3,
        "density": DENSITY,
        "yield_stress": young * float(10 ** rng.uniform(-3.0, -2.0)),
        "hardening": young * float(rng.uniform(0.01, 0.2)),
    }


def made_of(keys: Keys, body: str, material: Keys) -> None:
    keys["materials"][f"of-{body}"] = material
    keys["bodies"][body]["material"] = f"of-{body}"


def kinds(rng: Random, keys: Keys, body: str, young: float) -> str:
    """Make a body linear, corotational, of rubber or of metal; return its kind."""
    kind = str(rng.choice(["linear", "corotational", "rubber", "metal"]))
    if kind == "corotational":
        keys["bodies"][body]["motion"] = "corotational"
    elif kind == "rubber":
        made_of(keys, body, rubber(rng, young))
    elif kind == "metal":
        made_of(keys, body, metal(rng, young))
    return kind


COROTATIONAL = (
    {"scheme": "energy-momentum"},
    {"scheme": "generalized-alpha"},
    {"scheme": "hht", "alpha": -0.1},
    {"scheme": "implicit-euler"},
)


def tumbling(rng: Random) -> Case:
    """A block that spins falls on a table: corotational or of rubber."""
    young, mesh = young_modulus(rng), cells(rng, 4)
    step, v = wave_step(young, 0.6 / max(mesh)), float(rng.uniform(0.2, 2.0))
    gap = 0.15 + v * step * float(rng.uniform(1.0, 8.0))
    shapes = {
        "table": block(-1.0, -0.4, 2.5, 0.4, cells(rng, 6)),
        "block": block(0.0, gap, 0.6, 0.4, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "table" if rng.random() < 0.5 else "table.bottom")
    weigh(keys, "block")
    throw(keys, "block", (0.0, -v))
    if rng.random() < 0.6:
        keys["bodies"]["block"]["motion"] = "corotational"
    else:
        made_of(keys, "block", rubber(rng, young))
    keys["bodies"]["block"]["angular_velocity"] = float(rng.uniform(-4.0, 4.0))
    touch(keys, rng, "block.bottom", "table.top", friction(rng))
    run_for(keys, rng, step, 40)
    scheme = COROTATIONAL[rng.integers(len(COROTATIONAL))]
    keys["time"] = dict(scheme) | {k: keys["time"][k] for k in ("step", "end")}
    return Case("tumbling", 0, keys)


def rubber_squeezed(rng: Random) -> Case:
    """Blocks of rubber are pressed together by a support, by up to a quarter of their height."""
    young = young_modulus(rng)
    width = float(rng.uniform(0.4, 1.2))
    plane = PLANES[rng.integers(3)]
    x = 0.0 if plane == "axisymmetric" else float(rng.uniform(-0.2, 0.6))
    shapes = {
        "low": block(0.0, -0.5, 1.0, 0.5, cells(rng, 6)),
        "high": block(x, 0.0, width, 0.5, cells(rng, 6)),
    }
    keys = assembled(shapes, young, plane=plane)
    made_of(keys, "high", rubber(rng, young))
    if rng.random() < 0.5:
        made_of(keys, "low", rubber(rng, young))
    hold(keys, "low.bottom")
    static(keys, int(rng.integers(2, 8)))
    way = -float(rng.uniform(0.01, 0.25))
    keys["supports"]["press"] = {"on": "high.top", "x": 0.0, "y": way, "function": "up"}
    if plane == "axisymmetric":
        hold(keys, "low.left", y=None)
        hold(keys, "high.left", y=None)
    touch(keys, rng, "high.bottom", "low.top", friction(rng))
    return Case("rubber_squeezed", 0, keys)


def rubber_dropped(rng: Random) -> Case:
    """A block or disc of rubber falls on a table."""
    young, mesh = young_modulus(rng), cells(rng, 5)
    step, v = wave_step(young, 0.8 / max(mesh)), float(rng.uniform(0.5, 8.0))
    gap = v * step * float(rng.uniform(1.0, 6.0))
    round_one = rng.random() < 0.4
    shapes = {
        "table": block(-1.0, -0.4, 3.0, 0.4, cells(rng, 6)),
        "ball": disc(0.5, 0.4 + gap, 0.4, 0.2) if round_one else block(0.1, gap, 0.8, 0.8, mesh),
    }
    keys = assembled(shapes, young)
    hold(keys, "table" if rng.random() < 0.5 else "table.bottom")
    weigh(keys, "ball")
    throw(keys, "ball", (float(rng.uniform(-1.0, 1.0)), -v))
    made_of(keys, "ball", rubber(rng, young))
    touch(keys, rng, "ball.arc" if round_one else "ball.bottom", "table.top", friction(rng))
    run_for(keys, rng, step, 40)
    return Case("rubber_dropped", 0, keys)


def metal_pressed(rng: Random) -> Case:
    """A block of metal is pressed by another body beyond yield, and released in half of them."""
    young = young_modulus(rng)
    width = float(rng.uniform(0.3, 0.8))
    plane = PLANES[rng.integers(3)]
    x = 0.0 if plane == "axisymmetric" else float(rng.uniform(0.0, 0.3))
    shapes = {
        "low": block(0.0, -0.5, 1.0, 0.5, cells(rng, 6)),
        "high": block(x, 0.0, width, 0.4, cells(rng, 4)),
    }
    keys = assembled(shapes, young, plane=plane)
    made_of(keys, "low", metal(rng, young))
    hold(keys, "low.bottom")
    static(keys, int(rng.integers(2, 10)))
    if rng.random() < 0.5:
        keys["functions"]["up"] = {"type": "table", "times": [0, 0.5, 1], "values": [0, 1, 0.2]}
        keys["time"]["step"] = 0.5 / int(rng.integers(2, 6))
    way = -float(10 ** rng.uniform(-3.0, -1.7))
    keys["supports"]["press"] = {"on": "high.top", "x": 0.0, "y": way, "function": "up"}
    if plane == "axisymmetric":
        hold(keys, "low.left", y=None)
        hold(keys, "high.left", y=None)
    touch(keys, rng, "high.bottom", "low.top", friction(rng))
    return Case("metal_pressed", 0, keys)


def revolved(rng: Random) -> Case:
    """Axisymmetric: a cylinder or ring falls on a plate or rests on it under its weight."""
    young, mesh = young_modulus(rng), cells(rng, 5)
    step, v = wave_step(young, 0.5 / max(mesh)), float(rng.uniform(0.2, 1.5))
    inner = 0.0 if rng.random() < 0.6 else float(rng.uniform(0.05, 0.4))
    falls = rng.random() < 0.6
    gap = v * step * float(rng.uniform(1.0, 6.0)) if falls else 0.0
    shapes = {
        "plate": block(0.0, -0.4, 1.0, 0.4, cells(rng, 6)),
        "block": block(inner, gap, float(rng.uniform(0.2, 0.5)), 0.5, mesh),
    }
    keys = assembled(shapes, young, plane="axisymmetric")
    hold(keys, "plate.bottom")
    hold(keys, "plate.left", y=None)
    if not inner:
        hold(keys, "block.left", y=None)
    weigh(keys, "block")
    touch(keys, rng, "block.bottom", "plate.top", friction(rng))
    if falls:
        throw(keys, "block", (0.0, -v))
        run_for(keys, rng, step, 40)
    else:
        static(keys)
    return Case("revolved", 0, keys)


def sheet(rng: Random) -> Case:
    """Plane stress with thicknesses: a sheet falls on another, or is pressed on it."""
    young, mesh = young_modulus(rng), cells(rng, 5)
    step, v = wave_step(young, 0.6 / max(mesh)), float(rng.uniform(0.2, 1.5))
    thick = float(10 ** rng.uniform(-3.0, 0.0))
    falls = rng.random() < 0.5
    gap = v * step * float(rng.uniform(1.0, 6.0)) if falls else 0.0
    shapes = {
        "low": block(-0.5, -0.4, 2.0, 0.4, cells(rng, 6)),
        "high": block(0.0, gap, 0.7, 0.5, mesh),
    }
    keys = assembled(shapes, young, plane="stress")
    for body in shapes:
        keys["bodies"][body]["thickness"] = thick
    hold(keys, "low" if rng.random() < 0.5 else "low.bottom")
    weigh(keys, "high")
    touch(keys, rng, "high.bottom", "low.top", friction(rng))
    if falls:
        throw(keys, "high", (0.0, -v))
        run_for(keys, rng, step, 40)
    else:
        static(keys)
        press = {"type": "traction", "on": "high.top", "value": [0.0, -young / 500]}
        keys["loads"]["press"] = press | {"function": "up"}
    return Case("sheet", 0, keys)


def mixture(rng: Random) -> Case:
    """Two free bodies of any kinds collide, or one falls on another that is fixed below."""
    young, mesh = young_modulus(rng), cells(rng, 4)
    step, v = wave_step(young, 0.6 / max(mesh)), float(rng.uniform(0.3, 2.0))
    gap = v * step * float(rng.uniform(1.0, 8.0))
    shapes = {
        "low": block(0.0, -0.5, 1.0, 0.5, cells(rng, 4)),
        "high": block(float(rng.uniform(-0.2, 0.5)), gap, 0.6, 0.5, mesh),
    }
    keys = assembled(shapes, young)
    for body in shapes:
        kinds(rng, keys, body, young)
    if rng.random() < 0.5:
        hold(keys, "low.bottom")
    throw(keys, "high", (float(rng.uniform(-0.5, 0.5)), -v))
    touch(keys, rng, "high.bottom", "low.top", friction(rng))
    run_for(keys, rng, step, 40)
    return Case("mixture", 0, keys)


def closing(rng: Random) -> Case:
    """The arms of a C are pressed together, until they touch or pass through each other."""
    young = young_modulus(rng)
    slit, arm = float(rng.uniform(0.05, 0.4)), float(rng.uniform(0.15, 0.3))
    height = slit + 2 * arm
    outline = [
        [0.0, 0.0], [1.0, 0.0], [1.0, arm], [arm, arm],
        [arm, arm + slit], [1.0, arm + slit], [1.0, height], [0.0, height],
    ]  # fmt: skip
    names = ["bottom", "low-end", "inner", "inner-left", "inner-top", "high-end", "top", "left"]
    size = float(rng.uniform(0.08, 0.15))
    shape = {"type": "polygon", "corners": outline, "names": names, "cell_size": size}
    keys = assembled({"c": shape}, young)
    if rng.random() < 0.7:
        made_of(
            keys, "c", {"law": "neo-hookean", "young": young, "poisson": 0.3} | {"density": 1e3}
        )
    hold(keys, "c.bottom")
    static(keys, int(rng.integers(4, 10)))
    way = -float(rng.uniform(0.3, 1.6)) * slit
    keys["supports"]["press"] = {"on": "c.high-end", "x": 0.0, "y": way, "function": "up"}
    return Case("closing", 0, keys)


def unpaired_bodies(rng: Random) -> Case:
    """Bodies in no pair: one flies past, into or through the other."""
    young = young_modulus(rng)
    shapes = {
        "one": block(0.0, 0.0, float(rng.uniform(0.05, 0.5)), 1.0, cells(rng, 4)),
        "two": block(-1.0, float(rng.uniform(-0.6, 1.2)), 0.3, 0.3, cells(rng, 3)),
        "floor": block(-0.5, -0.6, 2.0, 0.5, cells(rng, 3)),
    }
    keys = assembled(shapes, young)
    hold(keys, "floor")
    speed = float(10 ** rng.uniform(0.0, 2.0))
    throw(keys, "two", (speed, 0.0))
    hold(keys, "one")
    touch(keys, rng, "one.bottom", "floor.top", 0.0)
    run_for(keys, rng, 2.0 / speed / 30, 30)
    kind = str(rng.choice(["linear", "corotational"]))
    keys["bodies"]["two"]["motion"] = kind
    return Case("unpaired_bodies", 0, keys)
