"""`rk32`, `rk54`: embedded Runge–Kutta pairs with error control."""

from __future__ import annotations

from typing import Literal

from fecontact.lumped.schemes.own_step import OwnStep
from fecontact.study.base import Number, key, si


class RungeKutta(OwnStep):
    """Embedded pair: the difference of its two orders estimates the error of a step."""

    tolerance: Number = si(
        "1", "error tolerance of a step, relative to the motion so far", 1e-6, gt=0, lt=1
    )

    def controls(self) -> dict[str, float]:
        return super().controls() | {"tolerance": self.tolerance}


class RK32(RungeKutta):
    """Bogacki–Shampine pair of orders 3 and 2."""

    scheme: Literal["rk32"] = key("Runge–Kutta, orders 3 and 2, error control")


class RK54(RungeKutta):
    """Dormand–Prince pair of orders 5 and 4."""

    scheme: Literal["rk54"] = key("Runge–Kutta, orders 5 and 4, error control")
