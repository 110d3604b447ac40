"""Static analysis: equilibrium at every time, without inertia, damping and impacts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from fecontact.dynamics.schemes.base import Fixed
from fecontact.dynamics.schemes.form import Coefficients
from fecontact.dynamics.schemes.treatments import IMPLICIT, Treatment
from fecontact.study.base import Number, Problem, key


class Static(Fixed):
    """Equilibrium without inertia and damping; time only controls loads and supports."""

    inertia: ClassVar[bool] = False
    on_impact: ClassVar[Treatment] = IMPLICIT
    without_auto: ClassVar[str] = "automatic steps are not supported in a static analysis"

    scheme: Literal["static"] = key("static analysis; time only controls loads and supports")
    stabilization: Literal["off", "auto"] | Annotated[Number, Field(gt=0)] = key(
        "`auto`: a body without a static equilibrium nearby (not yet in contact, slipping, "
        "snapping through) moves with damping to the next equilibrium. A number multiplies the "
        "initial damping; the equilibrium does not depend on it",
        "off",
    )

    load_control: Literal["load", "arc-length"] = key(
        "`load`: loads follow their functions. `arc-length`: the load factor λ is an unknown, so "
        "that the path continues through limit points. The loads are those at the start of the "
        "run plus λ times their change up to its end. The first step is λ = step/duration; the "
        "other steps have the same arc length. Time only counts the steps",
        "load",
    )

    @property
    def follows_path(self) -> bool:
        """Return True if the load factor is an unknown (arc length)."""
        return self.load_control == "arc-length"

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if self.follows_path and self.damping_of_jumps:
            yield (
                ("stabilization",),
                'must be "off" with load_control = "arc-length", which follows the path through '
                "limit points. Remove one of the two keys.",
            )

    @property
    def damping_of_jumps(self) -> float:
        """Return the factor of the damping of jumps; 0 without stabilisation."""
        if isinstance(self.stabilization, str):
            return 1.0 if self.stabilization == "auto" else 0.0
        return self.stabilization

    def coefficients(self) -> Coefficients:
        return Coefficients(1.0, 1.0, 0.0, 0.0, inertia=0.0)
