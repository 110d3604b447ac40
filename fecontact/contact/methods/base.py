"""Common keys of all contact methods: slave, master, friction and wear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from pydantic import Strict

from fecontact.contact.methods.offset import AlongEdge
from fecontact.contact.wear_laws import WearLaw, WearOrNumber, law_of
from fecontact.friction.laws import Friction, FrictionLaw
from fecontact.study.base import Name, Number, Problem, StudyModel, in_toml, key, si, switch

if TYPE_CHECKING:  # a study is read without numpy
    from fecontact.record import Array


class Augmentation(NamedTuple):
    """Limits of the augmentations of a pair: change of the multipliers at convergence, relative to
    the largest, and the number of augmentations after which a step fails.
    """

    tolerance: float
    max_augmentations: int


@dataclass(frozen=True)
class Stiffness:
    """E_N and E_T of the multipliers of a pair, N/m, their origin, and the augmentations,
    if any.
    """

    normal: Array
    tangential: Array
    derivation: str
    augmentation: Augmentation | None = None


class ContactMethod(StudyModel):
    """Unilateral contact with friction between a slave and a master edge.

    integrated: True if the constraint is integrated over the slave edge, with `quadrature` Gauss
    points on each segment; False if it is enforced at the slave nodes.
    soft: True if contact forces require penetration (penalty).
    """

    integrated: ClassVar[bool] = False
    soft: ClassVar[bool] = False

    slave: Name = key("edge group whose nodes must not penetrate the master")
    master: Name = key("edge group or rigid tool; the same edge group as `slave`: self-contact")
    active: bool = switch()
    exclude: Annotated[tuple[Name, ...], Strict(False)] = key(
        "points and edge groups whose nodes on the slave edge carry no contact force", ()
    )
    friction: Friction = si("1", "friction coefficient μ (Coulomb), or a friction law", 0.0)
    static_friction: Number | None = si(
        "1",
        "static friction coefficient; default: `friction`",
        None,
        le=10,
    )
    adhesion: Number = si(
        "Pa",
        "tensile strength σ_t of the bond of nodes that are closed when the pair first acts; their "
        "friction limit is μ (p + σ_t) until the bond fails",
        0.0,
        ge=0,
    )
    augmentation: Number = si(
        "1",
        "scale factor of the augmentation parameter of the contact solver; it does not "
        "affect the result",
        1.0,
        gt=0,
    )
    wear: WearOrNumber = si(
        "1/Pa",
        "specific wear coefficient k (wear volume per normal force and slip), or a wear law",
        0.0,
    )
    master_wear_fraction: Number = si(
        "1",
        "fraction of the wear volume that is removed from the master; 0: only the slave "
        "wears, 1: only the master wears",
        0.0,
        ge=0,
        le=1,
    )
    wear_updates_gap: bool = key(
        "true: the wear depth increases the gap; false: it is only recorded", False
    )

    offset: Number = si(
        "m",
        "surface offset of the slave along its normal; positive: interference or "
        "coating, negative: clearance",
        0.0,
    )
    offset_profile: AlongEdge | None = key(
        "offset that is added to `offset`, as a table over the arc length of the slave edge", None
    )
    offset_function: Name | None = key(
        "function of time that multiplies `offset` and `offset_profile`; default: constant 1", None
    )

    gap_closure_tolerance: Number | None = si(
        "m",
        "initial gaps smaller than this are treated as closed; nodes are not moved",
        None,
        gt=0,
    )
    overlap_ramp_time: Number | None = si(
        "s",
        "time over which an initial overlap is removed linearly; default: in the first step",
        None,
        gt=0,
    )

    def problems(self) -> Iterator[Problem]:
        if not self.active and self.master_wear_fraction > 0.0:
            yield ("active",), "is false; a pair whose master wears cannot be deactivated"
        if self.offset_function is not None and self.largest_offset == 0.0:
            yield ("offset_function",), "has no effect without `offset`, in m. Set `offset`."
        if self.wear_law is None:
            for name in ("wear_updates_gap", "master_wear_fraction"):
                if getattr(self, name):
                    yield (name,), "has no effect without `wear`, in 1/Pa. Set `wear`."
        if self.slave == self.master and self.master_wear_fraction > 0.0:
            yield ("master_wear_fraction",), "is not supported in self-contact. Remove it."
        if self.static_friction is None:
            return
        if isinstance(self.friction, FrictionLaw):
            yield (
                ("static_friction",),
                f"has no effect with a friction law: the law {in_toml(self.friction.law)} defines "
                "the stick limit. Remove it.",
            )
        elif not 0 < self.friction <= self.static_friction:
            yield (
                ("static_friction",),
                f"is {self.static_friction:g}; it must not be smaller than friction = "
                f"{self.friction:g}, and that must be > 0",
            )

    @property
    def wear_law(self) -> WearLaw | None:
        """Return the wear law of the pair; None without wear."""
        return law_of(self.wear)

    @property
    def coefficients(self) -> tuple[float, float]:
        """Return the coefficients of slip and of stick; for a law that is not constant the initial
        ones.
        """
        if isinstance(self.friction, FrictionLaw):
            return self.friction.initial_coefficients
        static = self.friction if self.static_friction is None else self.static_friction
        return self.friction, static

    @property
    def largest_offset(self) -> float:
        """Return the largest absolute offset, m."""
        beside = (0.0,) if self.offset_profile is None else self.offset_profile.values
        return max(abs(self.offset + more) for more in beside)

    def offset_at(self, arc: Array) -> Array:
        """Return the offset at arc lengths of the slave edge, m, without its time function."""
        beside = 0.0 * arc if self.offset_profile is None else self.offset_profile.value(arc)
        return self.offset + beside

    @property
    def gauss_points(self) -> int:
        """Return the number of Gauss points of each slave edge, if it is integrated."""
        return 1

    @property
    def given_stiffness(self) -> float | None:
        """Return the normal stiffness of a node given in the study, N/m, or None."""
        return None
