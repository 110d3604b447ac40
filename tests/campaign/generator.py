"""Generation of a study from a family and a seed: element, method, slave and master, units.

The laws of mechanics know no units, so a family is written in SI units and others override it.
"""

from __future__ import annotations

import copy
from dataclasses import replace

import capabilities
import families
import numpy as np
import surface_laws
from dimensions import Units, converted
from ingredients import Case, Keys

FAMILIES = (
    "dropped",
    "on_pillars",
    "table_edge",
    "stacked",
    "side_by_side",
    "sliding",
    "pushed",
    "thrown",
    "disc_dropped",
    "discs",
    "squeezed",
    "bridge",
    "overhanging",
    "corner_down",
    "fast",
    "apart",
    "resting",
    "boxed",
)
CAPABILITIES = (
    "tumbling",
    "rubber_squeezed",
    "rubber_dropped",
    "metal_pressed",
    "revolved",
    "sheet",
    "mixture",
    "closing",
    "unpaired_bodies",
)
PROCESSES = (
    "tool_pressed",
    "tool_struck",
    "law_slide",
    "worn",
    "bonded",
    "staged",
    "adaptive",
    "soft",
    "long_steps",
    "shaken",
)
SOURCES = {families: FAMILIES, capabilities: CAPABILITIES, surface_laws: PROCESSES}
METHODS = ("lagrangian", "penalty", "continuous")
ELEMENTS = ("quad4", "quad8", "tri3", "tri6")
UNITS = {  # unit of length, mass and time: how many of it there are in a metre, kilogram, second
    "SI": (1.0, 1.0, 1.0),
    "mm, t, s": (1e3, 1e-3, 1.0),
    "km, kg, h": (1e-3, 1.0, 1 / 3600),
    "µm, ng, µs": (1e6, 1e12, 1e6),
}


def drawn(family: str, seed: int) -> Case:
    """The study of a family with this seed: always the same one."""
    rng = np.random.default_rng([seed, *family.encode()])
    source = next(module for module, names in SOURCES.items() if family in names)
    case: Case = getattr(source, family)(rng)
    keys = case.keys
    few = ELEMENTS[::2] if case.pieces else ELEMENTS
    keys["mesh"]["element"] = str(few[rng.integers(len(few))])
    if keys["time"].get("impact") == "redistributed-mass":  # needs two layers of elements
        for shape in keys["mesh"].get("shapes", {}).values():
            if shape["type"] == "rectangle":
                shape["cells"] = [max(2, n) for n in shape["cells"]]
    method = METHODS[rng.integers(len(METHODS))]
    for pair in keys["contact"].values():
        pair.setdefault("method", method)
    units = "SI" if rng.random() < 0.6 else str(rng.choice(list(UNITS)))
    case = replace(case, seed=seed, units=units)
    case = in_units(case, *UNITS[units])
    keys = case.keys
    if keys["time"]["step"] != "auto":
        keys["time"]["min_step"] = keys["time"]["step"] * 1e-2
    keys["title"] = f"{case.name}: {keys['mesh']['element']}, {method}, {keys['time']['scheme']}"
    keys["watch"] = watched(keys)
    return case


def watched(keys: Keys) -> Keys:
    """Resultants of pairs and supports and the mean motion of bodies, x and y."""
    watch = {}
    for way in "xy":
        for pair in keys["contact"]:
            watch[f"force-{pair}-{way}"] = {"type": "contact-force", "at": pair, "component": way}
        for support in keys["supports"]:
            watch[f"reaction-{support}-{way}"] = {
                "type": "reaction",
                "at": support,
                "component": way,
            }
        for body in keys["bodies"]:
            for kind in ("centroid-displacement", "centroid-velocity"):
                watch[f"{kind}-{body}-{way}"] = {"type": kind, "at": body, "component": way}
    return watch


def in_units(case: Case, length: float, mass: float, time: float) -> Case:
    """The same physics in other units; arguments: new units in a metre, kilogram, second."""
    keys = copy.deepcopy(case.keys)
    deep = keys.get("plane") == "axisymmetric" or any(
        "thickness" in b for b in keys["bodies"].values()
    )
    converted(keys, Units(length, mass, time, deep))
    return replace(case, keys=keys, pieces=tuple(piece.scaled(length) for piece in case.pieces))


def exchanged(case: Case) -> Case:
    """Slaves and masters change roles."""
    keys = copy.deepcopy(case.keys)
    for pair in keys["contact"].values():
        pair["slave"], pair["master"] = pair["master"], pair["slave"]
    return replace(case, keys=keys)


def refined(case: Case) -> Case:
    """Cells half as large, the step the same."""
    keys = copy.deepcopy(case.keys)
    for shape in keys["mesh"].get("shapes", {}).values():
        if shape["type"] == "rectangle":
            shape["cells"] = [2 * n for n in shape["cells"]]
        else:
            shape["cell_size"] /= 2
    return replace(case, keys=keys, pieces=tuple(piece.refined() for piece in case.pieces))


def halved(case: Case) -> Case:
    """Steps half as long; adaptive: a tenth of the tolerance."""
    keys = copy.deepcopy(case.keys)
    for part in (keys, *keys.get("stages", {}).values()):
        time = part.get("time", {})
        if time.get("step") == "auto":
            time["tolerance"] = 1e-4
        elif "step" in time:
            time["step"] /= 2
    return replace(case, keys=keys)
