"""Energy-momentum conserving midpoint rule for corotational and finite-strain bodies.

Simo & Tarnow (1992), doi:10.1007/BF00913408; Gonzalez (1996), doi:10.1007/BF02440162.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from fecontact.dynamics.schemes.base import Adaptive
from fecontact.dynamics.schemes.form import Coefficients
from fecontact.dynamics.schemes.treatments import MEANING, TREATMENTS, Treatment
from fecontact.study.base import key


class EnergyMomentum(Adaptive):
    """u₁ − u₀ = Δt (v₀ + v₁)/2 and M (v₁ − v₀)/Δt + f̄ = ½ (F₀ + F₁) + Sᵀ r: the midpoint rule
    with a discrete gradient f̄ of the stored energy (:mod:`fecontact.solid.corotational.frame`; for
    finite-strain bodies :mod:`fecontact.solid.hyperelastic.discrete_gradient`).

    In the common form of all schemes β = α_f = ½, γ = 1, a_u = a_v = 0. For other bodies
    f̄ = K (u₀ + u₁)/2, which is average acceleration. Contact forces are constant over a step. They
    do no work on nodes that stay closed and dissipate energy at closing nodes.
    """

    conserving: ClassVar[bool] = True

    scheme: Literal["energy-momentum"] = key(
        "midpoint rule that conserves the energy, momentum and angular momentum of "
        "corotational and finite-strain bodies"
    )
    impact: Literal["implicit", "stabilized", "redistributed-mass"] = key(
        f"{MEANING}; `stabilized`: contact-stabilised predictor", "stabilized"
    )

    @property
    def on_impact(self) -> Treatment:
        return TREATMENTS[self.impact]

    def coefficients(self) -> Coefficients:
        return Coefficients(0.5, 1.0, 0.0, 0.0, alpha_f=0.5)
