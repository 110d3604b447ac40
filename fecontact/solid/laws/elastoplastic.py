"""Von Mises plasticity with associated flow and linear isotropic hardening, small strain.

    q = √(3/2) |dev σ| ≤ Y + H ᾱ,    σ = C (ε − ε_p),    dε_p = √(3/2) (dev σ/|dev σ|) dᾱ

ᾱ is the equivalent plastic strain. The flow rule is integrated by backward Euler. As the flow has
the direction of dev σ of the elastic trial stress, the result has a closed form, the radial return
(M. L. Wilkins 1964, in Methods in Computational Physics 3), with the consistent tangent, for which
Newton's method converges quadratically (J. C. Simo & R. L. Taylor 1985,
doi:10.1016/0045-7825(85)90070-2):

    [ᾱ] = (q_t − Y − H ᾱ)/(3G + H),    σ = σ_t − √6 G [ᾱ] n,    n = dev σ_t/|dev σ_t|
    ∂σ/∂ε = C − 6G² [ᾱ]/q_t I_dev + 6G² ([ᾱ]/q_t − 1/(3G + H)) n⊗n

with the trial values σ_t and q_t.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from fecontact.solid.laws.isotropic import TwoConstants
from fecontact.solid.laws.law import pascals
from fecontact.solid.laws.yielding import Flow, Yielding
from fecontact.study.base import Number, key, si

if TYPE_CHECKING:
    from fecontact.record import Array

BEYOND = 1e-12  # of the yield stress: a smaller excess is round-off


class Elastoplastic(Yielding, TwoConstants):
    """Metal at small strains."""

    linear: ClassVar[bool] = False

    law: Literal["elastoplastic"] = key(
        "von Mises plasticity with linear isotropic hardening, small strain"
    )
    yield_stress: Number = si("Pa", "initial yield stress Y in uniaxial tension", gt=0)
    hardening: Number = si(
        "Pa",
        "hardening modulus H: increase of the yield stress per equivalent plastic strain",
        0.0,
        ge=0,
    )

    @staticmethod
    def return_map(
        strain: Array,
        plastic: Array,
        equivalent: Array,
        young: Array,
        poisson: Array,
        yield_stress: Array,
        hardening: Array,
    ) -> Flow:
        """Return the radial return of n points."""
        import numpy as np

        shear = (young / (2 * (1 + poisson)))[:, None]
        bulk = (young / (3 * (1 - 2 * poisson)))[:, None]
        trace, deviator = np.array([1.0, 1.0, 1.0, 0.0]), np.diag([1.0, 1.0, 1.0, 0.5])
        deviator[:3, :3] -= 1.0 / 3.0  # of engineering strains, as a stress without 2G
        elastic = strain - plastic
        dev = 2 * shear * (elastic @ deviator)
        size = np.sqrt(dev[:, 0] ** 2 + dev[:, 1] ** 2 + dev[:, 2] ** 2 + 2 * dev[:, 3] ** 2)
        trial, limit = np.sqrt(1.5) * size, yield_stress + hardening * equivalent
        resists = 3 * shear[:, 0] + hardening
        more = np.where(trial > limit * (1 + BEYOND), (trial - limit) / resists, 0.0)
        flow_direction = dev / np.where(size > 0.0, size, 1.0)[:, None]
        # γ_xy of a plastic strain is twice the tensor component.
        flown = np.sqrt(1.5) * more[:, None] * flow_direction
        stress = dev + bulk * (elastic @ trace)[:, None] * trace - 2 * shear * flown
        share = more / np.where(trial > 0.0, trial, 1.0)
        along = np.where(more > 0.0, share - 1.0 / resists, 0.0)
        inner = (2 * shear[:, 0] * (1 - 3 * shear[:, 0] * share))[:, None, None] * deviator
        outer = (
            (6 * shear[:, 0] ** 2 * along)[:, None, None]
            * flow_direction[:, :, None]
            * flow_direction[:, None, :]
        )
        tangent = bulk[:, :, None] * np.outer(trace, trace) + inner + outer
        flown[:, 3] *= 2.0
        return Flow(stress, plastic + flown, equivalent + more, tangent)

    @staticmethod
    def plastic_work(
        equivalent: Array, yield_stress: Array, hardening: Array, **_elastic: Array
    ) -> Array:
        """Return Y ᾱ + ½ H ᾱ² of n points, J/m³."""
        return (yield_stress + 0.5 * hardening * equivalent) * equivalent

    def describe(self) -> str:
        return f"{super().describe()}, Y = {pascals(self.yield_stress)}"
