"""A finite-element study: elastic bodies in the plane, supports, loads, springs, contact, time.

Forces, stiffnesses and masses are per metre of depth.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, Strict, model_validator

from fecontact.study.base import Name, Number, StudyModel, Vector2, key, si, table
from fecontact.study.common import Study
from fecontact.study.shapes import MeshSource


class Material(StudyModel):
    """Isotropic linear elasticity with Rayleigh damping.

    C = rayleigh_mass·M + rayleigh_stiffness·K.
    """

    young: Number = si("Pa", "Young's modulus E", gt=0)
    poisson: Number = si("1", "Poisson's ratio ν", 0.0, gt=-1, lt=0.5)
    density: Number = si("kg/m³", "density ρ; 0 is allowed on a held body", ge=0)
    rayleigh_mass: Number = si("1/s", "damping proportional to the mass", 0.0, ge=0)
    rayleigh_stiffness: Number = si("s", "damping proportional to the stiffness", 0.0, ge=0)


class Body(StudyModel):
    """A body: the cells of one group, one material, its motion at t = 0."""

    material: Name = key("name of a material")
    cells: Name | None = key("cell group; the body's own name if not given", None)
    displacement: Vector2 = si("m", "uniform initial displacement [x, y]", (0.0, 0.0))
    velocity: Vector2 = si("m/s", "uniform initial velocity [x, y]", (0.0, 0.0))


class Support(StudyModel):
    """Prescribed displacement of a body, an edge or a point: value · function(t)."""

    on: Name = key("body, edge group or point")
    x: Number | None = si("m", "displacement in x; free if not given", None)
    y: Number | None = si("m", "displacement in y; free if not given", None)
    function: Name | None = key("function of time; constant 1 if not given", None)

    @model_validator(mode="after")
    def _holds_something(self) -> Support:
        if self.x is None and self.y is None:
            raise ValueError("give x, y or both")
        return self


class Pressure(StudyModel):
    """Pressure on an edge, positive towards the body."""

    type: Literal["pressure"]
    on: Name = key("edge group")
    value: Number = si("Pa", "pressure")
    function: Name | None = key("function of time; constant 1 if not given", None)


class Traction(StudyModel):
    """Force per area on an edge, in fixed directions."""

    type: Literal["traction"]
    on: Name = key("edge group")
    value: Vector2 = si("Pa", "traction [x, y]")
    function: Name | None = key("function of time; constant 1 if not given", None)


class BodyForce(StudyModel):
    """Force per volume on a body."""

    type: Literal["body-force"]
    on: Name = key("body")
    value: Vector2 = si("N/m³", "force density [x, y]")
    function: Name | None = key("function of time; constant 1 if not given", None)


class Gravity(StudyModel):
    """Weight ρ·g of a body."""

    type: Literal["gravity"]
    on: Name = key("body")
    value: Vector2 = si("m/s²", "acceleration of gravity [x, y]")
    function: Name | None = key("function of time; constant 1 if not given", None)


class PointForce(StudyModel):
    """Force at a point, per metre of depth."""

    type: Literal["point-force"]
    on: Name = key("point")
    value: Vector2 = si("N/m", "force [x, y]")
    function: Name | None = key("function of time; constant 1 if not given", None)


Load = Annotated[
    Pressure | Traction | BodyForce | Gravity | PointForce, Field(discriminator="type")
]


class Spring(StudyModel):
    """A discrete spring and dashpot between two points, or a point and the ground."""

    between: Annotated[tuple[Name, Name], Strict(False)] = key(
        'two points, or a point and "ground"; an isolated point is ground'
    )
    stiffness: Vector2 = si("N/m per m", "stiffness in x and y", (0.0, 0.0))
    damping: Vector2 = si("N·s/m per m", "dashpot in x and y", (0.0, 0.0))

    @model_validator(mode="after")
    def _not_negative(self) -> Spring:
        if min(*self.stiffness, *self.damping) < 0:
            raise ValueError("stiffness and damping must not be negative")
        return self


class PointMass(StudyModel):
    """A mass carried by a point."""

    on: Name = key("point")
    mass: Number = si("kg per m", "mass", ge=0)


class ContactPair(StudyModel):
    """Unilateral contact with Coulomb friction between a slave and a master edge."""

    slave: Name = key("edge group whose nodes must not penetrate the master")
    master: Name = key("edge group that receives them")
    friction: Number = si("1", "Coulomb coefficient μ", 0.0, ge=0, le=10)
    method: Literal["lagrangian", "penalty", "continuous"] = key(
        "`lagrangian`: nodal multipliers, exact; `penalty`: a stiffness at each node; "
        "`continuous`: pressures interpolated on the slave edge, constraint integrated over it",
        "lagrangian",
    )
    normal_penalty: Number | Literal["auto"] = si(
        "N/m per m", "for `penalty`: E_N of a node, or chosen from its compliance", "auto"
    )
    tangential_penalty: Number | Literal["auto"] = si(
        "N/m per m", "for `penalty`: E_T of a node, or chosen from its compliance", "auto"
    )
    quadrature: int = key("for `continuous`: Gauss points per slave edge", 3, ge=1, le=20)
    augmentation: Number = si(
        "1", "scale of the augmentation parameter; the result does not depend on it", 1.0, gt=0
    )
    wear: Number = si(
        "1/Pa", "Archard coefficient: worn volume per normal force and slip", 0.0, ge=0
    )

    @model_validator(mode="after")
    def _sensible(self) -> ContactPair:
        if self.slave == self.master:
            raise ValueError(f"slave and master are the same edge group {self.slave!r}")
        for name in ("normal_penalty", "tangential_penalty"):
            value = getattr(self, name)
            if value != "auto" and value <= 0:
                raise ValueError(f"{name} must be positive or 'auto', not {value:g}")
        return self


Scheme = Literal[
    "newmark",
    "hht",
    "generalized-alpha",
    "average-acceleration",
    "implicit-euler",
    "static",
]


class Time(StudyModel):
    """Time scheme and steps."""

    scheme: Scheme = key("time scheme", "hht")
    step: Number = si("s", "time step (load step of a static analysis)", gt=0)
    end: Number = si("s", "end of the run", gt=0)
    alpha: Number = si("1", "for `hht`: α", -0.1, ge=-1 / 3, le=0)
    modified_equilibrium: bool = key(
        "for `hht`: weigh the equilibrium between both ends of the step (the full HHT); false is "
        "code_aster's MODI_EQUI='NON', where α only sets β = (1−α)²/4, γ = ½−α",
        True,
    )
    beta: Number = si("1", "for `newmark`: β", 0.25, gt=0, le=1)
    gamma: Number = si("1", "for `newmark`: γ", 0.5, ge=0.5, le=1)
    rho_infinity: Number = si(
        "1", "for `generalized-alpha`: spectral radius at infinite frequency", 0.8, ge=0, le=1
    )
    impact: Literal["implicit", "velocity", "stabilized", "redistributed-mass"] = key(
        "how a closing contact is treated: `implicit` gap constraint; `velocity` constraint once "
        "closed; contact-`stabilized` Newmark; contact nodes without mass (`redistributed-mass`)",
        "implicit",
    )
    cut: int = key("a failed step is cut in n parts", 5, ge=2, le=100)
    minimum_step: Number = si("s", "smallest step before the run gives up", 1e-7, gt=0)
    milestones: Annotated[tuple[Number, ...], Strict(False)] = si(
        "s", "times that are hit exactly, besides the end", ()
    )

    @model_validator(mode="after")
    def _steps_fit(self) -> Time:
        if self.step > self.end:
            raise ValueError(
                f"step = {self.step:g} s is longer than the run (end = {self.end:g} s)"
            )
        if self.end / self.step > 1e9:
            raise ValueError("more than 1e9 steps: enlarge step or shorten end")
        if self.minimum_step > self.step:
            raise ValueError("minimum_step must not exceed step")
        return self


class Watch(StudyModel):
    """A quantity followed in the history."""

    type: Literal[
        "displacement", "velocity", "acceleration", "stress", "contact-force", "reaction"
    ] = key("what is followed")
    at: Name = key("point; contact pair for `contact-force`; support for `reaction`")
    component: Literal["x", "y", "xx", "yy", "xy", "normal", "tangential"] = key(
        "x or y; xx, yy, xy of a stress; normal or tangential of a contact force", "x"
    )

    @model_validator(mode="after")
    def _component_fits(self) -> Watch:
        allowed = {
            "stress": ("xx", "yy", "xy"),
            "contact-force": ("x", "y", "normal", "tangential"),
        }.get(self.type, ("x", "y"))
        if self.component not in allowed:
            raise ValueError(
                f"component = {self.component!r} does not fit {self.type!r}: "
                f"use {', '.join(allowed)}"
            )
        return self


class FiniteElementStudy(Study):
    """Elastic bodies in the plane with contact, in time."""

    kind: Literal["finite-element"]
    plane: Literal["strain", "stress"] = key("plane strain or plane stress", "strain")
    mass_matrix: Literal["consistent", "lumped"] = key("mass matrix", "consistent")
    solver: Literal["mumps", "lu"] = key(
        "`mumps`, or `lu`: PETSc's own (a distributed one under MPI)", "mumps"
    )
    mesh: MeshSource = key("geometry and mesh")
    materials: dict[Name, Material] = key("materials, by name", min_length=1)
    bodies: dict[Name, Body] = key("bodies, by name", min_length=1)
    supports: dict[Name, Support] = table("prescribed displacements, by name")
    loads: dict[Name, Load] = table("loads, by name")
    springs: dict[Name, Spring] = table("discrete springs and dashpots, by name")
    point_masses: dict[Name, PointMass] = table("point masses, by name")
    contact: dict[Name, ContactPair] = table("contact pairs, by name")
    time: Time = key("time scheme and steps")
    watch: dict[Name, Watch] = table("histories, by name of the column")

    @model_validator(mode="after")
    def _names_exist(self) -> FiniteElementStudy:
        missing: list[str] = []

        def require(where: str, what: str, name: str | None, known: dict) -> None:
            if name is not None and name not in known:
                missing.append(f"{where}: there is no {what} {name!r}{_known(known)}")

        for name, body in self.bodies.items():
            require(f"bodies.{name}.material", "material", body.material, self.materials)
        for group in ("supports", "loads"):
            for name, item in getattr(self, group).items():
                require(f"{group}.{name}.function", "function", item.function, self.functions)
        for name, watch in self.watch.items():
            known = {"contact-force": self.contact, "reaction": self.supports}.get(watch.type)
            if known is not None:
                what = "contact pair" if watch.type == "contact-force" else "support"
                require(f"watch.{name}.at", what, watch.at, known)
        if missing:
            raise ValueError("; ".join(missing))
        return self


def _known(names: dict) -> str:
    return f" (there are: {', '.join(map(repr, names))})" if names else " (none is defined)"
