"""Isotropic linear elasticity: σ = λ tr ε I + 2μ ε (Hooke's law)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fecontact.solid.laws.law import Elastic, pascals
from fecontact.solid.laws.prony import PRONY, Prony
from fecontact.study.base import Number, key, si

if TYPE_CHECKING:
    from fecontact.record import Array


class TwoConstants(Elastic):
    """Isotropic materials with E and ν, at least at small strain."""

    young: Number = si("Pa", "Young's modulus E", gt=0)
    poisson: Number = si("1", "Poisson's ratio ν", 0.0, gt=-1, lt=0.5)
    yield_stress: Number | None = si(
        "Pa",
        "yield stress, for the margin to yield in the key figures; has no effect on the motion",
        None,
        gt=0,
    )

    def compliance(self) -> Array:
        """Return S: ε = ((1 + ν) σ − ν tr σ I)/E, with γ_xy = 2 ε_xy."""
        import numpy as np

        own = (1 + self.poisson) / self.young
        matrix = np.diag([own, own, own, 2 * own])
        matrix[:3, :3] -= self.poisson / self.young
        return matrix

    def stiffness(self) -> Array:
        """Return C with λ = Eν/((1+ν)(1−2ν)), μ = E/(2(1+ν)), accurate also for ν near ½."""
        import numpy as np

        nu = self.poisson
        lame = self.young * nu / ((1 + nu) * (1 - 2 * nu))
        shear = self.young / (2 * (1 + nu))
        matrix = np.diag([2 * shear, 2 * shear, 2 * shear, shear])
        matrix[:3, :3] += lame
        return matrix

    def describe(self) -> str:
        return f"E = {pascals(self.young)}, ν = {self.poisson:.3g}"


class Isotropic(TwoConstants):
    """Linear elastic material at any strain."""

    law: Literal["isotropic"] = key("isotropic linear elastic, small strain", "isotropic")
    prony: Prony | None = key(PRONY, None)
