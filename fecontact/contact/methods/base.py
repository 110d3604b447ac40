"""What every contact method has: the two edges, friction and wear; and what it says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from fecontact.study.base import Name, Number, Problem, StudyModel, in_toml, key, si

if TYPE_CHECKING:  # a study is read without numpy
    from fecontact.record import Array


@dataclass(frozen=True)
class Stiffness:
    """E_N and E_T of a pair's multipliers, N/m per m of depth, and how they were found."""

    normal: Array
    tangential: Array
    derivation: str


class ContactMethod(StudyModel):
    """Unilateral contact with Coulomb friction between a slave and a master edge.

    integrated: whether the constraint is integrated over the slave edge, with `quadrature` Gauss
    points on each of its segments, or holds at the slave nodes. soft: whether forces let nodes in.
    """

    integrated: ClassVar[bool] = False
    soft: ClassVar[bool] = False

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

    @property
    def gauss_points(self) -> int:
        """Gauss points of each slave edge, if it is integrated over."""
        return 1

    @property
    def given_stiffness(self) -> float | None:
        """The normal stiffness of a node that the study gives, N/m per m; None if it gives none."""
        return None

    def stiffness(self, normal: Array, tangential: Array, own: Array) -> Stiffness:
        """How soft the contact of a soft method is, for multipliers of the compliances W_nn and
        W_tt (m/N), 0 where they are not over the other side; own: the compliances of their nodes, 0
        where held."""
        raise NotImplementedError(f"{type(self).__name__} lets no node in")
