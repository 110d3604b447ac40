"""Static analysis: equilibrium at every time, without inertia, damping and impacts."""

from __future__ import annotations

from typing import ClassVar, Literal

from fecontact.dynamics.schemes.base import Fixed
from fecontact.dynamics.schemes.form import Coefficients
from fecontact.dynamics.schemes.treatments import IMPLICIT, Treatment
from fecontact.study.base import key


class Static(Fixed):
    """Equilibrium without inertia and damping; time only moves loads and supports."""

    inertia: ClassVar[bool] = False
    on_impact: ClassVar[Treatment] = IMPLICIT
    without_auto: ClassVar[str] = "automatic steps are not supported in a static analysis"

    scheme: Literal["static"] = key("static analysis; time only controls loads and supports")

    def coefficients(self) -> Coefficients:
        return Coefficients(1.0, 1.0, 0.0, 0.0, inertia=0.0)
