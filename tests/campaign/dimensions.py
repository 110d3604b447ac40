"""The same study in other units: the dimension of every key that a family uses.

A dimension is a triple of the exponents of length, mass and time.
"""

from __future__ import annotations

from typing import Any

from ingredients import Keys

Dimension = tuple[int, int, int]

LENGTH, SPEED, ACCELERATION = (1, 0, 0), (1, 0, -1), (1, 0, -2)
TIME, FREQUENCY = (0, 0, 1), (0, 0, -1)
PRESSURE, DENSITY, FORCE, MASS = (-1, 1, -2), (-3, 1, 0), (1, 1, -2), (0, 1, 0)
LINE_STIFFNESS = (0, 1, -2)  # N/m

SHAPE = dict.fromkeys(("corner", "size", "center", "radius", "cell_size", "corners"), LENGTH)
MATERIAL = {"density": DENSITY} | dict.fromkeys(
    ("young", "c_10", "c_01", "c_20", "c_30", "bulk", "yield_stress", "hardening"), PRESSURE
)
BODY = {
    "displacement": LENGTH,
    "thickness": LENGTH,
    "velocity": SPEED,
    "angular_velocity": FREQUENCY,
}
SUPPORT = {"x": LENGTH, "y": LENGTH, "normal": LENGTH, "tangential": LENGTH}
LOADS = {"gravity": ACCELERATION, "pressure": PRESSURE, "traction": PRESSURE, "point-force": FORCE}
FUNCTION = {"start": TIME, "end": TIME, "times": TIME, "frequency": FREQUENCY}
TIMES = dict.fromkeys(("step", "end", "max_step", "min_step"), TIME)
CONTACT = {"adhesion": PRESSURE, "wear": (1, -1, 2)}
OF_DEPTH = {  # keys of tools and pairs that are per metre of depth without a thickness
    "mass": MASS,
    "force": FORCE,
    "stiffness": LINE_STIFFNESS,
    "normal_penalty": LINE_STIFFNESS,
    "tangential_penalty": LINE_STIFFNESS,
}
TOOL = {
    **dict.fromkeys(("center", "radius", "point", "points", "x", "y"), LENGTH),
    "velocity": SPEED,
    "speed": SPEED,
    "gravity": ACCELERATION,
}
FRICTION = {
    "decay": (-1, 0, 1),
    "viscous": (-1, 0, 1),
    "speed": SPEED,
    "speeds": SPEED,
    "distance": LENGTH,
    "reference": PRESSURE,
    "cohesion": PRESSURE,
}


class Units:
    """New units in a metre, kilogram and second; deep: forces are not per metre of depth."""

    def __init__(self, length: float, mass: float, time: float, deep: bool) -> None:
        self._units, self._deep = (length, mass, time), deep

    def factor(self, dimension: Dimension) -> float:
        product = 1.0
        for unit, exponent in zip(self._units, dimension, strict=True):
            product *= unit**exponent
        return product

    def of_depth(self) -> dict[str, Dimension]:
        if self._deep:
            return OF_DEPTH
        return {name: (a - 1, b, c) for name, (a, b, c) in OF_DEPTH.items()}

    def convert(self, table: Keys, dimensions: dict[str, Dimension]) -> None:
        """Multiply the numbers of a table in place."""
        for name, dimension in dimensions.items():
            if name in table and not isinstance(table[name], str):
                table[name] = _times(table[name], self.factor(dimension))


def _times(value: Any, factor: float) -> Any:
    if isinstance(value, list):
        return [_times(one, factor) for one in value]
    return factor * value


def converted(keys: Keys, units: Units) -> None:
    """Convert the keys of a study in place."""
    per_depth = units.of_depth()
    tables = (
        (keys["mesh"].get("shapes", {}), SHAPE),
        (keys["materials"], MATERIAL),
        (keys["bodies"], BODY),
        (keys["supports"], SUPPORT),
        (keys["functions"], FUNCTION),
        (keys["contact"], CONTACT | per_depth),
        (keys.get("tools", {}), TOOL | per_depth),
    )
    for table, dimensions in tables:
        for entry in table.values():
            units.convert(entry, dimensions)
    for load in keys["loads"].values():
        units.convert(load, {"value": LOADS[load["type"]]})
    for pair in keys["contact"].values():
        if isinstance(pair["friction"], dict):
            units.convert(pair["friction"], FRICTION)
    for part in (keys, *keys.get("stages", {}).values()):
        units.convert(part.get("time", {}), TIMES)
