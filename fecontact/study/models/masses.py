"""Parts of a lumped system: masses, coordinates, springs, constraints, forces, base motion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Strict

from fecontact.lumped.spring_laws import AnySpringLaw
from fecontact.study.base import (
    ORIGIN,
    Name,
    Number,
    Problem,
    StudyModel,
    Vector3,
    in_toml,
    key,
    negative_parts,
    si,
    zero_vector,
)

Direction = Literal["x", "y", "z"]


class Mass(StudyModel):
    """A point mass that moves in the given directions."""

    mass: Number = si("kg", "mass; 0: a joint that its springs keep in equilibrium", ge=0)
    directions: Annotated[tuple[Direction, ...], Strict(False)] = key(
        "free directions; []: a fixed mass", ("x", "y", "z")
    )
    position: Vector3 = si("m", "position at zero displacement", ORIGIN)
    displacement: Vector3 = si("m", "initial displacement", ORIGIN)
    velocity: Vector3 = si("m/s", "initial velocity", ORIGIN)

    def problems(self) -> Iterator[Problem]:
        if len(set(self.directions)) != len(self.directions):
            yield ("directions",), f"is {in_toml(self.directions)}; a direction is listed twice"
        for name in ("displacement", "velocity"):
            if self.mass == 0.0 and any(getattr(self, name)):
                words = "must be zero, because a massless point has no initial conditions"
                yield (name,), f"is {in_toml(getattr(self, name))}; it {words}"
                continue
            for i, direction in enumerate("xyz"):
                if getattr(self, name)[i] != 0.0 and direction not in self.directions:
                    yield (
                        (name, i),
                        f"is {getattr(self, name)[i]:g}; it must be 0, because `directions` = "
                        f"{in_toml(self.directions)} fixes the mass in {direction}",
                    )


class Coordinate(StudyModel):
    """A generalised coordinate, for example a mode of a tube known by its modal data."""

    mass: Number = si("kg", "generalised mass", gt=0)
    stiffness: Number = si("N/m", "generalised stiffness", 0.0, ge=0)
    damping: Number = si("N·s/m", "generalised damping", 0.0, ge=0)
    displacement: Number = si("m", "initial value", 0.0)
    velocity: Number = si("m/s", "initial velocity", 0.0)


class Point(StudyModel):
    """A point moved by generalised coordinates: u = Σ shape · coordinate."""

    shape: dict[Name, Vector3] = si(
        "1",
        "generalised coordinate = displacement [x, y, z] of this point for its unit value",
        min_length=1,
    )
    position: Vector3 = si("m", "position at zero displacement", ORIGIN)


class Anchor(StudyModel):
    """A position with a prescribed motion, displacement · function(t), for springs."""

    displacement: Vector3 = si("m", "displacement [x, y, z]")
    function: Name | None = key("function of time; default: constant 1", None)


class Spring(StudyModel):
    """A spring and dashpot between two masses or points, or between one of them and an anchor."""

    between: Annotated[tuple[Name, Name], Strict(False)] = key(
        'two masses or points, or one of them and "ground" or an anchor'
    )
    stiffness: Vector3 = si("N/m", "stiffness in x, y and z", ORIGIN)
    damping: Vector3 = si("N·s/m", "dashpot in x, y and z", ORIGIN)
    axial_stiffness: Number = si("N/m", "stiffness along `direction`", 0.0, ge=0)
    axial_damping: Number = si("N·s/m", "dashpot along `direction`", 0.0, ge=0)
    direction: Vector3 | None = si("1", "direction of the axial spring, of any length", None)
    law: AnySpringLaw | None = key(
        "additional force along `direction`: nonlinear, elastoplastic or viscoelastic",
        None,
    )

    @property
    def is_link(self) -> bool:
        """Return True if its force is not part of the linear equations."""
        return self.law is not None and not self.law.drags

    def problems(self) -> Iterator[Problem]:
        if self.between[0] == self.between[1]:
            yield ("between",), f"is {in_toml(self.between)}; it must be two different places"
        yield from negative_parts("stiffness", self.stiffness)
        yield from negative_parts("damping", self.damping)
        if self.direction is not None:
            yield from zero_vector("direction", self.direction)
        elif self.axial_stiffness > 0 or self.axial_damping > 0:
            yield ("direction",), "is missing; axial stiffness and damping act along it"
        elif self.law is not None:
            yield ("direction",), "is missing; the law acts along it"


class Constraint(StudyModel):
    """A linear relation between displacements: Σ coefficient · displacement = value."""

    coefficients: dict[Name, Number] = si(
        "1",
        'displacement = coefficient, for example {"shoe.x" = 1.0, "shoe.y" = -1.0}',
        min_length=1,
    )
    value: Number = si("m", "right-hand side", 0.0)


class Force(StudyModel):
    """A force on a mass or point: value · function(t)."""

    on: Name = key("mass or point")
    value: Vector3 = si("N", "force [x, y, z]")
    function: Name | None = key("function of time; default: constant 1", None)


class Base(StudyModel):
    """Base excitation: motion is relative to the base, with the force −mass ·
    acceleration per mass.

    Generalised coordinates are not excited: apply forces to them.
    """

    acceleration: Vector3 = si("m/s²", "acceleration [x, y, z]")
    function: Name | None = key("function of time; default: constant 1", None)
