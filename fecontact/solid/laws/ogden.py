"""Nearly incompressible Ogden: ψ = Σ μ_p/α_p (λ̄₁^α_p + λ̄₂^α_p + λ̄₃^α_p − 3) + ½ κ (J̄ − 1)².

λ̄_i = J^(−1/3) λ_i are the principal stretches without the change of volume, J̄ is the mean volume
ratio of an element (:mod:`fecontact.solid.hyperelastic.mean_dilatation`). The law suits rubber at
strains of several hundred percent (R. W. Ogden 1972, doi:10.1098/rspa.1972.0026). Its shear modulus
at small strain is ½ Σ μ_p α_p.

The third direction is a principal one. With the area ratio A = λ₁ λ₂ and d = ln(λ₁/λ₂),

    λ₁^α + λ₂^α = 2 A^(α/2) cosh(α d/2).

d² is a smooth function of F (:mod:`fecontact.solid.laws.hencky`), and cosh is a smooth function of
its argument squared: a power series, whose argument is halved before and doubled after by
cosh 2z − 1 = 2 (cosh z − 1)(cosh z + 1). Stress and tangent therefore have no singularity where
two stretches are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field, Strict

from fecontact.solid.laws.hencky import artanh_squared
from fecontact.solid.laws.nearly_incompressible import NearlyIncompressible
from fecontact.study.base import Number, Problem, key, si

MAX_TERMS = 4
LARGEST_EXPONENT = 30.0
DOUBLINGS = 5
COSH_TERMS = 9  # of the series of cosh: 15 digits up to |α d| = 60

Terms = Annotated[tuple[Number, ...], Strict(False), Field(min_length=1, max_length=MAX_TERMS)]


class Ogden(NearlyIncompressible):
    """Nearly incompressible rubber at strains of several hundred percent."""

    law: Literal["ogden"] = key("nearly incompressible rubber, strains of several hundred percent")
    mu: Terms = si("Pa", "constants μ_p, one to four; the shear modulus is ½ Σ μ_p α_p")
    alpha: Terms = si("1", "exponents α_p; each product μ_p α_p must be positive")
    bulk: Number = si("Pa", "bulk modulus κ", gt=0)

    @property
    def psi(self) -> Callable[..., Any]:  # type: ignore[override]
        """Return the energy function with as many terms as there are constants."""
        return ENERGIES[len(self.mu) - 1]

    def constants(self) -> dict[str, float]:
        named = {f"mu_{p}": value for p, value in enumerate(self.mu)}
        return named | {f"alpha_{p}": value for p, value in enumerate(self.alpha)}

    @property
    def shear_modulus(self) -> float:
        return sum(m * a for m, a in zip(self.mu, self.alpha, strict=True)) / 2

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if len(self.mu) != len(self.alpha):
            yield (
                ("alpha",),
                f"has {len(self.alpha)} numbers, but `mu` has {len(self.mu)}; each μ_p needs one "
                "exponent α_p",
            )
            return
        for p, (modulus, exponent) in enumerate(zip(self.mu, self.alpha, strict=True)):
            if abs(exponent) > LARGEST_EXPONENT:
                words = f"is {exponent:g}; it must lie between −30 and 30"
                yield ("alpha", p), words
            elif not modulus * exponent > 0.0:
                yield (
                    ("mu", p),
                    f"is {modulus:g} Pa with alpha = {exponent:g}; their product must be "
                    "positive, otherwise the rubber loses its stiffness at a large stretch",
                )

    def describe(self) -> str:
        terms = ", ".join(f"{m:.3g} Pa ({a:g})" for m, a in zip(self.mu, self.alpha, strict=True))
        return f"μ (α) = {terms}, κ = {self.bulk:.3g} Pa"


def _cosh_less_one(square: Any) -> Any:
    """Return cosh z − 1 of z², in UFL."""
    reduced = square / 4**DOUBLINGS
    series: Any = 0
    for term in reversed(range(COSH_TERMS)):
        series = (series * reduced + 1) / ((2 * term + 1) * (2 * term + 2))
    found = series * reduced
    for _ in range(DOUBLINGS):
        found = 2 * found * (found + 2)
    return found


def _energy(F: Any, **constants: Any) -> Any:
    """Return W, Pa, of F̄ whose third direction is a principal one."""
    import ufl

    area = F[0, 0] * F[1, 1] - F[0, 1] * F[1, 0]
    first = F[0, 0] ** 2 + F[1, 0] ** 2
    second = F[0, 1] ** 2 + F[1, 1] ** 2
    mixed = F[0, 0] * F[0, 1] + F[1, 0] * F[1, 1]
    contrast = ((first - second) ** 2 + 4 * mixed**2) / (first + second) ** 2
    apart = artanh_squared(contrast)
    total: Any = 0
    for p in range(len(constants) // 2):
        mu, alpha = constants[f"mu_{p}"], constants[f"alpha_{p}"]
        mean = ufl.exp(alpha / 2 * ufl.ln(area))
        across = ufl.exp(alpha * ufl.ln(F[2, 2]))
        in_plane = 2 * mean * (_cosh_less_one(alpha**2 * apart / 4) + 1)
        total += mu / alpha * (in_plane + across - 3)
    return total


ENERGIES = tuple(partial(_energy) for _ in range(MAX_TERMS))
"""The stored energies of one to four terms: bodies with equally many terms share a form."""
