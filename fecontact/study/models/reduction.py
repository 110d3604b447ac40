"""Keys of a reduced body, `[bodies.NAME.reduction]`, and the models that support it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from fecontact.study.base import Number, Problem, StudyModel, in_toml, key, si
from fecontact.study.models.loads import Pretension
from fecontact.study.models.modes import MAX_MODES

if TYPE_CHECKING:
    from fecontact.study.finite_element import FiniteElementStudy

FIXED_INTERFACE = ("craig-bampton",)
"""Methods that keep the mass of bodies without reduction."""

MASSLESS = ("massless-craig-bampton", "macneal")
"""Methods with massless interface dofs."""


class Reduction(StudyModel):
    """Component mode synthesis: the body moves in a few modes and in its interface dofs."""

    method: Literal["craig-bampton", "massless-craig-bampton", "rubin", "macneal"] = key(
        "`craig-bampton`: modes with fixed interface and constraint modes; "
        "`massless-craig-bampton`: the same with massless interface dofs, for impacts; `rubin`: "
        "modes with free interface and residual attachment modes; `macneal`: the same with "
        "massless interface dofs",
        "craig-bampton",
    )
    modes: int | None = key(
        "number of modes; rigid-body modes are not counted", None, ge=1, le=MAX_MODES
    )
    frequency: Number | None = si(
        "Hz", "all modes up to this frequency, instead of `modes`", None, gt=0
    )

    def problems(self) -> Iterator[Problem]:
        if (self.modes is None) == (self.frequency is None):
            given = "both `modes` and `frequency`" if self.modes else "neither of them"
            yield (), f"has {given}. Set `modes` or `frequency`."


def impossible_reductions(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for reduced bodies in models that do not support them."""
    reduced = {n: b.reduction for n, b in study.bodies.items() if b.reduction is not None}
    if not reduced:
        return
    first = next(iter(reduced.values()))
    for name, body in study.bodies.items():
        where = ("bodies", name, "reduction")
        law = study.materials.get(body.material)
        if name in reduced:
            yield from _impossible_body(study, name)
            if reduced[name].method != first.method:
                yield (
                    (*where, "method"),
                    f"is {in_toml(reduced[name].method)}; all reduced bodies must have the same "
                    f"method, here {in_toml(first.method)}",
                )
            if reduced[name].frequency != first.frequency:
                yield where, "must have the same `frequency` as the other reduced bodies"
        elif (
            body.motion == "corotational"
            or name in study.viscoelastic
            or (law is not None and not law.linear)
        ):
            yield (
                ("bodies", name),
                "is a nonlinear body, which is not supported together with reduced bodies. Remove "
                "the `reduction` of the others.",
            )
    yield from _impossible_model(study, next(iter(reduced)))


def _impossible_body(study: FiniteElementStudy, name: str) -> Iterator[Problem]:
    """Yield errors for one reduced body."""
    body, where = study.bodies[name], ("bodies", name, "reduction")
    law = study.materials.get(body.material)
    linear = 'Use a linear material and motion = "linear", or remove it.'
    if body.motion == "corotational":
        yield where, f"is not supported for corotational bodies. {linear}"
    if law is None:
        return
    if name in study.viscoelastic:
        yield where, f"is not supported for viscoelastic bodies. {linear}"
    if law.finite:
        yield where, f"is not supported for hyperelastic bodies. {linear}"
    elif not law.linear:
        yield where, f"is not supported for elastoplastic bodies. {linear}"
    elif law.density == 0.0:
        yield (
            where,
            f"needs modes, and materials.{body.material}.density is 0, so the body is massless. "
            "Set a density.",
        )


def _impossible_model(study: FiniteElementStudy, name: str) -> Iterator[Problem]:
    """Yield errors for settings of the model that reduced bodies do not support."""
    where = ("bodies", name, "reduction")
    reduction = study.bodies[name].reduction
    assert reduction is not None
    if study.time.coefficients().explicit:
        yield where, "is not supported with an explicit time.scheme. Use an implicit scheme."
    if study.time.on_impact.massless_contact_nodes and reduction.method not in MASSLESS:
        yield (
            (*where, "method"),
            f'is {in_toml(reduction.method)}; time.impact = "redistributed-mass" needs '
            '"massless-craig-bampton" or "macneal", whose contact nodes are massless',
        )
    for load_name, load in study.loads.items():
        if isinstance(load, Pretension):
            words = (
                'is "pretension", which is not supported together with reduced bodies. '
                "Remove one of them."
            )
            yield ("loads", load_name, "type"), words
    for support_name, support in study.supports.items():
        if support.directed:
            key_ = "normal" if support.normal is not None else "tangential"
            words = "is not supported together with reduced bodies. Use `x` and `y`."
            yield ("supports", support_name, key_), words
