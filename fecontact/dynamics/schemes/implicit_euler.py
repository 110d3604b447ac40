"""The backward Euler method."""

from __future__ import annotations

from typing import Literal

from fecontact.dynamics.schemes.base import Dynamic
from fecontact.dynamics.schemes.form import Coefficients
from fecontact.study.base import key


class ImplicitEuler(Dynamic):
    """The backward Euler method: β = γ = 1, a_u = a_v = 0."""

    scheme: Literal["implicit-euler"] = key("backward Euler, strongly damped")

    def coefficients(self) -> Coefficients:
        return Coefficients(1.0, 1.0, 0.0, 0.0)
