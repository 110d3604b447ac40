"""`newmark` and `hht`: implicit schemes with mean contact forces."""

from __future__ import annotations

from typing import Literal

from fecontact.lumped.schemes.base import Steps
from fecontact.study.base import Number, key, si


class Newmark(Steps):
    """Newmark's method."""

    scheme: Literal["newmark"] = key("Newmark's method, implicit")
    beta: Number = si("1", "Newmark parameter β", 0.25, gt=0, le=1)
    gamma: Number = si("1", "Newmark parameter γ; ½: no numerical damping", 0.5, ge=0.5, le=1)

    def controls(self) -> dict[str, float]:
        return {"beta": self.beta, "gamma": self.gamma}


class Hht(Steps):
    """Hilber, Hughes and Taylor's α-method: β = (1−α)²/4, γ = ½ − α."""

    scheme: Literal["hht"] = key("Hilber–Hughes–Taylor α-method, implicit")
    alpha: Number = si("1", "α; 0: no numerical damping", -0.1, ge=-1 / 3, le=0)
    modified_equilibrium: bool = key(
        "true: equilibrium weighted between both ends of the step (HHT); false: α only "
        "sets β = (1−α)²/4, γ = ½−α (MODI_EQUI='NON' in code_aster)",
        True,
    )

    def controls(self) -> dict[str, float]:
        alpha = self.alpha
        return {
            "beta": (1.0 - alpha) ** 2 / 4.0,
            "gamma": 0.5 - alpha,
            "alpha": alpha if self.modified_equilibrium else 0.0,
        }
