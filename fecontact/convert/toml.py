"""Tables of a study as TOML text, with the units of their numbers as comments."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_UNITS = {
    "young": "Pa",
    "yield_stress": "Pa",
    "hardening": "Pa",
    "c_10": "Pa",
    "c_01": "Pa",
    "bulk": "Pa",
    "adhesion": "Pa",
    "offset": "m",
    "overlap_ramp_time": "s",
    "stiffness": "N/m",
    "damping": "N·s/m",
    "mass": "kg",
    "force": "N",
    "moment": "N·m",
    "angle": "°",
    "radius": "m",
    "points": "m",
    "center": "m",
    "reference_point": "m",
    "density": "kg/m³",
    "thickness": "m",
    "gap_closure_tolerance": "m",
    "velocity": "m/s",
    "times": "s",
    "step": "s",
    "end": "s",
    "x": "m",
    "y": "m",
}
_LOADS = {
    "pressure": "Pa",
    "traction": "Pa",
    "point-force": "N",
    "gravity": "m/s²",
    "body-force": "N/m³",
}
_DIGITS = 12  # significant digits; the digits beyond are rounding of the unit conversion


def table(path: tuple[str, ...], keys: Mapping[str, Any], comment: str = "") -> str:
    """Return a table with its keys, and a comment next to its name."""
    head = ".".join(map(_key, path))
    beside = f"    # {comment}" if comment else ""
    return "\n".join([f"[{head}]{beside}", entries(keys)])


def entries(keys: Mapping[str, Any]) -> str:
    """Return lines key = value, numbers with their unit."""
    units = _UNITS | {"value": _LOADS.get(str(keys.get("type")), "")}
    lines = [f"{_key(name)} = {_value(value)}" for name, value in keys.items()]
    known = [units.get(name, "") for name in keys]
    commented = [
        f"{line}    # {unit}" if unit else line for line, unit in zip(lines, known, strict=True)
    ]
    return "\n".join([*commented, ""])


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, float):
        return repr(float(f"{value:.{_DIGITS}g}") + 0.0)  # adding 0.0 turns −0 into 0
    return json.dumps(value, ensure_ascii=False)
