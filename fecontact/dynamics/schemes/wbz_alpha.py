"""WBZ-α method: Wood, Bossak & Zienkiewicz (1980), doi:10.1002/nme.1620151011."""

from __future__ import annotations

from typing import Literal

from fecontact.dynamics.schemes.base import Dynamic
from fecontact.dynamics.schemes.form import Coefficients, newmark_type
from fecontact.study.base import Number, key, si


class WbzAlpha(Dynamic):
    """WBZ-α method: the inertia force is weighted between both ends of the step.

    α_m = α_B, α_f = 0, β = (1 − α_B)²/4, γ = ½ − α_B: of second order, stable with every step; at
    infinite frequency the spectral radius is (1 + α_B)/(1 − α_B).
    """

    scheme: Literal["wbz-alpha"] = key("Wood–Bossak–Zienkiewicz α-method")
    alpha_b: Number = si(
        "1", "α_B, weight of the inertia at the start of the step", -0.1, ge=-1 / 3, le=0
    )

    def coefficients(self) -> Coefficients:
        alpha = self.alpha_b
        return newmark_type((1 - alpha) ** 2 / 4, 0.5 - alpha, alpha_m=alpha)
