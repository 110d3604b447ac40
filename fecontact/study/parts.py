"""The parts of a finite-element study: bodies, supports, springs, masses, what is watched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Strict

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
from fecontact.study.common import GROUND
from fecontact.study.loads import ALONG
from fecontact.study.profiles import Profile

OF_A_TURN = ("rotation", "angular-velocity")
"""What is watched of turning bodies."""


class Body(StudyModel):
    """A body: the cells of one group, one material, its motion at t = 0."""

    material: Name = key("name of a material")
    cells: Name | None = key("cell group; the body's own name if not given", None)
    thickness: Number | None = si(
        "m",
        "depth in z; if no body has one, all are 1 m deep and forces, masses and energies are per "
        "metre; pressures of a contact pair are those on the slave, its force over length times "
        "thickness of the slave",
        None,
        gt=0,
    )
    displacement: Vector2 = si("m", "uniform initial displacement [x, y]", (0.0, 0.0))
    velocity: Vector2 = si("m/s", "uniform initial velocity [x, y]", (0.0, 0.0))
    motion: Literal["linear", "corotational"] = key(
        "of a body with a linear material law: `linear`: small strain and small rotation; "
        "`corotational`: small strain and any rotation; finite-strain materials allow any strain "
        "and any rotation",
        "linear",
    )
    angular_velocity: Number = si(
        "rad/s",
        "initial angular velocity about the centre of mass, anticlockwise; for `corotational` and "
        "finite-strain bodies",
        0.0,
    )

    @property
    def depth(self) -> float:
        """The thickness, m; 1 if there is none."""
        return 1.0 if self.thickness is None else self.thickness


class Support(StudyModel):
    """Prescribed displacement of a body, an edge or a point: value · function(t)."""

    on: Name = key("body, edge group or point")
    active: bool = switch()
    x: Number | None = si("m", "displacement in x; free if not given", None)
    y: Number | None = si("m", "displacement in y; free if not given", None)
    normal: Number | None = si(
        "m",
        "instead of `x` and `y`, on an edge: displacement along its normal, out of the body; free "
        "if not given",
        None,
    )
    tangential: Number | None = si(
        "m", "displacement along the edge, with the body on its left; free if not given", None
    )
    function: Name | None = key("function of time; constant 1 if not given", None)
    profile: Profile | None = key(ALONG, None)

    @property
    def directed(self) -> bool:
        """Whether it holds along the normal or the tangent of its edge."""
        return self.normal is not None or self.tangential is not None

    @property
    def moves(self) -> bool:
        """Whether it prescribes a displacement that is not 0."""
        return any((self.x, self.y, self.normal, self.tangential))

    def problems(self) -> Iterator[Problem]:
        in_axes = self.x is not None or self.y is not None
        if not in_axes and not self.directed:
            words = "has no effect. Set `x`, `y` or both (or `normal`, `tangential`), in m."
            yield (), words
        elif in_axes and self.directed:
            own = "normal" if self.normal is not None else "tangential"
            words = "is not allowed together with `x` or `y`. Use two supports."
            yield (own,), words


class Spring(StudyModel):
    """A discrete spring and dashpot between two points, or a point and the ground."""

    between: Annotated[tuple[Name, Name], Strict(False)] = key(
        'two points, or a point and "ground"; an isolated point is ground'
    )
    active: bool = switch()
    stiffness: Vector2 = si(
        "N/m", f"stiffness in x and y, or along and across `direction`{PER_DEPTH}", (0.0, 0.0)
    )
    damping: Vector2 = si(
        "N·s/m", f"dashpot in x and y, or along and across `direction`{PER_DEPTH}", (0.0, 0.0)
    )
    direction: Vector2 = si(
        "1",
        "direction [x, y] in which the first numbers of `stiffness` and `damping` act; the second "
        "ones act across it",
        (1.0, 0.0),
    )
    axial: bool = key(
        "whether it acts along the current line between its two points, with the first numbers of "
        "`stiffness` and `damping`; for a corotational body",
        False,
    )
    length: Number | None = si(
        "m",
        "free length of an axial spring; its initial length if not given",
        None,
        gt=0,
    )

    def problems(self) -> Iterator[Problem]:
        if self.between[0] == self.between[1]:
            yield ("between",), f"is {in_toml(self.between)}; it must be two different points"
        yield from self._wrong_line()
        for name in ("stiffness", "damping"):
            value = getattr(self, name)
            if min(value) < 0:
                yield (name,), f"is {in_toml(value)}; neither number may be negative"
        if not any(self.direction):
            yield ("direction",), "is [0.0, 0.0]; a direction must not be the zero vector"
        if not any((*self.stiffness, *self.damping)):
            yield (), "has no effect. Set `stiffness` or `damping`, [x, y]."

    def _wrong_line(self) -> Iterator[Problem]:
        """What does not go with the line between two points."""
        if not self.axial:
            if self.length is not None:
                yield ("length",), "has no effect without axial = true. Remove it."
            return
        if GROUND in self.between:
            yield (
                ("between",),
                f"is {in_toml(self.between)}; an axial spring needs two points, of which one "
                "may be an isolated one of [mesh.points]",
            )
        for name in ("stiffness", "damping"):
            value = getattr(self, name)
            if value[1]:
                yield (
                    (name,),
                    f"is {in_toml(value)}; the second number must be 0, because an axial spring "
                    "acts only along its line",
                )
        if self.direction != (1.0, 0.0):
            yield ("direction",), "has no effect with axial = true. Remove it."


class PointMass(StudyModel):
    """A mass carried by a point."""

    on: Name = key("point")
    mass: Number = si("kg", f"mass{PER_DEPTH}", ge=0)


class CycleJump(StudyModel):
    """Wear of a motion that repeats itself: each computed cycle stands for several."""

    period: Number = si("s", "duration of a cycle, a whole number of steps", gt=0)
    cycles: int = key("how many cycles a computed one stands for at most", ge=2, le=10**9)
    depth: Number = si("m", "largest depth that the cycles not computed wear off at once", gt=0)


class Watch(StudyModel):
    """A quantity followed in the history."""

    type: Literal[
        "displacement",
        "velocity",
        "acceleration",
        "centroid-displacement",
        "centroid-velocity",
        "angular-momentum",
        "rotation",
        "angular-velocity",
        "stress",
        "plastic-strain",
        "contact-force",
        "contact-pressure",
        "wear-work",
        "work-rate",
        "reaction",
    ] = key(
        "what is followed; `centroid-…`: of the centroid of a body; `angular-momentum`: of a "
        "body that no support holds, and what hangs together with it, about its centre of mass; "
        "`rotation`, `angular-velocity`: angle since the start, and its rate, of a turning body, "
        "anticlockwise; `plastic-strain`: the equivalent one, ∫ √(2/3) |dε_p|, of a body that may "
        "yield; `contact-pressure`: force over area at a slave node; `wear-work`: ∫∫ pressure · "
        "|d slip| ds over a contact surface, Archard's worn volume for `wear` = 1; `work-rate`: "
        "its rate"
    )
    at: Name = key(
        "point; body for `centroid-…`, `angular-momentum`, `rotation` and `angular-velocity`; "
        "contact pair for `contact-…`, `wear-work` and `work-rate`; support for `reaction`"
    )
    place: Vector2 | None = si(
        "m", "for `contact-pressure`: where the slave node [x, y] lies in the mesh", None
    )
    component: Literal["x", "y", "xx", "yy", "zz", "xy", "normal", "tangential"] = key(
        "x or y; xx, yy, zz, xy of a stress (zz: out of the plane, in axisymmetry round the axis); "
        "normal or tangential of a contact force or pressure; of wear, plastic strain, rotation, "
        "angular velocity and angular momentum not read",
        "x",
    )

    @property
    def of_pair(self) -> bool:
        """True if `at` names a contact pair."""
        return self.type in ("contact-force", "contact-pressure", "wear-work", "work-rate")

    @property
    def of_body(self) -> bool:
        """True if `at` names a body."""
        return self.type in (
            "centroid-displacement",
            "centroid-velocity",
            "angular-momentum",
            *OF_A_TURN,
        )

    @property
    def of_turn(self) -> bool:
        """True if it is about the rotation of a body."""
        return self.type in OF_A_TURN

    def problems(self) -> Iterator[Problem]:
        allowed = {
            "stress": ("xx", "yy", "zz", "xy"),
            "contact-force": ("x", "y", "normal", "tangential"),
            "contact-pressure": ("normal", "tangential"),
        }.get(self.type, ("x", "y"))
        if self.type == "contact-pressure" and self.place is None:
            yield (
                ("place",),
                ("is missing; it must be the position [x, y] of the slave node in the mesh"),
            )
        elif self.type != "contact-pressure" and self.place is not None:
            yield (
                ("place",),
                f'has no effect with type = "{self.type}". Use it with "contact-pressure".',
            )
        if self.component not in allowed:
            yield (
                ("component",),
                f'is "{self.component}"; for type = "{self.type}" it must be '
                + " or ".join(map(in_toml, allowed)),
            )
