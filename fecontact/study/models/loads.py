"""Loads of a finite-element study: value · function(t) on an edge, a body or a point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, Strict

from fecontact.study.base import (
    PER_DEPTH,
    Name,
    Number,
    Problem,
    StudyModel,
    Vector2,
    in_toml,
    key,
    si,
    switch,
)
from fecontact.study.models.profiles import Profile

ALONG = "spatial function that multiplies the value; default: constant 1"


class Pressure(StudyModel):
    """Pressure on an edge, positive towards the body."""

    type: Literal["pressure"] = key("pressure on an edge")
    on: Name = key("edge group")
    active: bool = switch()
    value: Number = si("Pa", "pressure; positive: compresses the body")
    function: Name | None = key("function of time; default: constant 1", None)
    profile: Profile | None = key(ALONG, None)


class Traction(StudyModel):
    """Force per area on an edge, in fixed directions or in those of the edge."""

    type: Literal["traction"] = key("traction on an edge")
    on: Name = key("edge group")
    active: bool = switch()
    value: Vector2 = si("Pa", "traction [x, y] or [normal, tangential]")
    directions: Literal["xy", "normal-tangential"] = key(
        "directions of `value`; `normal-tangential`: out of the body and along the "
        "edge, with the body on the left",
        "xy",
    )
    function: Name | None = key("function of time; default: constant 1", None)
    profile: Profile | None = key(ALONG, None)


class BodyForce(StudyModel):
    """Force per volume on a body."""

    type: Literal["body-force"] = key("force per volume")
    on: Name = key("body")
    active: bool = switch()
    value: Vector2 = si("N/m³", "force per volume [x, y]")
    function: Name | None = key("function of time; default: constant 1", None)


class Gravity(StudyModel):
    """Weight ρ·g of a body."""

    type: Literal["gravity"] = key("weight of a body")
    on: Name = key("body")
    active: bool = switch()
    value: Vector2 = si("m/s²", "acceleration of gravity [x, y]")
    function: Name | None = key("function of time; default: constant 1", None)


class PointForce(StudyModel):
    """Force at a point."""

    type: Literal["point-force"] = key("force at a point")
    on: Name = key("point")
    active: bool = switch()
    value: Vector2 = si("N", f"force [x, y]{PER_DEPTH}")
    function: Name | None = key("function of time; default: constant 1", None)


class Pretension(StudyModel):
    """A pretension section across a body, with given section force or shortening."""

    type: Literal["pretension"] = key("bolt preload at a section of a body")
    on: Name = key("body with the section: the bolt")
    active: bool = switch()
    point: Vector2 = si("m", "a point [x, y] of the straight section")
    normal: Vector2 = si("1", "direction [x, y] of the bolt, normal to the section")
    force: Number | None = si("N", f"force of the section, tension positive{PER_DEPTH}", None)
    shortening: Number | None = si(
        "m", "shortening of the bolt at the section, instead of `force`", None
    )
    locked: bool = key("true: the section keeps its shortening from the start of the stage", False)
    function: Name | None = key("function of time; default: constant 1", None)

    @property
    def value(self) -> float:
        """Return the force, N, or the shortening, m."""
        return float(self.force if self.force is not None else self.shortening or 0.0)

    def problems(self) -> Iterator[Problem]:
        if (self.force is None) == (self.shortening is None):
            yield (), "must have either a `force`, in N, or a `shortening`, in m"
        if not any(self.normal):
            yield ("normal",), f"is {in_toml(self.normal)}; it must not be the zero vector"


class PressurePenetration(StudyModel):
    """Fluid pressure that penetrates between the surfaces of a contact pair where they open."""

    type: Literal["pressure-penetration"] = key("fluid pressure in a contact pair")
    on: Name = key("contact pair")
    active: bool = switch()
    value: Number = si("Pa", "pressure of the fluid", ge=0)
    exposed: Annotated[tuple[Name, ...], Strict(False), Field(min_length=1)] = key(
        "points of the slave edge that the fluid reaches from outside, usually one of its ends"
    )
    critical_pressure: Number = si(
        "Pa",
        "contact pressure below which the fluid enters; 0: only where contact is open",
        0.0,
        ge=0,
    )
    function: Name | None = key("function of time; default: constant 1", None)


Load = Annotated[
    Pressure | Traction | BodyForce | Gravity | PointForce | Pretension | PressurePenetration,
    Field(discriminator="type"),
]

PLACE_OF_LOAD = {
    "pressure": "edge",
    "traction": "edge",
    "body-force": "body",
    "gravity": "body",
    "point-force": "point",
    "pretension": "body",
    "pressure-penetration": "contact pair",
}
"""Target of a load by its type."""
