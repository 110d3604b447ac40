"""Parts of a finite-element study: bodies, supports, springs, masses, history output."""

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
from fecontact.study.models.loads import ALONG
from fecontact.study.models.profiles import Profile
from fecontact.study.models.reduction import Reduction

OF_A_TURN = ("rotation", "angular-velocity")
"""Types of history output of corotational bodies."""

OF_STRESS = ("max-von-mises", "max-principal-stress")
"""Types of history output of the largest stress of a body."""

OF_A_PAIR = (
    "contact-force",
    "contact-pressure",
    "peak-pressure",
    "contact-width",
    "wear-work",
    "work-rate",
)
"""Types of history output of contact pairs."""


class Body(StudyModel):
    """A body: the elements of one group, one material, its motion at t = 0."""

    material: Name = key("name of a material")
    cells: Name | None = key("element group; default: the name of the body", None)
    thickness: Number | None = si(
        "m",
        "out-of-plane thickness. If no body has one, all results are per metre of "
        "depth. Contact pressure is based on the slave thickness.",
        None,
        gt=0,
    )
    plane: Literal["stress"] | None = key(
        '`"stress"`: plane stress in a model with plane = "axisymmetric", for example bolts and '
        "spokes; `thickness` is then the sum over the circumference. Default: that of the study",
        None,
    )
    layer: int = key(
        "plane of motion, an integer. Bodies in different layers, for example the links of a "
        "linkage, can overlap and cannot be in contact",
        0,
    )
    displacement: Vector2 = si("m", "uniform initial displacement [x, y]", (0.0, 0.0))
    velocity: Vector2 = si("m/s", "uniform initial velocity [x, y]", (0.0, 0.0))
    motion: Literal["linear", "corotational"] = key(
        "`linear`: small strain, small rotation; `corotational`: small strain, any "
        "rotation; not used with finite-strain laws, which include large rotation",
        "linear",
    )
    angular_velocity: Number = si(
        "rad/s",
        "initial angular velocity about the centre of mass, anticlockwise; for "
        "corotational and finite-strain bodies",
        0.0,
    )
    reduction: Reduction | None = key(
        "component mode synthesis: modes and interface dofs instead of all dofs; for linear bodies",
        None,
    )

    @property
    def depth(self) -> float:
        """Return the thickness, m; 1 if not given."""
        return 1.0 if self.thickness is None else self.thickness


class Support(StudyModel):
    """Prescribed displacement of a body, an edge or a point: value · function(t)."""

    on: Name = key("body, edge group or point")
    active: bool = switch()
    x: Number | None = si("m", "displacement in x; default: free", None)
    y: Number | None = si("m", "displacement in y; default: free", None)
    normal: Number | None = si(
        "m",
        "displacement along the normal of an edge, out of the body, instead of `x` and "
        "`y`; default: free",
        None,
    )
    tangential: Number | None = si(
        "m", "displacement along an edge, with the body on the left; default: free", None
    )
    function: Name | None = key("function of time; default: constant 1", None)
    profile: Profile | None = key(ALONG, None)

    @property
    def directed(self) -> bool:
        """Return True if the support acts along the normal or the tangent of its edge."""
        return self.normal is not None or self.tangential is not None

    @property
    def moves(self) -> bool:
        """Return True if the prescribed displacement is not 0."""
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
    """A discrete spring and dashpot between points, edges, bodies or the ground."""

    between: Annotated[tuple[Name, Name], Strict(False)] = key(
        'two of: point, edge, body, "ground"; isolated points of [mesh.points] are fixed. At an '
        "edge or body the spring acts on the mean displacement of its boundary"
    )
    active: bool = switch()
    stiffness: Vector2 = si(
        "N/m", f"stiffness in x and y, or along and across `direction`{PER_DEPTH}", (0.0, 0.0)
    )
    damping: Vector2 = si(
        "N·s/m", f"damping in x and y, or along and across `direction`{PER_DEPTH}", (0.0, 0.0)
    )
    direction: Vector2 = si(
        "1",
        "direction [x, y] of the first values of `stiffness` and `damping`; the second "
        "values act across it",
        (1.0, 0.0),
    )
    axial: bool = key(
        "true: acts along the current line between its points, with the first values of "
        "`stiffness` and `damping`; for corotational bodies",
        False,
    )
    preload: Number = si(
        "N",
        "initial force on the first point along `direction`, and opposite on the second point; an "
        f"axial spring has its `length` instead{PER_DEPTH}",
        0.0,
    )
    length: Number | None = si(
        "m",
        "unstretched length of an axial spring; default: initial distance",
        None,
        gt=0,
    )

    def problems(self) -> Iterator[Problem]:
        if self.between[0] == self.between[1]:
            yield ("between",), f"is {in_toml(self.between)}; it must be two different places"
        yield from self._wrong_line()
        for name in ("stiffness", "damping"):
            value = getattr(self, name)
            if min(value) < 0:
                yield (name,), f"is {in_toml(value)}; neither number may be negative"
        if not any(self.direction):
            yield ("direction",), "is [0.0, 0.0]; a direction must not be the zero vector"
        if not any((*self.stiffness, *self.damping, self.preload)):
            yield (), "has no effect. Set `stiffness` or `damping`, [x, y], or `preload`."

    def _wrong_line(self) -> Iterator[Problem]:
        """Yield errors for settings that do not apply to an axial spring, or only to one."""
        if not self.axial:
            if self.length is not None:
                yield ("length",), "has no effect without axial = true. Remove it."
            return
        if self.preload:
            words = f"is {self.preload:g} N; an axial spring is preloaded by its free `length`"
            yield ("preload",), words
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
    """Cycle jump for wear under a periodic motion: each computed cycle represents several."""

    period: Number = si("s", "duration of a cycle, a whole number of steps", gt=0)
    cycles: int = key("largest number of cycles that one computed cycle represents", ge=2, le=10**9)
    depth: Number = si("m", "largest wear depth skipped in one jump", gt=0)
    start: Number = si("s", "start of the first cycle, for example the end of a preload", 0.0, ge=0)


