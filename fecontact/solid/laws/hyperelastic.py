"""Base of the hyperelastic laws: stored energy ψ(F) per reference volume.

F = ∂x/∂X is the deformation gradient, 3 × 3 in every plane model. UFL differentiates ψ to stresses
and stiffnesses, so a law consists of its keys and one function. The function takes F and the keys
of the law by name, as UFL coefficients, so other values need no new kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from fecontact.solid.laws.law import Elastic
from fecontact.solid.laws.prony import PRONY, Prony
from fecontact.study.base import Problem, key


class Hyperelastic(Elastic):
    """Common keys of finite-strain materials (any strain and any rotation).

    psi: stored energy, Pa, of a UFL deformation gradient and the keys of the law, by name.
    volumetric: True for nearly incompressible laws. Such a law has a key `bulk`, κ, and psi is a
        function of the isochoric part of F; volumetric energy and pressure are those of whole cells
        (:mod:`fecontact.solid.hyperelastic.mean_dilatation`).
    """

    finite: ClassVar[bool] = True
    linear: ClassVar[bool] = False
    small_strain: ClassVar[bool] = False
    volumetric: ClassVar[bool] = False
    psi: ClassVar[Callable[..., Any]]

    prony: Prony | None = key(PRONY, None)

    @property
    def locks(self) -> bool:
        return not self.volumetric

    def constants(self) -> dict[str, float]:
        """Return the arguments of `psi` besides F."""
        common = {*Elastic.model_fields, "law", "yield_stress", "prony"}
        common |= {"bulk"} if self.volumetric else set()
        return {name: getattr(self, name) for name in type(self).model_fields if name not in common}

    @property
    def bulk_modulus(self) -> float:
        """Return κ, Pa, of a volumetric law; else 0."""
        return float(getattr(self, "bulk", 0.0)) if self.volumetric else 0.0

    def problems(self) -> Iterator[Problem]:
        if self.rayleigh_stiffness:
            yield (
                ("rayleigh_stiffness",),
                f"is {self.rayleigh_stiffness:g} s; it must be 0 for a finite-strain law, because "
                "it would resist rotation. Use rayleigh_mass.",
            )
        if self.prony is None:
            return
        if self.volumetric and any(self.prony.bulk):
            yield (
                ("prony", "k"),
                "is not supported for a nearly incompressible law, whose bulk modulus does not "
                "relax. Remove it.",
            )
        if not self.volumetric and not self.prony.uniform:
            yield (
                ("prony", "k"),
                "must be equal to `g` for a compressible finite-strain law, whose stress relaxes "
                "as a whole. Set k = g or use a nearly incompressible law.",
            )


def lame(young: Any, poisson: Any) -> tuple[Any, Any]:
    """Return λ and μ, Pa, from E and ν."""
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))
