"""Viscoelasticity: relaxation of the moduli as a Prony series (generalised Maxwell model).

    G(t) = G₀ [1 − Σ g_i (1 − e^(−t/τ_i))],    K(t) = K₀ [1 − Σ k_i (1 − e^(−t/τ_i))]

G₀ and K₀ are the instantaneous shear and bulk modulus, g_i and k_i fractions of them. The long-term
moduli are G∞ = G₀ (1 − Σ g_i) and K∞ = K₀ (1 − Σ k_i). The table states to which of them the moduli
of its material refer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field, Strict

from fecontact.study.base import Number, Problem, StudyModel, key, si

if TYPE_CHECKING:
    from fecontact.record import Array

MAX_TERMS = 20
PRONY = "viscoelasticity: relaxation of the moduli; default: elastic"

Terms = Annotated[tuple[Number, ...], Strict(False), Field(min_length=1, max_length=MAX_TERMS)]
Fractions = Annotated[tuple[Number, ...], Strict(False), Field(max_length=MAX_TERMS)]


class Prony(StudyModel):
    """Relaxation of the moduli of a material."""

    moduli: Literal["instantaneous", "long-term"] = key(
        "`instantaneous`: the moduli of the material are those of a very fast deformation; "
        "`long-term`: of a very slow one"
    )
    g: Terms = si("1", "fractions g_i of the instantaneous shear modulus that relax; sum < 1")
    k: Fractions = si(
        "1",
        "fractions k_i of the instantaneous bulk modulus that relax; sum < 1; default: none. With "
        "`k` = `g`, Poisson's ratio is constant",
        (),
    )
    tau: Terms = si("s", "relaxation times τ_i, one for each g_i")

    @property
    def bulk(self) -> tuple[float, ...]:
        """Return k_i, zeros by default."""
        return self.k or (0.0,) * len(self.g)

    @property
    def uniform(self) -> bool:
        """Return True if shear and bulk modulus relax alike."""
        return self.bulk == self.g

    @property
    def scales(self) -> tuple[float, float]:
        """Return instantaneous shear and bulk modulus relative to those of the material."""
        if self.moduli == "instantaneous":
            return 1.0, 1.0
        return 1.0 / (1.0 - sum(self.g)), 1.0 / (1.0 - sum(self.bulk))

    def problems(self) -> Iterator[Problem]:
        for name, given in (("tau", self.tau), ("k", self.bulk)):
            if len(given) != len(self.g):
                yield (name,), f"has {len(given)} numbers, but `g` has {len(self.g)}"
        for name, given in (("g", self.g), ("k", self.k)):
            if any(value < 0.0 for value in given) or sum(given) >= 1.0:
                yield (
                    (name,),
                    f"has the sum {sum(given):g}; its numbers must not be negative and their sum "
                    "must be less than 1",
                )
        if min(self.tau) <= 0.0:
            yield ("tau",), f"contains {min(self.tau):g} s; relaxation times must be positive"


class Moduli(NamedTuple):
    """Isotropic linear elasticity with a bulk and a shear modulus, Pa (:class:`Law`)."""

    bulk: float
    shear: float

    def stiffness(self) -> Array:
        """Return C, Pa."""
        import numpy as np

        matrix = np.diag([2 * self.shear, 2 * self.shear, 2 * self.shear, self.shear])
        matrix[:3, :3] += self.bulk - 2 * self.shear / 3
        return matrix

    def compliance(self) -> Array:
        """Return S, 1/Pa."""
        import numpy as np

        return np.asarray(np.linalg.inv(self.stiffness()))
