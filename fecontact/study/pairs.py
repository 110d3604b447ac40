"""[contact.NAME] of a finite-element study: one table for each method, with the keys it has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Tag

from fecontact.study.base import Name, Number, Problem, StudyModel, choice, in_toml, key, si

Penalty = Number | Literal["auto"]


class Coulomb(StudyModel):
    """Unilateral contact with Coulomb friction between a slave and a master edge."""

    slave: Name = key("edge group whose nodes must not penetrate the master")
    master: Name = key("edge group that receives them")
    friction: Number = si("1", "Coulomb coefficient μ", 0.0, ge=0, le=10)
    static_friction: Number | None = si(
        "1",
        "coefficient up to which a node that sticks holds; `friction` if not given",
        None,
        le=10,
    )
    augmentation: Number = si(
        "1", "scale of the augmentation parameter; the result does not depend on it", 1.0, gt=0
    )
    wear: Number = si(
        "1/Pa", "Archard coefficient: worn volume per normal force and slip", 0.0, ge=0
    )

    def problems(self) -> Iterator[Problem]:
        if self.slave == self.master:
            yield ("master",), f"is {in_toml(self.master)}, the slave itself; name another edge"
        if self.static_friction is not None and not 0 < self.friction <= self.static_friction:
            yield (
                ("static_friction",),
                f"is {self.static_friction:g}; it must not be smaller than friction = "
                f"{self.friction:g}, and that must be > 0",
            )

    @property
    def sticking_friction(self) -> float:
        """Coefficient of a node that sticks."""
        return self.friction if self.static_friction is None else self.static_friction


class AtNodes:
    """Contact that is enforced at the slave nodes, not integrated over the slave edge."""

    quadrature: ClassVar[int] = 1


class WithoutPenalty:
    """Contact that lets nothing penetrate: there is no stiffness to choose."""

    normal_penalty: ClassVar[Penalty] = "auto"
    tangential_penalty: ClassVar[Penalty] = "auto"


class LagrangianPair(Coulomb, AtNodes, WithoutPenalty):
    """Multipliers at the slave nodes."""

    method: Literal["lagrangian"] = key("nodal multipliers, exact", "lagrangian")


class PenaltyPair(Coulomb, AtNodes):
    """A stiffness at each slave node."""

    method: Literal["penalty"] = key("a stiffness at each node")
    normal_penalty: Penalty = si(
        "N/m per m", "E_N of a node, or chosen from its compliance", "auto"
    )
    tangential_penalty: Penalty = si(
        "N/m per m", "E_T of a node, or chosen from its compliance", "auto"
    )

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        for name in ("normal_penalty", "tangential_penalty"):
            value = getattr(self, name)
            if value != "auto" and value <= 0:
                yield (name,), f'is {value:g}; it must be "auto" or a number > 0, in N/m per m'


class ContinuousPair(Coulomb, WithoutPenalty):
    """Pressures interpolated on the slave edge, the constraint integrated over it."""

    method: Literal["continuous"] = key(
        "pressures interpolated on the slave edge, constraint integrated over it"
    )
    quadrature: int = key("Gauss points per slave edge", 3, ge=1, le=20)


ContactPair = Annotated[
    Annotated[LagrangianPair, Tag("lagrangian")]
    | Annotated[PenaltyPair, Tag("penalty")]
    | Annotated[ContinuousPair, Tag("continuous")],
    choice("method", "lagrangian"),
]
