"""Units of quantities in a study: a table of units, and products and powers of them."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

Dimension = tuple[int, int, int, int]
"""Powers of kg, m, s and rad."""

_MASS, _LENGTH, _TIME, _ANGLE = (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)
_FORCE, _STRESS, _ENERGY, _POWER = (1, 1, -2, 0), (1, -1, -2, 0), (1, 2, -2, 0), (1, 2, -3, 0)

_PREFIXES = {
    "n": "1e-9", "µ": "1e-6", "μ": "1e-6", "u": "1e-6", "m": "1e-3", "c": "1e-2", "d": "1e-1",
    "k": "1e3", "M": "1e6", "G": "1e9",
}  # fmt: skip
_PI = str(math.pi)
_POUND_FORCE = "4.4482216152605"

# name: (size in SI units, dimension, prefixes)
_UNITS: dict[str, tuple[str, Dimension, str]] = {
    "m": ("1", _LENGTH, "nµμumcdk"),
    "in": ("0.0254", _LENGTH, ""),
    "inch": ("0.0254", _LENGTH, ""),
    "ft": ("0.3048", _LENGTH, ""),
    "mil": ("0.0000254", _LENGTH, ""),
    "s": ("1", _TIME, "nµμum"),
    "min": ("60", _TIME, ""),
    "h": ("3600", _TIME, ""),
    "g": ("0.001", _MASS, "µμumk"),
    "t": ("1000", _MASS, ""),
    "lb": ("0.45359237", _MASS, ""),
    "N": ("1", _FORCE, "µμumkMG"),
    "kgf": ("9.80665", _FORCE, ""),
    "lbf": (_POUND_FORCE, _FORCE, ""),
    "Pa": ("1", _STRESS, "kMG"),
    "bar": ("1e5", _STRESS, "m"),
    "psi": ("6894.757293168361", _STRESS, "k"),
    "ksi": ("6894757.293168361", _STRESS, ""),
    "J": ("1", _ENERGY, "µμumkM"),
    "W": ("1", _POWER, "mkM"),
    "Hz": ("1", (0, 0, -1, 0), "kM"),
    "rad": ("1", _ANGLE, "m"),
    "°": (_PI, _ANGLE, ""),  # divided by 180 below
    "deg": (_PI, _ANGLE, ""),
    "rpm": (_PI, (0, 0, -1, 1), ""),  # divided by 30 below
    "%": ("0.01", (0, 0, 0, 0), ""),
    "1": ("1", (0, 0, 0, 0), ""),
}
_DIVISORS = {"°": 180, "deg": 180, "rpm": 30}

_MEANINGS = {
    "length": "m", "time": "s", "mass": "kg", "force": "N", "pressure or stress": "Pa",
    "energy or moment": "J", "power": "W", "frequency": "Hz", "angle": "rad",
    "angular velocity": "rad/s", "velocity": "m/s", "acceleration": "m/s²", "density": "kg/m³",
    "stiffness or force per length": "N/m", "force per volume": "N/m³", "area": "m²",
    "damping": "N·s/m", "a pure number": "1", "moment of inertia": "kg·m²", "1/stress": "1/Pa",
    "rotational stiffness": "N·m/rad", "rotational damping": "N·m·s/rad",
}  # fmt: skip

_POWERS = {"¹": "1", "²": "2", "³": "3", "⁴": "4", "⁻": "-"}
_FACTOR = re.compile(r"([A-Za-zµμ°%]+|1(?![\d.]))(?:(?:\^|\*\*)?(-?[1-9])|([¹²³⁴⁻]{1,2}))?")


class UnknownUnit(ValueError):
    """A unit, or a part of one, that is not in the table; its text is the part."""


class Unit(NamedTuple):
    """Size in SI units, and dimension."""

    factor: Fraction
    dimension: Dimension


def names() -> list[str]:
    """Return all units with their prefixes."""
    return [p + name for name, (_, _, prefixes) in _UNITS.items() for p in ("", *prefixes)]


@lru_cache(maxsize=256)
def parse_unit(text: str) -> Unit:
    """Return the unit that a text stands for: kN/m, N/mm², kg*m^2, N s/m; raise UnknownUnit."""
    from fractions import Fraction

    factor, dimension = Fraction(1), (0, 0, 0, 0)
    rest, sign = text.strip(), 1
    while rest:
        found = _FACTOR.match(rest)
        if found is None:
            raise UnknownUnit(rest)
        power = sign * int(found[2] or "".join(_POWERS[c] for c in found[3] or "") or 1)
        size, of = _size(found[1])
        factor *= size**power
        dimension = tuple(d + power * o for d, o in zip(dimension, of, strict=True))  # type: ignore[assignment]
        rest = rest[found.end() :].lstrip()
        sign = -1 if rest.startswith("/") else 1
        after = rest.lstrip("/*·. ") if rest[:1] in ("/", "*", "·", ".") else rest
        if rest and not after:
            raise UnknownUnit(text.strip())
        rest = after
    return Unit(factor, dimension)


def meaning_of(unit: Unit) -> str:
    """Return the name of the quantity that a unit measures."""
    found = (name for name, si in _MEANINGS.items() if parse_unit(si).dimension == unit.dimension)
    return next(found, _in_base_units(unit.dimension))


def _in_base_units(dimension: Dimension) -> str:
    pairs = zip(("kg", "m", "s", "rad"), dimension, strict=True)
    return "·".join(name if p == 1 else f"{name}^{p}" for name, p in pairs if p)


def _size(name: str) -> tuple[Fraction, Dimension]:
    """Return size and dimension of one unit with its prefix."""
    from fractions import Fraction

    prefix = ""
    if name not in _UNITS:
        prefix, name = name[0], name[1:]
        if name not in _UNITS or prefix not in _UNITS[name][2]:
            raise UnknownUnit(prefix + name)
    size, dimension, _ = _UNITS[name]
    factor = Fraction(size) * Fraction(_PREFIXES.get(prefix, "1")) / _DIVISORS.get(name, 1)
    return factor, dimension
