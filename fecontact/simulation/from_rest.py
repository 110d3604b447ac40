"""Constant prescribed displacements in a static analysis.

At t = 0 bodies are undeformed. A displacement prescribed at t = 0, while all free nodes are at
rest, would strain only the elements next to the support, which is not an equilibrium. The
displacement therefore increases from 0 within the first step.
"""

from __future__ import annotations

from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.functions import Ramp
from fecontact.study.models.stages import Stage

NAME = "time.step"  # name of the function, not a valid name in a study


def from_rest(stages: list[Stage]) -> list[Stage]:
    """Return the stages with constant support displacements ramped from 0 within the first step.

    This applies if the first step is static and starts from the undeformed mesh.
    """
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
