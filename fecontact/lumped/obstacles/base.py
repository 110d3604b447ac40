"""What every obstacle of a lumped study is: its keys, and where its surface lies.

In the local frame of an obstacle axis 0 points from the mass to it. All geometries become one of
two (:mod:`fecontact.lumped.obstacle_arrays`), which compiled kernels know: *flat*, with a face
ahead of the mass and perhaps one behind it, or *round*, a hole around an axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar, Literal

from fecontact.contact.wear_laws import WearOrNumber, law_of
from fecontact.friction.laws import Friction, FrictionLaw
from fecontact.lumped.laws import AnyLaw, Curve
from fecontact.study.base import (
    ORIGIN,
    Name,
    Number,
    Problem,
    StudyModel,
    Vector3,
    in_toml,
    key,
    si,
)

if TYPE_CHECKING:  # a study is read without numpy
    from fecontact.arrays import Array


class Obstacle(StudyModel):
    """What all obstacles have: contact stiffness and damping, friction.

    Normal force F_n = max(0, normal_stiffness · p + normal_damping · ṗ) for a penetration p > 0, or
    with the force of a `law` instead of the first term. Friction is a slider behind a spring and a
    dashpot: it sticks while |T| ≤ static · F_n and slips with |T| = friction · F_n, or as a
    friction law says. flat: whether planes bound it, or a hole around an axis.
    """

    flat: ClassVar[bool]

    type: str = key("geometry")
    on: Name = key("mass or point that can come into contact with the obstacle")
    normal_stiffness: Number = si("N/m", "normal contact stiffness", gt=0)
    normal_damping: Number = si("N·s/m", "normal contact damping", 0.0, ge=0)
    release: Literal["force", "gap"] = key(
        "end of contact; `force`: when the normal force becomes zero, so the dashpot "
        "never pulls; `gap`: when the gap opens, so the dashpot can pull (DIS_CHOC in "
        "code_aster)",
        "force",
    )
    restitution: Number | None = si(
        "1",
        "Newton's coefficient of restitution e; sets `normal_damping`, and contact "
        "lasts until the gap opens",
        None,
        gt=0,
        le=1,
    )
    law: AnyLaw | None = key("law of the normal force; default: linear", None)
    friction: Friction = si("1", "friction coefficient μ (Coulomb), or a friction law", 0.0)
    static_friction: Number | None = si(
        "1", "static friction coefficient; default: `friction`", None, ge=0, le=10
    )
    tangential_stiffness: Number | None = si(
        "N/m",
        "stick stiffness; required except with `exact`, which uses rigid stick",
        None,
        gt=0,
    )
    tangential_damping: Number | Literal["auto"] = si(
        "N·s/m",
        "stick damping; `auto`: critical damping 2√(m(k + K_t)) as in code_aster, with "
        "the mass m and stiffness k of the system in the tangential direction",
        "auto",
    )
    wear: WearOrNumber = si(
        "1/Pa",
        "Archard coefficient (wear volume per normal force and slip), or a wear law; "
        "the wear depth opens the gap",
        0.0,
    )
    wear_area: Number | None = si(
        "m²",
        "worn area; for a hole the whole circumference",
        None,
        gt=0,
    )

    @property
    def rubs(self) -> bool:
        """True if there is any friction."""
        return max(self.coefficients) > 0.0

    @property
    def coefficients(self) -> tuple[float, float]:
        """Coefficients of slip and of stick; of a law that is not constant those to begin with."""
        if isinstance(self.friction, FrictionLaw):
            return self.friction.to_begin_with
        static = self.friction if self.static_friction is None else self.static_friction
        return self.friction, static

    @property
    def holds(self) -> bool:
        """Whether contact lasts until the gap opens."""
        return self.release == "gap" or self.restitution is not None

    @property
    def wear_rates(self) -> tuple[float, float]:
        """Depth worn off by ∫ F_n |ds|, and by the work of friction, m/J."""
        law = law_of(self.wear)
        if law is None or self.wear_area is None:
            return 0.0, 0.0
        return law.depth(1.0, 0.0) / self.wear_area, law.depth(0.0, 1.0) / self.wear_area

    def curve(self) -> Curve | None:
        """The normal force over the penetration; None where it is linear."""
        return None if self.law is None else self.law.curve(self.normal_stiffness)

    def problems(self) -> Iterator[Problem]:
        if self.restitution is not None and self.normal_damping > 0.0:
            yield ("normal_damping",), "and `restitution` exclude each other. Remove one of them."
        if self.law is not None and self.holds:
            name = "release" if self.restitution is None else "restitution"
            yield (name,), "is supported only with the linear law. Remove it or `law`."
        if self.static_friction is None:
            pass
        elif isinstance(self.friction, FrictionLaw):
            yield (
                ("static_friction",),
                f"has no effect with a friction law: the law {in_toml(self.friction.law)} defines "
                "the stick limit. Remove it.",
            )
        elif self.static_friction < self.friction:
            yield (
                ("static_friction",),
                f"is {self.static_friction:g}; it must be ≥ `friction` = {self.friction:g}",
            )
        if law_of(self.wear) is not None and self.wear_area is None:
            yield ("wear_area",), "is missing; `wear` needs the wearing area, in m²"
        elif law_of(self.wear) is None and self.wear_area is not None:
            yield ("wear_area",), "has no effect without `wear`, in 1/Pa. Set `wear`."
        if self.tangential_damping != "auto" and self.tangential_damping < 0:
            yield (
                ("tangential_damping",),
                f'is {self.tangential_damping:g}; it must be ≥ 0 N·s/m or "auto"',
            )

    # Geometry -----------------------------------------------------------------------------------

    @property
    def carrier(self) -> str | None:
        """The mass or point that the obstacle moves with; None if it is fixed."""
        return None

    @property
    def centre(self) -> Vector3:
        """The point that the places of masses are measured from, if the obstacle is fixed, m."""
        return ORIGIN

    @property
    def direction(self) -> Vector3:
        """The normal of planes, the axis of a hole; of any length."""
        raise NotImplementedError

    @property
    def frictionless_along(self) -> bool:
        """Whether friction acts across the generator alone."""
        return False

    def frame(self) -> Array:
        """Rows: the local axes, right-handed with the generator (or the axis of a hole) last."""
        raise NotImplementedError

    def away(self, position: Callable[[str], Vector3]) -> Array:
        """The place (3,) of the mass at rest from the centre, or from the carrier, along the local
        axes, m; position: of the masses and points by their names, m."""
        import numpy as np

        start = self.centre if self.carrier is None else position(self.carrier)
        return np.asarray(self.frame() @ (np.array(position(self.on)) - np.array(start)))

    def clearances(self, away: Array) -> tuple[float, float]:
        """How far a mass at rest may move towards the face ahead and towards the one behind it
        before they touch (∞: there is none); of a hole: the radial gap and ∞; m.

        away: as above.
        """
        raise NotImplementedError
