"""Formulation of bodies with large rotation and small strain (`motion = "corotational"`).

In a dynamic analysis in which all other bodies are linear, each body has one corotational frame and
the matrix is factorised once (:mod:`fecontact.solid.corotational.model`). Together with
hyperelastic or elastoplastic bodies, whose tangent changes in each iteration, and in a static
analysis, these bodies use their linear law in Green's strain
(:mod:`fecontact.solid.laws.large_rotation`). All stages of a run use the same formulation.
"""

from __future__ import annotations

from typing import Any

from fecontact.solid.laws.large_rotation import LargeRotation
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.stages import Stage


def with_formulation(stages: list[Stage]) -> list[Stage]:
    """Return the stages with the formulation of their corotational bodies."""
    if not any(stage.study.corotational and _changes_tangent(stage.study) for stage in stages):
        return stages
    return [stage._replace(study=_in_greens_strain(stage.study)) for stage in stages]


def _changes_tangent(study: FiniteElementStudy) -> bool:
    return bool(study.finite or study.yielding or study.viscoelastic) or not study.time.inertia


def _in_greens_strain(study: FiniteElementStudy) -> FiniteElementStudy:
    """Replace corotational bodies by finite-strain bodies with the same linear law."""
    bodies, materials = dict(study.bodies), dict[str, Any](study.materials)
    for name, body in study.bodies.items():
        if body.motion == "corotational":
            base = study.materials[body.material]
            law = f"{body.material} (large rotation)"
            materials[law] = LargeRotation(density=base.density, base=base)
            bodies[name] = body.model_copy(update={"material": law, "motion": "linear"})
    return study.model_copy(update={"bodies": bodies, "materials": materials})
