"""Average-acceleration scheme (trapezoidal rule), plain or with contact stabilisation."""

from __future__ import annotations

from typing import Literal

from fecontact.dynamics.schemes.base import Adaptive
from fecontact.dynamics.schemes.form import Coefficients, newmark_type
from fecontact.dynamics.schemes.treatments import MEANING, TREATMENTS, Treatment
from fecontact.study.base import key


class AverageAcceleration(Adaptive):
    """Newmark's method with β = ¼, γ = ½: the trapezoidal rule.

    Where impacts are stabilized it is written as its midpoint rule, β = α_f = ½, γ = 1,
    a_u = a_v = 0: the predictor is then Δt v_n, and a_{n+1} the mean acceleration of the step.
    """

    scheme: Literal["average-acceleration"] = key("trapezoidal rule, β = ¼, γ = ½")
    impact: Literal["implicit", "velocity", "stabilized", "redistributed-mass"] = key(
        f"{MEANING}; `stabilized`: contact-stabilised Newmark", "implicit"
    )

    @property
    def on_impact(self) -> Treatment:
        return TREATMENTS[self.impact]

    def coefficients(self) -> Coefficients:
        if self.on_impact.stabilized:
            return Coefficients(0.5, 1.0, 0.0, 0.0, alpha_f=0.5)
        return newmark_type(0.25, 0.5)
