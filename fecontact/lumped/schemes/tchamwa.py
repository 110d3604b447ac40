"""`tchamwa`: Tchamwa–Wielgosz scheme (code_aster's TCHAMWA)."""

from __future__ import annotations

from typing import Literal

from fecontact.lumped.schemes.base import Steps
from fecontact.study.base import Number, key, si


class Tchamwa(Steps):
    """Explicit Tchamwa–Wielgosz scheme with high-frequency dissipation, order 1."""

    scheme: Literal["tchamwa"] = key("Tchamwa–Wielgosz, explicit, damps high frequencies")
    phi: Number = si("1", "φ; 1: no numerical damping (symplectic Euler)", 1.05, ge=1, le=2)

    def controls(self) -> dict[str, float]:
        return {"phi": self.phi}
