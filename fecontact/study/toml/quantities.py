"""Quantities with units in a study: "20 mm", "210 GPa" become plain SI numbers
before validation.

Every key with a number has a unit in the schema. A text at such a key is a quantity. It is
converted if it has the dimension of the key's unit, and otherwise left as it is, so that validation
reports it with the reason from :func:`why_not`. Conversion is exact: "3 mm" is the float nearest to
0.003. `mesh.unit` and `mesh.scale` apply to the plain lengths of the table [mesh].

A study without any quantity is scanned once, without further cost.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fecontact.study.base import PER_DEPTH, closest, in_toml
from fecontact.study.common import Axis, Check
from fecontact.study.models.profiles import UNITS as UNITS_OF_PLACES
from fecontact.study.output_names import UNITS_OF_A_DEPTH, UNITS_OF_WATCHES
from fecontact.study.shapes import LengthUnit
from fecontact.study.toml.lines import key_parts
from fecontact.study.toml.units import Unit, UnknownUnit, meaning_of, names, parse_unit
from fecontact.study.type_descriptions import chosen, unit_of

if TYPE_CHECKING:
    from fractions import Fraction

    from pydantic.fields import FieldInfo

Data = dict[str, Any]

LONGEST = 60  # characters of a quantity
_QUANTITY = re.compile(
    r"\s*([+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,2})?)\s*([^\d\s.+-].*|1/.*)"
)
_SCALED = ("unit", "scale")


def in_si(data: Data, model: Any) -> Data:
    """Return the tables of a study with its quantities as SI numbers; model: of the study.

    Quantities that cannot be converted stay as they are.
    """
    mesh = data.get("mesh")
    scaled = isinstance(mesh, dict) and any(name in mesh for name in _SCALED)
    if not scaled and not _has_quantity(data):
        return data
    return _Conversion(data, model).study()


def why_not(text: str, unit: str) -> str:
    """Return the reason why a text is not a quantity of a unit; "" if it is not meant as one."""
    found = _QUANTITY.fullmatch(text) if len(text) <= LONGEST else None
    if found is None:
        plain = re.fullmatch(r"\s*[-+]?\d*[.,]?\d+\s*", text)
        return "; write the number without quotes" if plain else ""
    try:
        given = parse_unit(found[2])
    except UnknownUnit as error:
        if found[2].startswith(","):
            return "; write a decimal number with a point"
        return f": unknown unit {in_toml(str(error))}{closest(str(error), names())}"
    if unit.startswith("of the"):
        return ": the unit does not fit the quantity. Write the number in SI units"
    if unit in ("", "1"):
        return ": this key has no unit"
    wanted = UNITS_OF_PLACES["arc"] if unit == "m or °" else unit
    measured, expected = meaning_of(given), meaning_of(parse_unit(wanted))
    if measured == expected:  # the number is too large, or not allowed for another reason
        return ""
    return f": {in_toml(found[2].strip())} is a unit of {measured}, not of {expected}"


def _has_quantity(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= LONGEST and _QUANTITY.fullmatch(value) is not None
    if isinstance(value, dict):
        return any(map(_has_quantity, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_quantity, value))


class _Conversion:
    """Conversion of one study. `per_depth`: forces are per metre of depth."""

    def __init__(self, data: Data, model: Any) -> None:
        self.data, self.model = data, model
        bodies = data.get("bodies")
        entries = bodies.values() if isinstance(bodies, dict) else ()
        thick = any(isinstance(body, dict) and "thickness" in body for body in entries)
        self.per_depth = not thick and data.get("plane") != "axisymmetric"
        self.scale: Fraction | None = None  # of the table being converted: [mesh] alone has one
        self.scale_of_mesh: Fraction | None = None

    def study(self) -> Data:
        """Return the whole study in SI units."""
        changed = dict(self.data)
        fields = self.model.model_fields
        if isinstance(self.data.get("mesh"), dict) and "mesh" in fields:
            changed["mesh"] = self._mesh(self.data["mesh"], fields["mesh"].annotation)
        for name, value in self.data.items():
            if name == "stages" and isinstance(value, dict):
                changed[name] = {n: self._table(s, self.data, self.model) for n, s in value.items()}
            elif name == "sweep" and isinstance(value, dict):
                changed[name] = self._sweep(value, fields[name].annotation)
            elif name != "mesh" and name in fields:
                changed[name] = self._value(value, value, fields[name].annotation, "")
        return changed

    def _mesh(self, mesh: Data, annotation: Any) -> Data:
        """Return [mesh] with its unit applied to its lengths, and as `scale` to a mesh file.

        The result has the unit m, so that a second conversion changes nothing.
        """
        from fractions import Fraction

        unit, scale = mesh.get("unit"), mesh.get("scale")
        factor: Fraction | None = None
        valid = isinstance(scale, int | float) and 0 < scale <= 1e12
        if unit in typing.get_args(LengthUnit) and (scale is None or valid):
            factor = parse_unit(unit).factor
        elif unit is None and valid and scale != 1.0:
            factor = Fraction(str(scale))
        self.scale = self.scale_of_mesh = factor
        converted: Data = self._table(mesh, mesh, annotation)
        self.scale = None
        if factor is None:
            return converted
        converted = {name: value for name, value in converted.items() if name not in _SCALED}
        done: Data = {"unit": "m"}
        if mesh.get("file") is not None:
            done["scale"] = float(factor) if scale is None else scale
        elif unit is not None and scale is not None:
            done["scale"] = scale
        return converted | done

    def _sweep(self, sweep: Data, annotation: Any) -> Any:
        """Return the sweep, its axes in the units of the keys that they change."""
        axes = sweep.get("axes")
        if isinstance(axes, dict):
            sweep = sweep | {"axes": {name: self._axis(name, axis) for name, axis in axes.items()}}
        return self._value(sweep, sweep, annotation, "")

    def _axis(self, name: str, axis: Any) -> Any:
        parts = key_parts(name)
        info, annotation, table = None, self.model, self.data
        for part in parts:
            if typing.get_origin(annotation) is dict:
                annotation = typing.get_args(annotation)[1]
            elif (model := chosen(annotation, table)) and part in model.model_fields:
                info = model.model_fields[part]
                annotation = info.annotation
            table = table.get(part, {}) if isinstance(table, dict) else {}
        if not isinstance(axis, dict) or info is None:
            return axis
        unit = unit_of(info)
        scale = self.scale_of_mesh if parts[0] == "mesh" and unit == "m" else None
        change = {
            key: self._numbers(value, unit, "", scale)
            for key, value in axis.items()
            if key in Axis.model_fields and key in ("values", "start", "stop")
        }
        return axis | change

    def _table(self, value: Any, below: Data, annotation: Any) -> Any:
        """Return a table of fields; below: the table it overrides, which may contain
        the choices.
        """
        if not isinstance(value, dict):
            return value
        model = chosen(annotation, {**below, **value})
        if model is None:
            return value
        fields = {info.alias or name: info for name, info in model.model_fields.items()}
        changed = dict(value)
        for name, inner in value.items():
            info = fields.get(name)
            if info is None:
                continue
            unit = self._unit(info, name, value, model)
            about = info.description or ""
            scale = self.scale if unit == "m" else None
            lower = below.get(name)
            context = lower if isinstance(lower, dict) else {}
            changed[name] = self._value(inner, context, info.annotation, unit, about, scale)
        return changed

    def _unit(self, info: FieldInfo, name: str, table: Data, model: Any) -> str:
        """Return the unit of a field, which may depend on other keys of its table."""
        unit = unit_of(info)
        if unit == "m or °":
            return UNITS_OF_PLACES.get(str(table.get("coordinate")), unit)
        if model is Check and unit.startswith("of the"):
            if name == "tolerance" and table.get("relative") is True:
                return "1"
            return self._unit_of_quantity(table) or unit
        return unit

    def _unit_of_quantity(self, check: Data) -> str:
        """Return the unit of the number in a check; "" if it is only known after a run."""
        if check.get("measure") == "extremum-time":
            return "s"
        watches, quantity = self.data.get("watch"), check.get("quantity")
        watch = None
        if isinstance(watches, dict) and isinstance(quantity, str):
            watch = watches.get(quantity)
        kind = watch.get("type") if isinstance(watch, dict) else None
        unit = (UNITS_OF_WATCHES | UNITS_OF_A_DEPTH).get(str(kind), "")
        return f"{unit}/s" if unit and check.get("measure") == "rate" else unit

    def _value(
        self,
        value: Any,
        below: Any,
        annotation: Any,
        unit: str,
        about: str = "",
        scale: Fraction | None = None,
    ) -> Any:
        """Return a value of any kind: tables by their models, numbers and lists of them
        by the unit.
        """
        if isinstance(value, dict):
            below = below if isinstance(below, Mapping) else {}
            if typing.get_origin(annotation) is not dict:
                return self._table(value, dict(below), annotation)
            inner = typing.get_args(annotation)[1]
            return {
                name: self._value(entry, below.get(name, {}), inner, unit, about, scale)
                for name, entry in value.items()
            }
        if unit and not unit.startswith("of the"):
            return self._numbers(value, unit, about, scale)
        return value

    def _numbers(self, value: Any, unit: str, about: str, scale: Fraction | None) -> Any:
        """Return numbers of a unit: quantities are converted, plain numbers scaled."""
        if isinstance(value, list | tuple):
            return [self._numbers(entry, unit, about, scale) for entry in value]
        if isinstance(value, str):
            return self._converted(value, unit, about)
        if scale is not None and isinstance(value, int | float) and not isinstance(value, bool):
            from fractions import Fraction

            try:
                return float(Fraction(str(value)) * scale)
            except (ValueError, OverflowError):  # nan and inf are reported by validation
                return value
        return value

    def _converted(self, text: str, unit: str, about: str) -> Any:
        found = _QUANTITY.fullmatch(text) if len(text) <= LONGEST else None
        if found is None:
            return text
        from fractions import Fraction

        try:
            given, wanted = parse_unit(found[2]), parse_unit(unit)
        except UnknownUnit:
            return text
        if not self._fits(given, wanted, about):
            return text
        return float(Fraction(found[1]) * given.factor / wanted.factor)

    def _fits(self, given: Unit, wanted: Unit, about: str) -> bool:
        """Return True if a unit has the dimension of the key's unit. N·m is accepted for N·m/rad
        and, for bodies without depth, a force per metre for a force.
        """
        if given.dimension == wanted.dimension:
            return True
        mass, length, time, angle = wanted.dimension
        if angle < 0 and given.dimension == (mass, length, time, 0):
            return True
        per_depth = self.per_depth and PER_DEPTH in about
        return per_depth and given.dimension == (mass, length - 1, time, angle)
