"""Obstacles of a lumped study: planes and circular holes, with contact stiffness and friction."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, Strict

from fecontact.study.base import Name, Number, Problem, StudyModel, Vector3, in_toml, key, si

ORIGIN = (0.0, 0.0, 0.0)


class Obstacle(StudyModel):
    """What all obstacles have: contact stiffness and damping, friction.

    Normal force F_n = max(0, normal_stiffness · p + normal_damping · ṗ) for a penetration p > 0.
    Friction is a slider behind a spring and a dashpot: it sticks while |T| ≤ static · F_n and
    slips with |T| = friction · F_n.
    """

    on: Name = key("mass or point that meets it")
    normal_stiffness: Number = si("N/m", "stiffness against penetration", gt=0)
    normal_damping: Number = si("N·s/m", "damping of the penetration", 0.0, ge=0)
    friction: Number = si("1", "Coulomb coefficient of slip", 0.0, ge=0, le=10)
    static_friction: Number | None = si(
        "1", "Coulomb coefficient at which stick ends; that of slip if not given", None, ge=0, le=10
    )
    tangential_stiffness: Number | None = si(
        "N/m",
        "stiffness of stick; integrators other than `exact` need it, `exact` sticks ideally",
        None,
        gt=0,
    )
    tangential_damping: Number | Literal["auto"] = si(
        "N·s/m",
        "damping of stick; `auto` is code_aster's critical choice 2√(m(k + K_t)), with mass m and "
        "stiffness k of the system as a tangential force feels them",
        "auto",
    )

    @property
    def rubs(self) -> bool:
        """True if there is any friction."""
        return max(self.friction, self.static_friction or 0.0) > 0.0

    def problems(self) -> Iterator[Problem]:
        if self.static_friction is not None and self.static_friction < self.friction:
            yield (
                ("static_friction",),
                f"is {self.static_friction:g}; it must be ≥ `friction` = {self.friction:g}",
            )
        if self.tangential_damping != "auto" and self.tangential_damping < 0:
            yield (
                ("tangential_damping",),
                f'is {self.tangential_damping:g}; it must be ≥ 0 N·s/m or "auto"',
            )


class _Flat(Obstacle):
    """An obstacle bounded by planes."""

    normal: Vector3 = si("1", "direction towards the obstacle (any length)")
    generator: Vector3 | None = si(
        "1", "direction along the plane; unidirectional friction is free along it", None
    )
    unidirectional: bool = key("friction acts only across the generator", False)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from zero_vector("normal", self.normal)
        if self.generator is None:
            if self.unidirectional:
                yield ("generator",), "is missing; unidirectional friction needs it"
            return
        yield from zero_vector("generator", self.generator)
        along = sum(a * b for a, b in zip(self.normal, self.generator, strict=True))
        if abs(along) > 1e-9 * math.hypot(*self.normal) * math.hypot(*self.generator):
            yield ("generator",), "must lie in the plane, at right angles to `normal`"


class Plane(_Flat):
    """One plane at a distance; a negative gap presses the mass into it from the start."""

    type: Literal["plane"]
    gap: Number = si("m", "distance from the mass (undisplaced) along the normal", 0.0)


class Planes(_Flat):
    """Two parallel planes (code_aster's PLAN): contact where |normal·(x − origin)| > half_gap."""

    type: Literal["planes"]
    origin: Vector3 = si("m", "a point half-way between the planes", ORIGIN)
    half_gap: Number = si("m", "half the distance of the planes", ge=0)


class MovingPlanes(_Flat):
    """Two masses with material around them (code_aster's BI_PLAN): contact between them.

    The mass `against` lies on the side of the normal; they touch when their distance along it
    falls below the sum of both thicknesses.
    """

    type: Literal["moving-planes"]
    against: Name = key("the other mass or point")
    thickness: Annotated[tuple[Number, Number], Strict(False)] = si(
        "m", "material around `on` and around `against`"
    )

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from negative_parts("thickness", self.thickness)


class _Round(Obstacle):
    """A tube in a hole."""

    axis: Vector3 = si("1", "axis of the hole (any length)")

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from zero_vector("axis", self.axis)


class Circle(_Round):
    """A circular hole (code_aster's CERCLE): contact where the distance from its axis > gap."""

    type: Literal["circle"]
    origin: Vector3 = si("m", "a point on the axis", ORIGIN)
    gap: Number = si("m", "radial gap", ge=0)


class MovingCircle(_Round):
    """A tube in the hole of another moving mass: contact where they are off-centre by the gap."""

    type: Literal["moving-circle"]
    against: Name = key("mass or point that carries the hole")
    hole: Number = si("m", "radius of the hole", gt=0)
    tube: Number = si("m", "radius of the tube", ge=0)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.tube > self.hole:
            yield ("tube",), f"is {self.tube:g}; it must fit into `hole` = {self.hole:g} m"


AnyObstacle = Annotated[
    Plane | Planes | MovingPlanes | Circle | MovingCircle, Field(discriminator="type")
]


def zero_vector(name: str, vector: tuple[float, float, float]) -> Iterator[Problem]:
    """The problem of a direction that has no length."""
    if not any(vector):
        yield (name,), f"is {in_toml(vector)}; a direction must not be the zero vector"


def negative_parts(name: str, value: tuple[float, ...]) -> Iterator[Problem]:
    """The problem of numbers of which one is negative."""
    if min(value) < 0:
        yield (name,), f"is {in_toml(value)}; none of its numbers may be negative"
