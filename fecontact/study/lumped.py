"""A lumped study: masses, springs and dashpots, obstacles with friction, an integrator.

A mass has up to three translations; a generalised coordinate has one, and moves points by its
shape. The system is always integrated on its modal basis (:class:`Modal`): with all modes that is
the same system in other coordinates, with the first n it is modal recombination.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field, Strict, model_validator

from fecontact.study.base import (
    Interval,
    Name,
    Number,
    StudyModel,
    Vector3,
    key,
    si,
    table,
)
from fecontact.study.common import Study

Direction = Literal["x", "y", "z"]
GROUND = "ground"
ORIGIN = (0.0, 0.0, 0.0)
ENERGIES = (
    "energy.kinetic",
    "energy.elastic",
    "energy.contact",
    "energy.injected",
    "energy.damping",
    "energy.friction",
)
"""Histories every lumped run keeps, J: stored (three), injected, dissipated (two)."""


class Mass(StudyModel):
    """A point mass that moves in the given directions."""

    mass: Number = si("kg", "mass", gt=0)
    directions: Annotated[tuple[Direction, ...], Strict(False)] = key(
        "directions it can move in; [] is a mass held in place", ("x", "y", "z")
    )
    position: Vector3 = si("m", "place at which displacements are zero", ORIGIN)
    displacement: Vector3 = si("m", "initial displacement", ORIGIN)
    velocity: Vector3 = si("m/s", "initial velocity", ORIGIN)

    @model_validator(mode="after")
    def _consistent(self) -> Mass:
        if len(set(self.directions)) != len(self.directions):
            raise ValueError(f"directions = {list(self.directions)} names a direction twice")
        for name in ("displacement", "velocity"):
            for direction, value in zip("xyz", getattr(self, name), strict=True):
                if value != 0.0 and direction not in self.directions:
                    raise ValueError(
                        f"the initial {name} in {direction} must be zero, because directions = "
                        f"{list(self.directions)} holds the mass in {direction}"
                    )
        return self


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
        "1", "coordinate = displacement [x, y, z] of this point for its unit value", min_length=1
    )
    position: Vector3 = si("m", "place at which displacements are zero", ORIGIN)


class Spring(StudyModel):
    """A spring and dashpot between two masses or points, or one of them and the ground."""

    between: Annotated[tuple[Name, Name], Strict(False)] = key(
        'two masses or points, or one and "ground"'
    )
    stiffness: Vector3 = si("N/m", "stiffness in x, y and z", ORIGIN)
    damping: Vector3 = si("N·s/m", "dashpot in x, y and z", ORIGIN)
    axial_stiffness: Number = si("N/m", "stiffness along `direction`", 0.0, ge=0)
    axial_damping: Number = si("N·s/m", "dashpot along `direction`", 0.0, ge=0)
    direction: Vector3 | None = si("1", "direction of an inclined spring (any length)", None)

    @model_validator(mode="after")
    def _sensible(self) -> Spring:
        if self.between[0] == self.between[1]:
            raise ValueError(f"both ends are {self.between[0]!r}")
        for name in ("stiffness", "damping"):
            if min(getattr(self, name)) < 0:
                raise ValueError(f"{name} must not be negative, not {list(getattr(self, name))}")
        if self.direction is not None:
            _unit(self.direction, "direction")
        elif self.axial_stiffness > 0 or self.axial_damping > 0:
            raise ValueError("axial_stiffness and axial_damping need the key `direction`")
        return self


class Constraint(StudyModel):
    """A linear relation between displacements: Σ coefficient · displacement = value."""

    coefficients: dict[Name, Number] = si(
        "1",
        "displacement = coefficient, for example {shoe.x = 1.0, shoe.y = -1.0} in quotes",
        min_length=1,
    )
    value: Number = si("m", "right-hand side", 0.0)


class Force(StudyModel):
    """A force on a mass or point: value · function(t)."""

    on: Name = key("mass or point")
    value: Vector3 = si("N", "force [x, y, z]")
    function: Name | None = key("function of time; constant 1 if not given", None)


class Base(StudyModel):
    """A shaken base: motion is relative to it, and every mass feels −mass · acceleration.

    Generalised coordinates do not: give them forces.
    """

    acceleration: Vector3 = si("m/s²", "acceleration [x, y, z]")
    function: Name | None = key("function of time; constant 1 if not given", None)


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

    @model_validator(mode="after")
    def _friction_ordered(self) -> Obstacle:
        if self.static_friction is not None and self.static_friction < self.friction:
            raise ValueError(
                f"static_friction = {self.static_friction:g} must not be smaller than "
                f"friction = {self.friction:g}"
            )
        if self.tangential_damping != "auto" and self.tangential_damping < 0:
            raise ValueError("tangential_damping must not be negative")
        return self


class _Flat(Obstacle):
    """An obstacle bounded by planes."""

    normal: Vector3 = si("1", "direction towards the obstacle (any length)")
    generator: Vector3 | None = si(
        "1", "direction along the plane; friction = `unidirectional` is free along it", None
    )
    unidirectional: bool = key("friction acts only across the generator", False)

    @model_validator(mode="after")
    def _frame(self) -> _Flat:
        normal = _unit(self.normal, "normal")
        if self.unidirectional and self.generator is None:
            raise ValueError("unidirectional friction needs the key `generator`")
        if self.generator is not None:
            along = sum(
                a * b for a, b in zip(normal, _unit(self.generator, "generator"), strict=True)
            )
            if abs(along) > 1e-9:
                raise ValueError("generator must lie in the plane, at right angles to normal")
        return self


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


class _Round(Obstacle):
    """A tube in a hole."""

    axis: Vector3 = si("1", "axis of the hole (any length)")

    @model_validator(mode="after")
    def _has_axis(self) -> _Round:
        _unit(self.axis, "axis")
        return self


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

    @model_validator(mode="after")
    def _fits(self) -> MovingCircle:
        if self.tube > self.hole:
            raise ValueError(f"tube = {self.tube:g} m does not fit into hole = {self.hole:g} m")
        return self


AnyObstacle = Annotated[
    Plane | Planes | MovingPlanes | Circle | MovingCircle, Field(discriminator="type")
]

Integrator = Literal[
    "euler",
    "central-differences",
    "devogelaere",
    "adaptive-order2",
    "rk32",
    "rk54",
    "newmark",
    "hht",
    "exact",
]


class Time(StudyModel):
    """Integrator and steps."""

    integrator: Integrator = key(
        "`euler` (symplectic, order 1), `central-differences` (2), `devogelaere` (4), "
        "`adaptive-order2`, `rk32`, `rk54` (steps by error control), `newmark`, `hht` (implicit), "
        "`exact` (event by event, ideal Coulomb friction)",
        "exact",
    )
    step: Number = si(
        "s", "step; first step of an adaptive integrator; sampling of the history for `exact`", gt=0
    )
    end: Number = si("s", "end of the run", gt=0)
    largest_step: Number | None = si(
        "s", "for adaptive integrators: largest step; unbounded if not given", None, gt=0
    )
    smallest_step: Number = si(
        "s", "for adaptive integrators: smallest step before the run gives up", 1e-14, gt=0
    )
    tolerance: Number = si(
        "1",
        "for `rk32`, `rk54`: accepted error of a step, relative to the motion so far",
        1e-6,
        gt=0,
        lt=1,
    )
    points_per_period: Number = si(
        "1", "for `adaptive-order2`: steps per apparent period", 50.0, ge=10
    )
    growth: Number = si(
        "1", "for `adaptive-order2`: factor by which a step grows; 1 for a constant step", 1.1, ge=1
    )
    reduction: Number = si(
        "1",
        "for `adaptive-order2`: divisor by which a step shrinks; 1 for a constant step",
        4.0 / 3.0,
        ge=1,
    )
    beta: Number = si("1", "for `newmark`: β", 0.25, gt=0, le=1)
    gamma: Number = si("1", "for `newmark`: γ", 0.5, ge=0.5, le=1)
    alpha: Number = si("1", "for `hht`: α", -0.1, ge=-1 / 3, le=0)
    modified_equilibrium: bool = key(
        "for `hht`: weigh the equilibrium between both ends of the step (the full HHT); false is "
        "code_aster's MODI_EQUI='NON', where α only sets β = (1−α)²/4, γ = ½−α",
        True,
    )

    @model_validator(mode="after")
    def _steps_fit(self) -> Time:
        if self.step > self.end:
            raise ValueError(
                f"step = {self.step:g} s is longer than the run (end = {self.end:g} s)"
            )
        if self.end / self.step > 1e10:
            raise ValueError("more than 1e10 steps: enlarge step or shorten end")
        if self.smallest_step > self.step:
            raise ValueError("smallest_step must not exceed step")
        if self.largest_step is not None and self.largest_step < self.step:
            raise ValueError("largest_step must not be smaller than step")
        return self


class Modal(StudyModel):
    """The modal basis on which the system is integrated."""

    modes: int | None = key("keep the first n modes; all if not given", None, ge=1)
    damping: Number = si(
        "1", "damping ratio ζ of every mode, added to that of the dashpots", 0.0, ge=0
    )


class Watch(StudyModel):
    """A quantity followed in the history."""

    type: Literal[
        "displacement",
        "velocity",
        "acceleration",
        "coordinate",
        "gap",
        "contact-force",
        "slip",
        "wear-power",
        "wear-energy",
    ] = key(
        "what is followed; `slip`: distance slipped; `wear-power`: F_n·|slip velocity|, zero while "
        "sticking; `wear-energy`: its integral"
    )
    at: Name = key("mass or point; generalised coordinate; obstacle for contact quantities")
    component: Literal["x", "y", "z", "normal", "tangential", "axial"] | None = key(
        "x, y or z of a motion; of a contact force `normal`, `tangential` (across the generator or "
        "around the axis), `axial` (along it)",
        None,
    )

    @model_validator(mode="after")
    def _component_fits(self) -> Watch:
        allowed: tuple[str, ...] = ()
        if self.type in ("displacement", "velocity", "acceleration"):
            allowed = ("x", "y", "z")
        elif self.type == "contact-force":
            allowed = ("normal", "tangential", "axial")
        if allowed and self.component not in allowed:
            raise ValueError(
                f"component = {self.component!r} does not fit {self.type!r}: "
                f"use {', '.join(allowed)}"
            )
        if not allowed and self.component is not None:
            raise ValueError(f"{self.type!r} has no component: leave `component` out")
        return self

    @property
    def of_obstacle(self) -> bool:
        """True if `at` names an obstacle."""
        return self.type in ("gap", "contact-force", "slip", "wear-power", "wear-energy")


class Statistics(StudyModel):
    """Contact statistics over an interval: wear, impacts, forces of every obstacle.

    The scalars are NAME.OBSTACLE.wear_power, .wear_energy, .slip, .impacts, .contact_fraction,
    .mean_force, .rms_force, .largest_force.
    """

    interval: Interval = si("s", "[from, to]")

    @model_validator(mode="after")
    def _ordered(self) -> Statistics:
        if not 0.0 <= self.interval[0] < self.interval[1]:
            raise ValueError("interval must be [from, to] with 0 ≤ from < to")
        return self


class LumpedStudy(Study):
    """A small system of masses with obstacles and friction, in time."""

    kind: Literal["lumped"]
    masses: dict[Name, Mass] = table("masses, by name")
    coordinates: dict[Name, Coordinate] = table("generalised coordinates, by name")
    points: dict[Name, Point] = table("points moved by generalised coordinates, by name")
    springs: dict[Name, Spring] = table("springs and dashpots, by name")
    constraints: dict[Name, Constraint] = table("linear relations between displacements, by name")
    forces: dict[Name, Force] = table("forces, by name")
    base: Base | None = key("a shaken base; motion is relative to it", None)
    obstacles: dict[Name, AnyObstacle] = table("obstacles, by name")
    modal: Modal = Field(default_factory=Modal, description="modal basis")
    time: Time = key("integrator and steps")
    watch: dict[Name, Watch] = table("histories, by name of the column")
    statistics: dict[Name, Statistics] = table("contact statistics over intervals, by name")

    @model_validator(mode="after")
    def _names_exist(self) -> LumpedStudy:
        if not self.masses and not self.coordinates:
            raise ValueError("a lumped study needs at least one entry in `masses`")
        wrong = [*self._name_errors()]
        wrong += [
            f"statistics.{name}.interval: ends at {s.interval[1]:g} s, after the run "
            f"(time.end = {self.time.end:g} s)"
            for name, s in self.statistics.items()
            if s.interval[1] > self.time.end * (1 + 1e-12)
        ]
        if self.time.integrator != "exact":
            wrong += [
                f"obstacles.{name}: friction needs `tangential_stiffness` with the integrator "
                f"{self.time.integrator!r} (only `exact` sticks ideally)"
                for name, o in self.obstacles.items()
                if o.friction + (o.static_friction or 0.0) > 0 and o.tangential_stiffness is None
            ]
        wrong += [*self._history_errors()]
        if wrong:
            raise ValueError("; ".join(wrong))
        return self

    def _history_errors(self) -> Iterator[str]:
        """Checks and sweeps may only ask for histories that the run will keep."""
        asked = [(f"checks.{name}", check) for name, check in self.checks.items()]
        if self.sweep is not None:
            asked += [
                (f"sweep.results.{n}", measured) for n, measured in self.sweep.results.items()
            ]
        for where, measured in asked:
            if measured.measure != "scalar" and measured.quantity not in (*self.watch, *ENERGIES):
                yield (
                    f"{where}.quantity: there is no history {measured.quantity!r} (watched: "
                    f"{', '.join(map(repr, self.watch)) or 'nothing'}; always kept: "
                    f"{', '.join(ENERGIES)}); a scalar result needs measure = 'scalar'"
                )

    def _name_errors(self) -> Iterator[str]:
        places: dict = {**self.masses, **self.points}
        if len(places) < len(self.masses) + len(self.points) or GROUND in places:
            yield f"masses and points need different names, none of them {GROUND!r}"
        for name, point in self.points.items():
            for coordinate in point.shape:
                yield from _missing(
                    f"points.{name}.shape", "coordinate", coordinate, self.coordinates
                )
        for name, spring in self.springs.items():
            for end in spring.between:
                if end != GROUND:
                    yield from _missing(f"springs.{name}.between", "mass or point", end, places)
        for name, constraint in self.constraints.items():
            for term in constraint.coefficients:
                yield from self._displacement_error(f"constraints.{name}.coefficients", term)
        for name, force in self.forces.items():
            yield from _missing(f"forces.{name}.on", "mass or point", force.on, places)
            yield from _missing(
                f"forces.{name}.function", "function", force.function, self.functions
            )
        if self.base is not None:
            yield from _missing("base.function", "function", self.base.function, self.functions)
        for name, obstacle in self.obstacles.items():
            yield from _missing(f"obstacles.{name}.on", "mass or point", obstacle.on, places)
            against = getattr(obstacle, "against", None)
            yield from _missing(f"obstacles.{name}.against", "mass or point", against, places)
            if against == obstacle.on:
                yield f"obstacles.{name}.against: is {against!r} itself"
        for name, watch in self.watch.items():
            what, known = ("mass or point", places)
            if watch.of_obstacle:
                what, known = ("obstacle", self.obstacles)
            elif watch.type == "coordinate":
                what, known = ("coordinate", self.coordinates)
            yield from _missing(f"watch.{name}.at", what, watch.at, known)

    def _displacement_error(self, where: str, term: str) -> Iterator[str]:
        """A constrained displacement is MASS.x, .y or .z, or a generalised coordinate."""
        mass, _, direction = term.rpartition(".")
        if term not in self.coordinates and (
            mass not in self.masses or direction not in ("x", "y", "z")
        ):
            yield f"{where}: {term!r} is no displacement; write MASS.x, MASS.y or MASS.z"


def _missing(where: str, what: str, name: str | None, known: dict) -> Iterator[str]:
    if name is not None and name not in known:
        names = f"there are: {', '.join(map(repr, known))}" if known else "none is defined"
        yield f"{where}: there is no {what} {name!r} ({names})"


def _unit(vector: tuple[float, float, float], name: str) -> tuple[float, ...]:
    length = math.hypot(*vector)
    if length == 0.0:
        raise ValueError(f"{name} must not be the zero vector")
    return tuple(c / length for c in vector)