class Watch(StudyModel):
    """A history output."""

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
        "max-von-mises",
        "max-principal-stress",
        "plastic-strain",
        "contact-force",
        "contact-pressure",
        "peak-pressure",
        "contact-width",
        "wear-work",
        "work-rate",
        "reaction",
        "pretension-force",
        "pretension-shortening",
        "wetted-length",
    ] = key(
        "`displacement`, `velocity`, `acceleration`, `stress`: at a point; "
        "`centroid-displacement`, `centroid-velocity`: volume mean of a body (mass-weighted "
        "with redistributed mass); "
        "`angular-momentum`: of an unconstrained body and the bodies connected to it, "
        "about their centre of mass; `rotation`, `angular-velocity`: of a corotational "
        "body, anticlockwise; `plastic-strain`: equivalent plastic strain ∫ √(2/3) "
        "|dε_p| at a point; `max-von-mises`, `max-principal-stress`: largest nodal stress of a "
        "body; `peak-pressure`, `contact-width`: largest nodal pressure and closed length of "
        "a pair; `contact-force`: resultant of a pair; `contact-pressure`: "
        "nodal force per area; `wear-work`: ∫∫ p |ds| dA over the contact surface, the "
        "wear volume for `wear` = 1; `work-rate`: rate of `wear-work`; `reaction`: "
        "force of a support on the body; `pretension-force` (tension positive) and "
        "`pretension-shortening`: of a pretension section; `wetted-length`: length of the "
        "slave that a fluid wets"
    )
    at: Name = key("point, body, contact pair, support or load, depending on `type`")
    place: Vector2 | None = si(
        "m", "for `contact-pressure`: position [x, y] of the slave node in the mesh", None
    )
    component: Literal["x", "y", "xx", "yy", "zz", "xy", "normal", "tangential"] = key(
        "`x`, `y` of a vector; `xx`, `yy`, `zz`, `xy` of a stress (`zz`: out of plane, "
        "hoop stress if axisymmetric); `normal`, `tangential` of a contact force or "
        "pressure",
        "x",
    )

    @property
    def of_pair(self) -> bool:
        """Return True if `at` names a contact pair."""
        return self.type in OF_A_PAIR

    @property
    def of_body(self) -> bool:
        """Return True if `at` names a body."""
        means = ("centroid-displacement", "centroid-velocity", "angular-momentum")
        return self.type in (*means, *OF_A_TURN, *OF_STRESS)

    @property
    def of_pretension(self) -> bool:
        """Return True if `at` names a pretension section."""
        return self.type.startswith("pretension-")

    @property
    def of_turn(self) -> bool:
        """Return True if the quantity is the rotation of a body."""
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
