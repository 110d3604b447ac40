"""Base class of the obstacles of a lumped study: common keys and surface geometry.

In the local frame of an obstacle, axis 0 points from the mass to the obstacle. Every geometry is
mapped to one of two kinds that the compiled kernels support
(:mod:`fecontact.lumped.model.obstacle_arrays`): *flat*, with a face ahead of the mass and
optionally one behind it, or *round*, a hole around an axis.
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
    """Obstacle with contact stiffness, damping and friction.

    Normal force F_n = max(0, normal_stiffness · p + normal_damping · ṗ) for a penetration p > 0; a
    `law` replaces the first term. Friction is a Coulomb slider in series with a spring and a
    dashpot: it sticks while |T| ≤ static · F_n and slips with |T| = friction · F_n, or according to
    a friction law. flat: True if bounded by planes, False for a hole around an axis.
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
        "specific wear coefficient k (wear volume per normal force and slip), or a wear law; "
        "the wear depth increases the gap",
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
        """Return True if the obstacle has friction."""
        return max(self.coefficients) > 0.0

    @property
    def coefficients(self) -> tuple[float, float]:
        """Return the dynamic and static coefficients; for a variable law, the initial ones."""
        if isinstance(self.friction, FrictionLaw):
            return self.friction.initial_coefficients
        static = self.friction if self.static_friction is None else self.static_friction
        return self.friction, static

    @property
    def holds(self) -> bool:
        """Return True if contact lasts until the gap opens."""
        return self.release == "gap" or self.restitution is not None

    @property
    def wear_rates(self) -> tuple[float, float]:
        """Return the wear depth per ∫ F_n |ds| and per friction work, m/J."""
        law = law_of(self.wear)
        if law is None or self.wear_area is None:
            return 0.0, 0.0
        return law.depth(1.0, 0.0) / self.wear_area, law.depth(0.0, 1.0) / self.wear_area

    def curve(self) -> Curve | None:
        """Return the normal force over the penetration; None for the linear law."""
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
        """Return the mass or point that the obstacle moves with; None if it is fixed."""
        return None

    @property
    def centre(self) -> Vector3:
        """Return the origin for the positions of masses if the obstacle is fixed, m."""
        return ORIGIN

    @property
    def direction(self) -> Vector3:
        """Return the normal of planes or the axis of a hole; not normalised."""
        raise NotImplementedError

    @property
    def frictionless_along(self) -> bool:
        """Return True if friction acts only across the generator."""
        return False

    def frame(self) -> Array:
        """Return the local axes as rows, right-handed, with the generator or hole axis last."""
        raise NotImplementedError

    def away(self, position: Callable[[str], Vector3]) -> Array:
        """Return the initial position (3,) of the mass relative to the centre or the carrier, in
        local axes, m.

        position: coordinates of the masses and points by name, m.
        """
        import numpy as np

        start = self.centre if self.carrier is None else position(self.carrier)
        return np.asarray(self.frame() @ (np.array(position(self.on)) - np.array(start)))

    def clearances(self, away: Array) -> tuple[float, float]:
        """Return the clearances of the mass to the face ahead and to the face behind it, m.

        A missing face has the clearance ∞; a hole returns the radial gap and ∞.

        away: initial position from :meth:`away`, m.
        """
        raise NotImplementedError
