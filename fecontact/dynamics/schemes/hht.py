"""HHT-α method: Hilber, Hughes & Taylor (1977), doi:10.1002/eqe.4290050306."""

from __future__ import annotations

from typing import Literal

from fecontact.dynamics.schemes.base import Dynamic
from fecontact.dynamics.schemes.form import Coefficients, newmark_type
from fecontact.study.base import Number, key, si


class Hht(Dynamic):
    """Hilber, Hughes and Taylor's α-method.

    α_f = −α, β = (1−α)²/4, γ = ½ − α; without modified equilibrium α_f = 0 (code_aster's
    MODI_EQUI='NON', R5.05.05).
    """

    scheme: Literal["hht"] = key("Hilber–Hughes–Taylor α-method")
    alpha: Number = si("1", "α; 0: no numerical damping", -0.1, ge=-1 / 3, le=0)
    modified_equilibrium: bool = key(
        "true: equilibrium weighted between both ends of the step (HHT); false: α only "
        "sets β = (1−α)²/4, γ = ½−α (MODI_EQUI='NON' in code_aster)",
        True,
    )

    def coefficients(self) -> Coefficients:
        weighted = -self.alpha if self.modified_equilibrium else 0.0
        return newmark_type((1 - self.alpha) ** 2 / 4, 0.5 - self.alpha, alpha_f=weighted)
