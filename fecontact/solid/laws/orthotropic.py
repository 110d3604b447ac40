"""Orthotropic linear elasticity: wood, fibre composites, rolled sheet.

Three orthogonal planes of symmetry; axis 3 is normal to the x-y plane, axes 1 and 2 are rotated by
an angle in it (S. G. Lekhnitskii, Theory of Elasticity of an Anisotropic Elastic Body, Holden-Day
1963).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from fecontact.solid.laws.law import Elastic
from fecontact.study.base import Number, Problem, key, si

if TYPE_CHECKING:
    from fecontact.record import Array


class Orthotropic(Elastic):
    """Orthotropic material with three orthogonal axes."""

    law: Literal["orthotropic"] = key(
        "orthotropic linear elastic, small strain; axis 3 is out of plane"
    )
    young_1: Number = si("Pa", "Young's modulus E₁ along axis 1", gt=0)
    young_2: Number = si("Pa", "Young's modulus E₂ along axis 2", gt=0)
    young_3: Number = si("Pa", "Young's modulus E₃ along axis 3, out of plane", gt=0)
    poisson_12: Number = si("1", "ν₁₂ = −ε₂/ε₁ in uniaxial tension along axis 1", 0.0)
    poisson_13: Number = si("1", "ν₁₃ = −ε₃/ε₁ in uniaxial tension along axis 1", 0.0)
    poisson_23: Number = si("1", "ν₂₃ = −ε₃/ε₂ in uniaxial tension along axis 2", 0.0)
    shear_12: Number = si("Pa", "in-plane shear modulus G₁₂", gt=0)
    angle: Number = si("°", "angle from x to axis 1, anticlockwise", 0.0)

    def problems(self) -> Iterator[Problem]:
        """Return errors for constants with an indefinite S; the strain energy must be positive.

        With r_ij = ν_ij √(E_j/E_i) the minors of S are 1 − r_ij² and 1 − Σ r_ij² − 2 r₁₂ r₁₃ r₂₃.
        """
        young, ratios = {1: self.young_1, 2: self.young_2, 3: self.young_3}, []
        for i, j in ((1, 2), (1, 3), (2, 3)):
            name, limit = f"poisson_{i}{j}", (young[i] / young[j]) ** 0.5
            ratios.append(getattr(self, name) / limit)
            if abs(ratios[-1]) >= 1.0:
                yield (
                    (name,),
                    f"is {getattr(self, name):g}; its magnitude must be below "
                    f"√(young_{i}/young_{j}) = {limit:.4g}, otherwise the stiffness is not "
                    "positive definite",
                )
        a, b, c = ratios
        if max(map(abs, ratios)) < 1.0 and a * a + b * b + c * c + 2 * a * b * c >= 1.0:
            yield (
                ("poisson_12",),
                f"is {self.poisson_12:g}, with poisson_13 = {self.poisson_13:g} and poisson_23 = "
                f"{self.poisson_23:g}; the stiffness is not positive definite. Reduce one of them.",
            )

    def compliance(self) -> Array:
        """Return S = Tᵀ S' T, where σ' = T σ are the stresses along the axes.

        S'_ii = 1/E_i, S'_ij = −ν_ij/E_i, S'_44 = 1/G₁₂.
        """
        import numpy as np

        axes = np.diag([1 / self.young_1, 1 / self.young_2, 1 / self.young_3, 1 / self.shear_12])
        axes[0, 1] = axes[1, 0] = -self.poisson_12 / self.young_1
        axes[0, 2] = axes[2, 0] = -self.poisson_13 / self.young_1
        axes[1, 2] = axes[2, 1] = -self.poisson_23 / self.young_2
        c, s = np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))
        turn = np.array(
            [
                [c * c, s * s, 0.0, 2 * c * s],
                [s * s, c * c, 0.0, -2 * c * s],
                [0.0, 0.0, 1.0, 0.0],
                [-c * s, c * s, 0.0, c * c - s * s],
            ]
        )
        return np.asarray(turn.T @ axes @ turn)

    def describe(self) -> str:
        return f"E₁, E₂ = {self.young_1:.3g}, {self.young_2:.3g} Pa, axis 1 at {self.angle:g}°"
