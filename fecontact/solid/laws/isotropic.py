"""Isotropic linear elasticity: σ = λ tr ε I + 2μ ε (Hooke's law)."""

from __future__ import annotations

from typing import Literal

import numpy as np

from fecontact.solid.laws.law import Elastic, Matrix
from fecontact.study.base import Number, key, si


class Isotropic(Elastic):
    """The same in every direction: two constants."""

    law: Literal["isotropic"] = key("the same in every direction", "isotropic")
    young: Number = si("Pa", "Young's modulus E", gt=0)
    poisson: Number = si("1", "Poisson's ratio ν", 0.0, gt=-1, lt=0.5)

    def compliance(self) -> Matrix:
        """ε = ((1 + ν) σ − ν tr σ I)/E, with γ_xy = 2 ε_xy."""
        normal, shear = np.diag([1.0, 1.0, 1.0, 0.0]), np.diag([0.0, 0.0, 0.0, 2.0])
        spread = np.outer([1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 1.0, 0.0])
        nu = self.poisson
        return ((1 + nu) * (normal + shear) - nu * spread) / self.young

    def stiffness(self) -> Matrix:
        """λ = Eν/((1+ν)(1−2ν)), μ = E/(2(1+ν)): as exact as ν itself where ν nears ½."""
        nu = self.poisson
        lame = self.young * nu / ((1 + nu) * (1 - 2 * nu))
        shear = self.young / (2 * (1 + nu))
        matrix = np.diag([2 * shear, 2 * shear, 2 * shear, shear])
        matrix[:3, :3] += lame
        return matrix

    def in_words(self) -> str:
        return f"E = {self.young:.3g} Pa"
