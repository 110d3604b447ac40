"""A finite-element study: elastic bodies in the plane, supports, loads, springs, contact, time.

Forces, stiffnesses, masses and energies are those of bodies with a `thickness`, of whole rings in
axisymmetry; where neither is said, bodies are one metre deep and all of these are per metre.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Strict

from fecontact.contact.methods import ContactPair
from fecontact.contact.tools import Tool
from fecontact.contact.tools.base import FUNCTIONS
from fecontact.dynamics.schemes import Time
from fecontact.solid.laws import Material
from fecontact.study.base import (
    PER_DEPTH,
    Line,
    Name,
    Number,
    Path,
    Problem,
    StudyModel,
    Vector2,
    closest,
    in_toml,
    key,
    missing,
    si,
    switch,
    table,
    there_are,
    unknown,
)
from fecontact.study.common import GROUND, Study
from fecontact.study.drives import impossible_drives
from fecontact.study.foundations import Foundation
from fecontact.study.functions import jumps
from fecontact.study.loads import ALONG, PLACE_OF_LOAD, Gravity, Load
from fecontact.study.profiles import Profile
from fecontact.study.shapes import MeshSource
from fecontact.study.steps import too_long_history

ENERGIES = (
    "kinetic",
    "strain",
    "springs",
    "contact",
    "external",
    "friction",
    "contact_loss",
    "damping",
    "numerical",
    "closure",
)
"""The histories `energy.…` of every run."""

OF_STAGES = "switched"
"""The one besides of a run in stages."""

OF_A_PAIR = ("normal", "tangential", "stick", "slip", "open")
"""The histories `contact.PAIR.…` of every contact pair."""

OF_A_TOOL = ("x", "y", "moment")
"""The histories `tool.TOOL.…` of every tool that is a master."""

OF_A_DRIVEN_TOOL = {
    "displacement_x": "m",
    "displacement_y": "m",
    "rotation": "rad",
    "velocity_x": "m/s",
    "velocity_y": "m/s",
    "spin": "rad/s",
}
"""The histories `tool.TOOL.…` of every tool that forces drive, and their units."""

SCALARS = ("energy.closure", "residual.equilibrium")
"""The scalars of every run."""

OF_MOTION = ("energy.made",)
"""The scalars of every run that is not static."""

NOT_DAMPED = "is damping, which an explicit time.scheme does not take; it must be 0"

OF_SEVERAL = ("overlap",)
"""The scalars of every run with several bodies."""

OF_CONTACT = ("residual.contact", "penetration")
"""The scalars of every run with contact."""

OF_A_SURFACE = (
    "width",
    "stick_width",
    "peak_pressure",
    "closed_time",
    "impulse",
    "wear_energy",
    "worn_volume",
    "worn_volume_of_master",
)
"""The scalars `contact.PAIR.…` of every contact pair."""


OF_A_TURN = ("rotation", "spin")
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
    motion: Literal["linear", "turning"] = key(
        "of a body with a linear material law: `linear`: small strain and small rotation; "
        "`turning`: small strain in axes that turn with the body, which may turn as far as it "
        "likes; bodies of laws of finite strain strain and turn as far as they like",
        "linear",
    )
    spin: Number = si(
        "rad/s",
        "initial rate of rotation about the centre of mass, anticlockwise; of a `turning` body",
        0.0,
    )

    def problems(self) -> Iterator[Problem]:
        if self.spin and self.motion != "turning":
            yield ("spin",), f'is {self.spin:g} rad/s; it must be 0 unless motion = "turning"'

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
    function: Name | None = key("function of time; constant 1 if not given", None)
    along: Profile | None = key(ALONG, None)

    def problems(self) -> Iterator[Problem]:
        if self.x is None and self.y is None:
            yield (), "holds nothing; it must have `x`, `y` or both, in m"


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
    follows: bool = key(
        "whether it acts along the line between its two points wherever these go, with the first "
        "numbers of `stiffness` and `damping`; on a turning body",
        False,
    )
    length: Number | None = si(
        "m",
        "length at which a spring that follows is free of force; if not given, that at the start",
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
            yield (), "does nothing; it must have a `stiffness` or a `damping`, [x, y]"

    def _wrong_line(self) -> Iterator[Problem]:
        """What does not go with the line between two points."""
        if not self.follows:
            if self.length is not None:
                yield ("length",), "is only for a spring with follows = true"
            return
        if GROUND in self.between:
            yield (
                ("between",),
                f"is {in_toml(self.between)}; a spring that follows needs two points, of which one "
                "may be an isolated one of [mesh.points]",
            )
        for name in ("stiffness", "damping"):
            value = getattr(self, name)
            if value[1]:
                yield (
                    (name,),
                    f"is {in_toml(value)}; a spring that follows acts along its line only, so the "
                    "second number must be 0",
                )
        if self.direction != (1.0, 0.0):
            yield ("direction",), "is not read by a spring with follows = true; leave it out"


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
        "mean-displacement",
        "mean-velocity",
        "rotation",
        "spin",
        "stress",
        "contact-force",
        "contact-pressure",
        "wear-energy",
        "wear-power",
        "reaction",
    ] = key(
        "what is followed; `mean-…`: of the centre of mass of a body; `rotation`, `spin`: angle "
        "since the start, and its rate, of a turning body, anticlockwise; `contact-pressure`: "
        "force over area at a slave node; `wear-energy`: ∫∫ pressure · |d slip| ds over a contact "
        "surface, Archard's worn volume for `wear` = 1; `wear-power`: its rate"
    )
    at: Name = key(
        "point; body for `mean-…`, `rotation` and `spin`; contact pair for `contact-…` and "
        "`wear-…`; support for `reaction`"
    )
    place: Vector2 | None = si(
        "m", "for `contact-pressure`: where the slave node [x, y] lies in the mesh", None
    )
    component: Literal["x", "y", "xx", "yy", "zz", "xy", "normal", "tangential"] = key(
        "x or y; xx, yy, zz, xy of a stress (zz: out of the plane, in axisymmetry round the axis); "
        "normal or tangential of a contact force or pressure; of wear, rotation and spin not read",
        "x",
    )

    @property
    def of_pair(self) -> bool:
        """True if `at` names a contact pair."""
        return self.type in ("contact-force", "contact-pressure", "wear-energy", "wear-power")

    @property
    def of_body(self) -> bool:
        """True if `at` names a body."""
        return self.type in ("mean-displacement", "mean-velocity", *OF_A_TURN)

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
            yield ("place",), "is missing; it must be where the slave node [x, y] lies in the mesh"
        elif self.type != "contact-pressure" and self.place is not None:
            yield ("place",), f'is only read with type = "contact-pressure", not "{self.type}"'
        if self.component not in allowed:
            yield (
                ("component",),
                f'is "{self.component}"; for type = "{self.type}" it must be '
                + " or ".join(map(in_toml, allowed)),
            )


def solver_name(word: Any) -> Any:
    """The solver that a word names: `lu` is what `cholesky` was called before."""
    return "cholesky" if word == "lu" else word


class FiniteElementStudy(Study):
    """Elastic bodies in the plane with contact, in time."""

    kind: Literal["finite-element"] = key("what kind of study this is")
    plane: Literal["strain", "stress", "axisymmetric"] = key(
        "plane strain, plane stress, or bodies of revolution: x is the radius, y the axis, and "
        "forces, stiffnesses, masses and energies are those of the whole ring, 2πr round",
        "strain",
    )
    mass_matrix: Literal["consistent", "lumped"] = key("mass matrix", "consistent")
    solver: Annotated[Literal["auto", "mumps", "cholesky"], BeforeValidator(solver_name)] = key(
        "`mumps`, or `cholesky`: PETSc's own on one rank, the LU of SuperLU_DIST on several (`lu` "
        "is read as `cholesky`); `auto`: what is faster, `cholesky` on one rank (with up to 1000 "
        "contact dofs), else `mumps`",
        "auto",
    )
    mesh: MeshSource = key("geometry and mesh")
    materials: dict[Name, Material] = key("materials, by name", min_length=1)
    bodies: dict[Name, Body] = key("bodies, by name", min_length=1)
    supports: dict[Name, Support] = table("prescribed displacements, by name")
    loads: dict[Name, Load] = table("loads, by name")
    springs: dict[Name, Spring] = table("discrete springs and dashpots, by name")
    foundations: dict[Name, Foundation] = table("what lies behind edges, by name")
    point_masses: dict[Name, PointMass] = table("point masses, by name")
    tools: dict[Name, Tool] = table("rigid tools without a mesh, by name: masters of contact pairs")
    contact: dict[Name, ContactPair] = table("contact pairs, by name")
    time: Time = key("time scheme and steps")
    start: Line | None = key(
        "result folder of a run on the same mesh that has ended: this one begins where that one "
        "did, at its own t = 0",
        None,
    )
    stages: dict[Name, dict[str, Any]] = table(
        "parts of the run, one after the other: each a partial study (`time`, `supports`, `loads`, "
        "`springs`, `foundations`, `contact`) laid over the one before, until its `time.end`"
    )
    cycle_jump: CycleJump | None = key("how cycles of wear are skipped", None)
    watch: dict[Name, Watch] = table("histories, by name of the column")

    @property
    def per_depth(self) -> str:
        """What follows the units of forces, masses and energies: "/m" where bodies have no depth of
        their own."""
        thick = any(body.thickness is not None for body in self.bodies.values())
        return "" if thick or self.axisymmetric else "/m"

    @property
    def energies(self) -> tuple[str, ...]:
        """The histories `energy.…` of the run."""
        return (*ENERGIES, OF_STAGES) if self.stages else ENERGIES

    @property
    def acting(self) -> FiniteElementStudy:
        """The study without what is switched off."""
        names = ("supports", "loads", "springs", "foundations", "contact")
        acting = {
            name: {n: item for n, item in getattr(self, name).items() if item.active}
            for name in names
        }
        return self.model_copy(update=acting)

    @property
    def axisymmetric(self) -> bool:
        """Whether bodies are bodies of revolution about x = 0."""
        return self.plane == "axisymmetric"

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from self._unknown_names()
        if self.axisymmetric:
            yield from self._impossible_in_axisymmetry()
        if self.mesh.file is None:
            yield from self._unknown_places()
        yield from self._unknown_quantities()
        yield from self._not_explicit()
        yield from self._jumping_supports()
        yield from self._impossible_turns()
        yield from self._two_starts()
        yield from self._impossible_finite_strain()
        yield from impossible_drives(self.tools, self.contact, self.time, self.axisymmetric)
        yield from self.time_problems(self.time.end)
        columns = 1 + len(self.watch) + len(self.energies) + len(OF_A_PAIR) * len(self.contact)
        yield from too_long_history(self.time.step, self.time.end, self.output.every, columns)

    def _two_starts(self) -> Iterator[Problem]:
        """Motions at t = 0 of bodies that begin with that of another run."""
        for name, body in self.bodies.items() if self.start is not None else ():
            for key_ in ("displacement", "velocity", "spin"):
                if getattr(body, key_) not in ((0.0, 0.0), 0.0):
                    words = "does nothing: with `start` bodies move as those of the other run did"
                    yield ("bodies", name, key_), words

    def _not_explicit(self) -> Iterator[Problem]:
        """What an explicit scheme cannot have: a mass matrix that is not diagonal, and damping."""
        if not self.time.coefficients().explicit:
            return
        if self.mass_matrix != "lumped":
            yield (
                ("mass_matrix",),
                f'is "{self.mass_matrix}"; it must be "lumped" with an explicit time.scheme',
            )
        for name, material in self.materials.items():
            for damping in ("rayleigh_mass", "rayleigh_stiffness"):
                if getattr(material, damping) > 0.0:
                    yield ("materials", name, damping), NOT_DAMPED
        for name, spring in self.springs.items():
            if any(spring.damping):
                yield ("springs", name, "damping"), NOT_DAMPED
        for name, foundation in self.foundations.items():
            if foundation.damps:
                yield ("foundations", name), NOT_DAMPED.replace("it must be 0", "leave it out")

    def _turns(self, body: str) -> bool:
        return body in self.bodies and self.bodies[body].motion == "turning"

    @property
    def turning(self) -> bool:
        """Whether some body turns."""
        return any(map(self._turns, self.bodies))

    def _impossible_turns(self) -> Iterator[Problem]:
        """What turning bodies cannot have."""
        for name, body in self.bodies.items():
            if body.motion != "turning":
                continue
            where = ("bodies", name, "motion")
            if self.axisymmetric:
                yield where, 'is "turning"; a body of revolution cannot turn out of its plane'
            elif self.time.coefficients().explicit or not self.time.inertia:
                yield (
                    where,
                    'is "turning", which an explicit or static time.scheme does not do; choose '
                    'another scheme, such as "energy-momentum" or "hht"',
                )
            material = self.materials.get(body.material)
            if material is None:
                continue
            if material.density == 0.0:
                yield where, 'is "turning"; its material must have a density'
            if material.rayleigh_mass or material.rayleigh_stiffness:
                yield where, 'is "turning"; its material must have no Rayleigh damping'

    @property
    def finite(self) -> list[str]:
        """The bodies of finite strain."""
        return [
            name
            for name, body in self.bodies.items()
            if body.material in self.materials and self.materials[body.material].finite
        ]

    def _impossible_finite_strain(self) -> Iterator[Problem]:
        """What bodies of finite strain cannot have."""
        for name in self.finite:
            where = ("bodies", name, "material")
            law = f'is "{self.bodies[name].material}", of finite strain'
            if self.plane == "stress":
                yield where, f'{law}, which plane = "stress" does not have; choose another plane'
            if self.bodies[name].motion == "turning":
                yield where, f'{law}, which turns by itself; leave out motion = "turning"'
            elif self.turning:
                yield where, f"{law}; there cannot be turning bodies beside it"
            if self.time.coefficients().explicit or self.time.conserving:
                yield (
                    where,
                    f"{law}, which the time.scheme does not do; choose another one, such as "
                    '"newmark", "hht" or "static"',
                )

    def _jumping_supports(self) -> Iterator[Problem]:
        """Supports that jump while there is inertia: their velocity would be infinite."""
        for name, support in self.supports.items():
            at = jumps(self.functions, support.function)
            if at and self.time.inertia and any((support.x, support.y)):
                yield (
                    ("supports", name, "function"),
                    f"is {in_toml(support.function)}, which jumps at {at[0]:g} s; with inertia the "
                    "support would need an infinite velocity, so give it a ramp",
                )

    def _unknown_names(self) -> Iterator[Problem]:
        """References to materials, functions, contact pairs and supports that do not exist."""
        for name, body in self.bodies.items():
            path = ("bodies", name, "material")
            yield from missing(path, "material", body.material, self.materials)
        for group in ("supports", "loads"):
            for name, item in getattr(self, group).items():
                if item.function is not None:
                    path = (group, name, "function")
                    yield from missing(path, "function", item.function, self.functions)
        for name, pair in self.contact.items():
            if pair.offset_function is not None:
                path = ("contact", name, "offset_function")
                yield from missing(path, "function", pair.offset_function, self.functions)
        yield from self._wrong_tools()
        yield from self._worn_tools()
        yield from self._impossible_jumps()
        for name, watch in self.watch.items():
            if watch.of_pair:
                yield from missing(("watch", name, "at"), "contact pair", watch.at, self.contact)
            elif watch.of_body:
                yield from missing(("watch", name, "at"), "body", watch.at, self.bodies)
                if watch.of_turn and not self._turns(watch.at):
                    yield (
                        ("watch", name, "type"),
                        f'is "{watch.type}", but bodies.{watch.at} does not turn; it must have '
                        'motion = "turning"',
                    )
            elif watch.type == "reaction":
                yield from missing(("watch", name, "at"), "support", watch.at, self.supports)

    def _wrong_tools(self) -> Iterator[Problem]:
        """Functions and parts of tools that there are not."""
        for name, tool in self.tools.items():
            for key_ in FUNCTIONS:
                function = getattr(tool, key_)
                if function is not None:
                    yield from missing(("tools", name, key_), "function", function, self.functions)
            for words in tool.wrong_parts(self.tools):
                yield ("tools", name, "of"), words

    def _impossible_jumps(self) -> Iterator[Problem]:
        """Cycles that nothing wears in, or that do not end with a step."""
        jump = self.cycle_jump
        if jump is None:
            return
        if not any(pair.wear_law for pair in self.contact.values()):
            yield ("cycle_jump",), "skips cycles of wear, but no contact pair has `wear`"
        steps = jump.period / self.time.step
        if abs(steps - round(steps)) > 1e-6 or jump.period > self.time.end:
            yield (
                ("cycle_jump", "period"),
                f"is {jump.period:g}; it must be a whole number of steps of {self.time.step:g} s, "
                f"and not longer than the run, {self.time.end:g} s",
            )

    def _worn_tools(self) -> Iterator[Problem]:
        """Masters that are to wear, but are tools."""
        for name, pair in self.contact.items():
            if pair.wear_of_master > 0.0 and pair.master in self.tools:
                yield (
                    ("contact", name, "wear_of_master"),
                    f"is {pair.wear_of_master:g}, but the master {in_toml(pair.master)} is a rigid "
                    "tool, which does not wear; it must be 0",
                )

    @property
    def tools_used(self) -> list[str]:
        """The tools that are masters of contact pairs, in the order of these."""
        masters = (pair.master for pair in self.contact.values())
        return list(dict.fromkeys(name for name in masters if name in self.tools))

    @property
    def tools_driven(self) -> list[str]:
        """Those of them that forces drive."""
        return [name for name in self.tools_used if self.tools[name].free]

    def _impossible_in_axisymmetry(self) -> Iterator[Problem]:
        """What bodies of revolution cannot have."""
        for name, body in self.bodies.items():
            if body.thickness is not None:
                words = "makes no sense of a body of revolution; leave it out"
                yield ("bodies", name, "thickness"), words
        for name, load in self.loads.items():
            if isinstance(load, Gravity) and load.value[0] != 0.0:
                yield (
                    ("loads", name, "value"),
                    f'is {in_toml(load.value)}; with plane = "axisymmetric" gravity must act along '
                    "the axis, [0.0, y]",
                )

    def _unknown_places(self) -> Iterator[Problem]:
        """References to cells, edges and points that the shapes of the mesh do not have."""
        shapes = self.mesh.shapes
        edges = [group for name, shape in shapes.items() for group in shape.edge_groups(name)]
        points = [point for name, shape in shapes.items() for point in shape.named_points(name)]
        points += self.mesh.points
        for name, body in self.bodies.items():
            if body.cells is not None:
                yield from missing(("bodies", name, "cells"), "shape", body.cells, shapes)
            elif name not in shapes:
                near = closest(name, shapes) or there_are(shapes)
                yield ("bodies", name), f"has no `cells`, and no shape has its name{near}"
        owners = [body.cells or name for name, body in self.bodies.items()]
        for name in shapes if all(owner in shapes for owner in owners) else ():
            if name not in owners:
                yield ("mesh", "shapes", name), "belongs to no body; add it to [bodies]"
            elif owners.count(name) > 1:
                yield ("mesh", "shapes", name), "belongs to several bodies; it must be one"
        for name, support in self.supports.items():
            known = [*self.bodies, *edges, *points]
            yield from missing(("supports", name, "on"), "body, edge or point", support.on, known)
        for name, load in self.loads.items():
            what = PLACE_OF_LOAD[load.type]
            places = {"body": list(self.bodies), "edge": edges, "point": points}[what]
            yield from missing(("loads", name, "on"), what, load.on, places)
        for name, foundation in self.foundations.items():
            yield from missing(("foundations", name, "on"), "edge", foundation.on, edges)
        for name, spring in self.springs.items():
            for i, end in enumerate(spring.between):
                where: Path = ("springs", name, "between", i)
                yield from missing(where, "point", end, [*points, GROUND])
        for name, mass in self.point_masses.items():
            yield from missing(("point_masses", name, "on"), "point", mass.on, points)
        for name, pair in self.contact.items():
            yield from missing(("contact", name, "slave"), "edge", pair.slave, edges)
            for i, place in enumerate(pair.without):
                where = ("contact", name, "without", i)
                yield from missing(where, "point or edge", place, [*points, *edges])
            masters = [*edges, *self.tools]
            if pair.master in self.tools and pair.master in edges:
                words = f"is {in_toml(pair.master)}, an edge and a tool; give the tool another name"
                yield ("contact", name, "master"), words
            yield from missing(("contact", name, "master"), "edge or tool", pair.master, masters)
        for name, watch in self.watch.items():
            if not (watch.of_pair or watch.of_body or watch.type == "reaction"):
                yield from missing(("watch", name, "at"), "point", watch.at, points)

    def _unknown_quantities(self) -> Iterator[Problem]:
        """Checks and sweeps may only ask for histories and scalars that the run will have."""
        kept = [f"energy.{name}" for name in self.energies]
        kept += [f"contact.{pair}.{name}" for pair in self.contact for name in OF_A_PAIR]
        kept += [f"tool.{tool}.{name}" for tool in self.tools_used for name in OF_A_TOOL]
        kept += [f"tool.{t}.{name}" for t in self.tools_driven for name in OF_A_DRIVEN_TOOL]
        yield from self.taken_names(self.watch, [*kept, "solver.step", "solver.iterations"])
        scalars = [*SCALARS, *(OF_CONTACT if self.contact else ()), *self._profile_errors()]
        scalars += ["wear.cycles"] if self.cycle_jump is not None else []
        scalars += OF_MOTION if self.time.inertia else ()
        scalars += OF_SEVERAL if len(self.bodies) > 1 else ()
        scalars += [
            f"contact.{name}.{scalar}"
            for name, pair in self.contact.items()
            for scalar in OF_A_SURFACE
            if scalar != "worn_volume" or pair.wear_law is not None
            if scalar != "worn_volume_of_master" or pair.wear_of_master > 0
        ]
        for path, measured in self.measured():
            name = measured.quantity
            if measured.measure == "scalar":
                yield from missing((*path, "quantity"), "scalar result", name, scalars)
            elif name not in self.watch and name not in kept:
                if name.startswith(("energy.", "contact.", "tool.")):
                    yield (*path, "quantity"), unknown("history", name, kept)
                else:
                    yield (*path, "quantity"), unknown("watched quantity", name, self.watch)

    def _profile_errors(self) -> Iterator[str]:
        """The scalars PAIR.pressure.error and PAIR.traction.error, where a reference has them."""
        profiles = {f"{pair}.{name}" for pair in self.contact for name in ("pressure", "traction")}
        for reference in self.references.values():
            yield from (f"{curve}.error" for curve in reference.curves if curve in profiles)
