"""Finite-element study: elastic bodies in the plane, supports, loads, springs, contact, time.

Forces, stiffnesses, masses and energies are for bodies with a `thickness`, or for the full
circumference of axisymmetric bodies; otherwise they are per metre of depth.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, model_validator

from fecontact.contact.methods import ContactPair
from fecontact.contact.tools import Tool
from fecontact.dynamics.schemes import Time
from fecontact.solid.laws import Material
from fecontact.study.base import (
    Line,
    Name,
    Problem,
    key,
    table,
)
from fecontact.study.common import Study
from fecontact.study.models.foundations import Foundation
from fecontact.study.models.general_contact import with_general_contact
from fecontact.study.models.loads import Load
from fecontact.study.models.modes import Modes
from fecontact.study.models.parts import Body, CycleJump, PointMass, Spring, Support, Watch
from fecontact.study.output_names import (
    ENERGIES,
    OF_A_MOVED_TOOL,
    OF_A_PAIR,
    OF_JUMPS,
    OF_RELAXATION,
    OF_STAGES,
    OF_YIELD,
)
from fecontact.study.shapes import MeshSource
from fecontact.study.steps import too_long_history
from fecontact.study.validation.compatibility import contradictions
from fecontact.study.validation.drives import impossible_drives
from fecontact.study.validation.names import unknown_names, unknown_places, unknown_quantities


def solver_name(word: Any) -> Any:
    """Return the solver of a name: `lu` is the former name of `cholesky`."""
    return "cholesky" if word == "lu" else word


class FiniteElementStudy(Study):
    """Elastic bodies in the plane with contact, in time."""

    kind: Literal["finite-element"] = key("kind of study")
    plane: Literal["strain", "stress", "axisymmetric"] = key(
        "`strain`: plane strain; `stress`: plane stress; `axisymmetric`: x is the "
        "radius, y the axis; forces, stiffnesses, masses and energies are for the full "
        "circumference (2π rad)",
        "strain",
    )
    mass_matrix: Literal["consistent", "lumped"] = key("mass matrix", "consistent")
    solver: Annotated[Literal["auto", "mumps", "cholesky"], BeforeValidator(solver_name)] = key(
        "`mumps`: MUMPS; `cholesky`: block elimination on one rank, SuperLU_DIST on "
        "several (`lu` is an alias); `auto`: `cholesky` on one rank, `mumps` "
        "on several",
        "auto",
    )
    mesh: MeshSource = key("geometry and mesh")
    materials: dict[Name, Material] = key("materials, by name", min_length=1)
    bodies: dict[Name, Body] = key("bodies, by name", min_length=1)
    supports: dict[Name, Support] = table("prescribed displacements, by name")
    loads: dict[Name, Load] = table("loads, by name")
    springs: dict[Name, Spring] = table("discrete springs and dashpots, by name")
    foundations: dict[Name, Foundation] = table(
        "elastic foundations and absorbing boundaries, by name"
    )
    point_masses: dict[Name, PointMass] = table("point masses, by name")
    tools: dict[Name, Tool] = table("rigid tools (analytical rigid surfaces), by name")
    contact: dict[Name, ContactPair] = table(
        "contact pairs, by name; `all`, without slave and master: general contact"
    )
    time: Time = key("time integration")
    initial_state: Line | None = key(
        "result folder of a completed run on the same mesh; its final state is the "
        "initial state of this run (time restarts at 0)",
        None,
    )
    stages: dict[Name, dict[str, Any]] = table(
        "consecutive parts of the run, by name; each is a partial study (`time`, "
        "`supports`, `loads`, `springs`, `foundations`, `contact`) merged over the "
        "previous stage, until its `time.end`"
    )
    cycle_jump: CycleJump | None = key("cycle jumps for wear", None)
    modes: Modes | None = key("modal analysis: natural frequencies and mode shapes", None)
    watch: dict[Name, Watch] = table("history output, by name of the column")

    @model_validator(mode="before")
    @classmethod
    def _expand_general_contact(cls, data: Any) -> Any:
        return with_general_contact(data)

    @property
    def per_depth(self) -> str:
        """Return the suffix of the units of forces, masses and energies: "/m" for bodies without
        thickness.
        """
        thick = any(body.thickness is not None for body in self.bodies.values())
        return "" if thick or self.axisymmetric else "/m"

    @property
    def energies(self) -> tuple[str, ...]:
        """Return the histories `energy.…` of the run."""
        more = (
            (OF_STAGES, bool(self.stages)),
            (OF_YIELD, bool(self.yielding)),
            (OF_RELAXATION, bool(self.viscoelastic)),
            (OF_JUMPS, self.stabilised),
        )
        return (*ENERGIES, *(name for name, kept in more if kept))

    @property
    def stabilised(self) -> bool:
        """Return True if any stage has stabilised static steps."""
        times = (stage.get("time", {}) for stage in self.stages.values())
        later = any(time.get("stabilization", "off") != "off" for time in times)
        return later or self.time.damping_of_jumps > 0.0

    @property
    def acting(self) -> FiniteElementStudy:
        """Return the study without inactive entries."""
        names = ("supports", "loads", "springs", "foundations", "contact")
        acting = {
            name: {n: item for n, item in getattr(self, name).items() if item.active}
            for name in names
        }
        return self.model_copy(update=acting)

    @property
    def axisymmetric(self) -> bool:
        """Return True if bodies are axisymmetric about x = 0."""
        return self.plane == "axisymmetric"

    @property
    def sheets(self) -> list[str]:
        """Return the plane-stress bodies of an axisymmetric model."""
        return [n for n, body in self.bodies.items() if self.axisymmetric and body.plane]

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        yield from unknown_names(self)
        if self.mesh.file is None:
            yield from unknown_places(self)
        yield from unknown_quantities(self)
        yield from contradictions(self)
        yield from impossible_drives(self.tools, self.contact, self.time, self.axisymmetric)
        yield from self.time_problems(self.time.end)
        columns = 1 + len(self.watch) + len(self.energies) + len(OF_A_PAIR) * len(self.contact)
        yield from too_long_history(self.time.longest, self.time.end, self.output.every, columns)

    def turns(self, body: str) -> bool:
        """Return True if a body is corotational."""
        return body in self.bodies and self.bodies[body].motion == "corotational"

    @property
    def corotational(self) -> bool:
        """Return True if any body is corotational."""
        return any(map(self.turns, self.bodies))

    @property
    def reduced(self) -> list[str]:
        """Return the reduced bodies."""
        return [name for name, body in self.bodies.items() if body.reduction is not None]

    @property
    def finite(self) -> list[str]:
        """Return the finite-strain bodies."""
        return [
            name
            for name, body in self.bodies.items()
            if body.material in self.materials and self.materials[body.material].finite
        ]

    @property
    def yielding(self) -> list[str]:
        """Return the elastoplastic bodies."""
        found = ((name, self.materials.get(body.material)) for name, body in self.bodies.items())
        return [name for name, law in found if law is not None and not (law.linear or law.finite)]

    @property
    def viscoelastic(self) -> list[str]:
        """Return the viscoelastic bodies."""
        found = ((name, self.materials.get(body.material)) for name, body in self.bodies.items())
        return [name for name, law in found if law is not None and law.relaxation is not None]

    @property
    def with_yield_stress(self) -> list[str]:
        """Return the bodies whose material has a yield stress."""
        found = ((name, self.materials.get(body.material)) for name, body in self.bodies.items())
        return [name for name, law in found if law is not None and law.yields_at is not None]

    @property
    def tools_used(self) -> list[str]:
        """Return the tools that are masters of contact pairs, in the order of the pairs."""
        masters = (pair.master for pair in self.contact.values())
        return list(dict.fromkeys(name for name in masters if name in self.tools))

    @property
    def tools_driven(self) -> list[str]:
        """Return the force-controlled tools among them."""
        return [name for name in self.tools_used if self.tools[name].free]

    @property
    def tools_with_moment(self) -> list[str]:
        """Return the used tools whose reference point is given, so that their moment matters."""
        tools = self.tools
        return [n for n in self.tools_used if "reference_point" in tools[n].model_fields_set]

    @property
    def tool_motions(self) -> list[tuple[str, str]]:
        """Return each prescribed motion that changes in time: its tool, and `x`, `y` or `angle`."""
        prescribed = [name for name in self.tools_used if not self.tools[name].free]
        return [
            (name, way)
            for name in prescribed
            for way in OF_A_MOVED_TOOL
            if getattr(self.tools[name], f"{way}_function") is not None
        ]
