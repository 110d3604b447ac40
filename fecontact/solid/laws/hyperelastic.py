"""What every law of finite strain is: a stored energy ψ(F) per reference volume.

F = ∂x/∂X is the deformation gradient, 3 × 3 whatever the plane. Stresses and stiffnesses follow
from ψ by differentiation in UFL, so a law is its keys and one function. That function is handed F
and the law's own keys by their names, as UFL coefficients: other numbers need no new kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from fecontact.solid.laws.law import Elastic
from fecontact.study.base import Problem


class Hyperelastic(Elastic):
    """The keys of materials that may strain and turn as far as they like.

    psi: the stored energy, Pa, of a UFL deformation gradient and the law's own keys, by name.
    volumetric: whether the law hardly changes its volume: then it has a key `bulk`, κ, and psi is
    that of F without its change of volume; energy and pressure of the latter are those of whole
    cells (:mod:`fecontact.solid.hyperelastic.mean_dilatation`).
    """

    finite: ClassVar[bool] = True
    linear: ClassVar[bool] = False
    volumetric: ClassVar[bool] = False
    psi: ClassVar[Callable[..., Any]]

    @property
    def locks(self) -> bool:
        return not self.volumetric

    def constants(self) -> dict[str, float]:
        """The numbers that `psi` takes besides F."""
        common = {*Elastic.model_fields, "law", "yield_stress"}
        common |= {"bulk"} if self.volumetric else set()
        return {name: getattr(self, name) for name in type(self).model_fields if name not in common}

    @property
    def bulk_modulus(self) -> float:
        """κ, Pa, of a volumetric law; else 0."""
        return float(getattr(self, "bulk", 0.0)) if self.volumetric else 0.0

    def problems(self) -> Iterator[Problem]:
        if self.rayleigh_stiffness:
            yield (
                ("rayleigh_stiffness",),
                f"is {self.rayleigh_stiffness:g} s; it must be 0 for a finite-strain law, because "
                "it would resist rotation. Use rayleigh_mass.",
            )


def lame(young: Any, poisson: Any) -> tuple[Any, Any]:
    """λ and μ, Pa, of E and ν."""
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))
