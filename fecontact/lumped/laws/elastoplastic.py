"""`elastoplastic`: bilinear elastoplastic stop with a permanent indentation."""

from __future__ import annotations

from typing import Literal

from fecontact.lumped.laws.base import Curve, NormalLaw
from fecontact.study.base import Number, key, si


class Elastoplastic(NormalLaw):
    """Elastic with `normal_stiffness` up to a yield force, then with the hardening stiffness.

    It unloads with `normal_stiffness` to zero force and keeps the permanent indentation.
    """

    type: Literal["elastoplastic"] = key("elastic up to the yield force, then hardening")
    yield_force: Number = si("N", "force at first yield", gt=0)
    hardening: Number = si("N/m", "tangent stiffness after yield", 0.0, ge=0)

    def curve(self, stiffness: float) -> Curve:
        limit = self.yield_force / stiffness
        top = self.yield_force + self.hardening * limit
        points = ((0.0, 0.0), (limit, self.yield_force), (2.0 * limit, top))
        return Curve(points, limit, stiffness)
