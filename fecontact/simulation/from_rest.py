"""Prescribed displacements without a function of time in a static analysis.

At t = 0 bodies are as meshed. A displacement that is already prescribed then, while all free nodes
are still at rest, would strain the elements beside the support alone: that is no equilibrium.
So it grows from 0 within the first step.
"""

from __future__ import annotations

from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.functions import Ramp
from fecontact.study.stages import Stage

NAME = "time.step"  # of the function: no name that a study could give


def from_rest(stages: list[Stage]) -> list[Stage]:
    """Return the stages of a study with the constant displacements of their supports growing from
    0 within the first step, if that is static and begins with bodies as meshed."""
    first = stages[0].study
    displaced = any(any(body.displacement) for body in first.bodies.values())
    if first.time.inertia or first.initial_state is not None or displaced:
        return stages
    ramp = Ramp(type="ramp", end=first.time.longest)
    return [stage._replace(study=_ramped(stage.study, ramp)) for stage in stages]


def _ramped(study: FiniteElementStudy, ramp: Ramp) -> FiniteElementStudy:
    supports = {
        name: support.model_copy(update={"function": NAME})
        if support.moves and support.function is None
        else support
        for name, support in study.supports.items()
    }
    functions = study.functions | {NAME: ramp}
    return study.model_copy(update={"supports": supports, "functions": functions})
