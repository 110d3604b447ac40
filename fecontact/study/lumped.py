"""Lumped study: masses, springs and dashpots, obstacles with friction, a time scheme.

A mass has up to three translations; a generalised coordinate has one, and moves points by its
shape. The system is always integrated on its modal basis (:class:`Modal`): with all modes that is
the same system in other coordinates, with the first n it is modal recombination.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from fecontact.friction.laws import FrictionLaw
from fecontact.lumped.obstacles import AnyObstacle
from fecontact.lumped.schemes import Time
from fecontact.study.base import (
    ORIGIN,
    Interval,
    Name,
    Number,
    Path,
    Problem,
    StudyModel,
    Vector3,
    in_toml,
    key,
    missing,
    si,
    table,
    unknown,
)
from fecontact.study.common import GROUND, Study
from fecontact.study.lumped_scalars import is_possible, lasting
from fecontact.study.models.charts import chart_problems
from fecontact.study.models.functions import jumps
from fecontact.study.models.lumped_bodies import LumpedBody, taken_names
from fecontact.study.models.masses import (
    Anchor,
    Base,
    Constraint,
    Coordinate,
    Force,
    Mass,
    Point,
    Spring,
)
from fecontact.study.models.modes import Modes
from fecontact.study.models.response import Response

ENERGIES = (
    "energy.kinetic",
    "energy.elastic",
    "energy.contact",
    "energy.injected",
    "energy.damping",
    "energy.friction",
)
"""Histories that every lumped run saves, J: stored (three), injected, dissipated (two)."""


class Modal(StudyModel):
    """The modal basis on which the system is integrated."""

    modes: int | None = key("number of modes; default: all", None, ge=1)
    damping: Number = si(
        "1", "damping ratio ζ of every mode, in addition to the dashpots", 0.0, ge=0
    )


class Watch(StudyModel):
    """A history output."""

    type: Literal[
        "displacement",
        "velocity",
        "acceleration",
        "coordinate",
        "gap",
        "contact-force",
        "spring-force",
        "slip",
        "work-rate",
        "wear-work",
        "wear-depth",
        "friction-state",
    ] = key(
        "`displacement`, `velocity`, `acceleration`: of a mass or point; `coordinate`: "
        "a generalised coordinate; `gap`, `contact-force`: of an obstacle; "
        "`spring-force`: of a spring with a `law`, along its direction, without the "
        "linear part, positive in tension; `slip`: accumulated slip; `work-rate`: F_n · "
        "|slip rate|, zero during stick; `wear-work`: its integral; `wear-depth`: sum "
        "of both faces; `friction-state`: θ of rate-and-state friction"
    )
    at: Name = key("mass, point, generalised coordinate, spring or obstacle")
    component: Literal["x", "y", "z", "normal", "tangential", "axial"] | None = key(
        "`x`, `y`, `z` of a motion; `normal`, `tangential` (along generator × normal, "
        "or around the axis of a hole) or `axial` (along generator or axis) of a "
        "contact force",
        None,
    )

    def problems(self) -> Iterator[Problem]:
        allowed: tuple[str, ...] = ()
        if self.type in ("displacement", "velocity", "acceleration"):
            allowed = ("x", "y", "z")
        elif self.type == "contact-force":
            allowed = ("normal", "tangential", "axial")
        if not allowed and self.component is not None:
            yield ("component",), f'has no effect with type = "{self.type}". Remove it.'
        elif allowed and self.component not in allowed:
            shown = "is missing" if self.component is None else f'is "{self.component}"'
            choices = " or ".join(map(in_toml, allowed))
            yield ("component",), f'{shown}; with type = "{self.type}" it must be {choices}'

    @property
    def of_obstacle(self) -> bool:
        """Return True if `at` names an obstacle."""
        return self.type in (
            *("gap", "contact-force", "slip"),
            *("work-rate", "wear-work", "wear-depth", "friction-state"),
        )


class Statistics(StudyModel):
    """Contact statistics over an interval: wear, impacts, forces of every obstacle.

    The scalars are NAME.OBSTACLE.work_rate, .wear_work, .slip, .impacts, .contact_fraction,
    .mean_force, .rms_force, .largest_force.
    """

    interval: Interval = si("s", "start and end time")

    def problems(self) -> Iterator[Problem]:
        if not 0.0 <= self.interval[0] < self.interval[1]:
            yield (
                ("interval",),
                f"is {in_toml(self.interval)}; it must be [from, to] with 0 ≤ from < to, in s",
            )


class LumpedStudy(Study):
    """A small system of masses with obstacles and friction, in time."""

    kind: Literal["lumped"] = key("kind of study")
    masses: dict[Name, Mass] = table("masses, by name")
    coordinates: dict[Name, Coordinate] = table("generalised coordinates, by name")
    points: dict[Name, Point] = table("points that move with generalised coordinates, by name")
    bodies: dict[Name, LumpedBody] = table("reduced elastic bodies, by name")
    anchors: dict[Name, Anchor] = table("points with prescribed motion, by name")
    springs: dict[Name, Spring] = table("springs and dashpots, by name")
    constraints: dict[Name, Constraint] = table("linear constraints between displacements, by name")
    forces: dict[Name, Force] = table("forces, by name")
    base: Base | None = key("base motion; displacements are relative to the base", None)
    obstacles: dict[Name, AnyObstacle] = table("obstacles, by name")
    modes: Modes | None = key(
        "complex modes about a state; `contact` is `status` or `open`, and friction always acts",
        None,
    )
    response: Response | None = key(
        "periodic motions over the frequency of a harmonic load, or over the energy", None
    )
    modal: Modal = Field(default_factory=Modal, description="modal basis")
    time: Time = key("time integration")
    watch: dict[Name, Watch] = table("history output, by name of the column")
    statistics: dict[Name, Statistics] = table("time intervals for contact statistics, by name")

    def position(self, name: str) -> Vector3:
        """Return the reference position of a mass or a point, m."""
        if name in self.masses:
            return self.masses[name].position
        return self.points[name].position if name in self.points else ORIGIN

    @property
    def places(self) -> list[str]:
        """Return the names of masses and points, points of bodies included."""
        of_bodies = [name for body in self.bodies.values() for name in body.points]
        return [*self.masses, *self.points, *of_bodies]

    @property
    def marks(self) -> list[float]:
        """Return the times at which totals are recorded: ends of statistics intervals
        and run, s.
        """
        times = {self.time.end, *(t for s in self.statistics.values() for t in s.interval)}
        return sorted(t for t in times if t > 0.0)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from taken_names(self)
        if not self.masses and not self.coordinates and not self.bodies:
            yield ("masses",), "is missing; a lumped study needs at least one mass"
        yield from self._unknown_places()
        yield from self._unknown_functions()
        yield from self._lost_forces()
        yield from self._unknown_watched()
        yield from self._friction_without_stick()
        yield from self._laws_without_closed_form()
        yield from self._wear_without_closed_form()
        yield from self._unknown_histories()
        yield from self.time_problems(self.time.end)

    def _unknown_places(self) -> Iterator[Problem]:
        """Yield errors for undefined masses, points and coordinates."""
        places = self.places
        for name in (*self.points, *self.masses):
            group = "points" if name in self.points else "masses"
            if places.count(name) > 1:
                yield (group, name), "has the name of a mass. Rename it."
            elif name == GROUND:
                yield (
                    (group, name),
                    (f"has a reserved name: {in_toml(GROUND)} is the fixed ground. Rename it."),
                )
        for name in self.anchors:
            if name in places or name == GROUND:
                yield ("anchors", name), "has a name that is already used. Rename it."
        for name, point in self.points.items():
            for coordinate in point.shape:
                where: Path = ("points", name, "shape", coordinate)
                if coordinate not in self.coordinates:
                    yield where, "is not a generalised coordinate. Define it in [coordinates]."
        for name, spring in self.springs.items():
            for i, end in enumerate(spring.between):
                where = ("springs", name, "between", i)
                yield from missing(where, "mass or point", end, [*places, GROUND, *self.anchors])
            if not set(spring.between) & set(places):
                yield (
                    ("springs", name, "between"),
                    "must have a mass or a point at one end",
                )
        for name, constraint in self.constraints.items():
            for term in constraint.coefficients:
                if not self._is_displacement(term):
                    yield (
                        ("constraints", name, "coefficients", term),
                        'is not a displacement. Use "MASS.x", "MASS.y", "MASS.z" or a coordinate.',
                    )
        for name, force in self.forces.items():
            yield from missing(("forces", name, "on"), "mass or point", force.on, places)
        for name, obstacle in self.obstacles.items():
            yield from missing(("obstacles", name, "on"), "mass or point", obstacle.on, places)
            against = obstacle.carrier
            where = ("obstacles", name, "against")
            if against is not None and against == obstacle.on:
                yield (
                    where,
                    (f"is {in_toml(against)}; it must be a different mass or point than `on`"),
                )
            elif against is not None:
                yield from missing(where, "mass or point", against, places)

    def _is_displacement(self, term: str) -> bool:
        mass, _, direction = term.rpartition(".")
        return term in self.coordinates or (mass in self.masses and direction in ("x", "y", "z"))

    def _lost_forces(self) -> Iterator[Problem]:
        """Yield the components of forces in directions in which their mass cannot move."""
        for name, force in self.forces.items():
            mass = self.masses.get(force.on)
            for i, axis in enumerate("xyz"):
                if mass is not None and force.value[i] != 0.0 and axis not in mass.directions:
                    yield (
                        ("forces", name, "value", i),
                        f"is {force.value[i]:g} N, but masses.{force.on} cannot move in {axis}. "
                        f'Set it to 0, or add "{axis}" to masses.{force.on}.directions.',
                    )

    def _unknown_functions(self) -> Iterator[Problem]:
        for name, force in self.forces.items():
            if force.function is not None:
                where = ("forces", name, "function")
                yield from missing(where, "function", force.function, self.functions)
        if self.base is not None and self.base.function is not None:
            yield from missing(("base", "function"), "function", self.base.function, self.functions)
        for name, anchor in self.anchors.items():
            if anchor.function is not None:
                where = ("anchors", name, "function")
                yield from missing(where, "function", anchor.function, self.functions)
        yield from self._jumping_anchors()

    def _jumping_anchors(self) -> Iterator[Problem]:
        """Yield errors for dashpots at anchors that jump (infinite force) and for laws at moving
        anchors (a force curve does not depend on time).
        """
        for name, spring in self.springs.items():
            for end in spring.between:
                moves = self.anchors[end].function if end in self.anchors else None
                if moves is not None and spring.is_link:
                    yield (
                        ("springs", name, "between"),
                        f"connects a spring law to the moving anchor {in_toml(end)}, which is not "
                        "supported. Put a mass between them.",
                    )
                at = jumps(self.functions, moves)
                law = spring.law is not None and spring.law.drags
                if at and (any(spring.damping) or spring.axial_damping > 0.0 or law):
                    yield (
                        ("springs", name, "between"),
                        f"connects a dashpot to the anchor {in_toml(end)}, which jumps at "
                        f"{at[0]:g} s; the force would be infinite. Use a ramp for the anchor.",
                    )

    def _unknown_watched(self) -> Iterator[Problem]:
        for name, watch in self.watch.items():
            where = ("watch", name, "at")
            if watch.type == "friction-state":
                rubbing = {n: o.friction for n, o in self.obstacles.items()}
                lawful = [n for n, law in rubbing.items() if getattr(law, "stateful", False)]
                kind = "obstacle with rate-and-state friction"
                yield from missing(where, kind, watch.at, lawful)
            elif watch.of_obstacle:
                yield from missing(where, "obstacle", watch.at, self.obstacles)
            elif watch.type == "coordinate":
                yield from missing(where, "coordinate", watch.at, self.coordinates)
            elif watch.type == "spring-force":
                lawful = [s for s, spring in self.springs.items() if spring.law is not None]
                yield from missing(where, "spring with a `law`", watch.at, lawful)
            else:
                yield from missing(where, "mass or point", watch.at, self.places)

    def _friction_without_stick(self) -> Iterator[Problem]:
        for name, obstacle in self.obstacles.items():
            if (
                not self.time.event_driven
                and obstacle.rubs
                and obstacle.tangential_stiffness is None
            ):
                yield (
                    ("obstacles", name, "tangential_stiffness"),
                    f"is missing; friction needs it with the scheme {in_toml(self.time.scheme)}, "
                    "in N/m (only `exact` has rigid stick)",
                )

    def _laws_without_closed_form(self) -> Iterator[Problem]:
        for name, obstacle in self.obstacles.items():
            law = obstacle.friction
            if self.time.event_driven and isinstance(law, FrictionLaw) and not law.constant:
                yield (
                    ("obstacles", name, "friction"),
                    f"is the law {in_toml(law.law)}, which is not supported by the scheme "
                    '"exact". Use a constant coefficient or another scheme, for example '
                    '"newmark" or "rk54".',
                )

    def _wear_without_closed_form(self) -> Iterator[Problem]:
        for name, obstacle in self.obstacles.items():
            if self.time.event_driven and any(obstacle.wear_rates):
                yield (
                    ("obstacles", name, "wear"),
                    'is not supported by the scheme "exact". Use another scheme, for example '
                    '"newmark" or "rk54".',
                )

    def _unknown_histories(self) -> Iterator[Problem]:
        """Yield errors for checks and sweeps of histories that the run does not save."""
        kept = [*self.watch, *ENERGIES]
        yield from self.taken_names(self.watch, ENERGIES)
        yield from chart_problems(self.charts, kept, None, self.time.end)
        for path, measured in self.measured():
            if measured.measure != "scalar" and measured.quantity not in kept:
                words = unknown("history output", measured.quantity, kept)
                yield (*path, "quantity"), words
            elif measured.measure == "scalar" and not is_possible(self, measured.quantity):
                words = unknown("scalar result", measured.quantity, lasting(self))
                yield (*path, "quantity"), words
