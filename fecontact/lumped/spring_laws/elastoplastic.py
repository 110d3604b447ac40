"""`elastoplastic`: bilinear spring with yield in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from fecontact.lumped.spring_laws.base import Link, SpringLaw
from fecontact.study.base import Number, Problem, key, si


class ElastoplasticSpring(SpringLaw):
    """Bilinear with kinematic hardening: stiffness k up to the yield force F_y, then k_t.

    It consists of a spring k_t in parallel with a slider of F_y (1 − k_t/k) in series with a spring
    k − k_t. After yielding it unloads with k over 2 F_y before it yields in the opposite direction.
    """

    type: Literal["elastoplastic"] = key("elastic up to the yield force, then hardening")
    stiffness: Number = si("N/m", "elastic stiffness k", gt=0)
    yield_force: Number = si("N", "yield force F_y", gt=0)
    hardening: Number = si("N/m", "tangent stiffness k_t after yield", 0.0, ge=0)

    def problems(self) -> Iterator[Problem]:
        if self.hardening >= self.stiffness:
            yield (
                ("hardening",),
                f"is {self.hardening:g}; it must be smaller than `stiffness` = "
                f"{self.stiffness:g} N/m",
            )

    def element(self) -> Link:
        share = 1.0 - self.hardening / self.stiffness
        reach = self.yield_force / self.stiffness
        ends = (-reach, -self.hardening * reach), (reach, self.hardening * reach)
        return Link(ends, share * self.stiffness, share * self.yield_force)
