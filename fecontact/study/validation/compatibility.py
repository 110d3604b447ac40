"""Checks for incompatible settings in a finite-element study."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fecontact.study.base import Problem, in_toml
from fecontact.study.models.functions import jumps
from fecontact.study.models.loads import Gravity, PressurePenetration, Pretension
from fecontact.study.models.reduction import impossible_reductions
from fecontact.study.validation.paths import impossible_paths

if TYPE_CHECKING:
    from fecontact.study.finite_element import FiniteElementStudy

NOT_DAMPED = "is not supported with an explicit time.scheme; it must be 0"


def contradictions(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield all incompatible settings."""
    if study.axisymmetric:
        yield from _impossible_in_axisymmetry(study)
    else:
        yield from _needless_planes(study)
    yield from _tools_with_wear(study)
    yield from _impossible_jumps(study)
    yield from _not_explicit(study)
    yield from _jumping_supports(study)
    yield from _impossible_turns(study)
    yield from _impossible_spins(study)
    yield from _two_starts(study)
    yield from _impossible_laws(study)
    yield from _impossible_relaxation(study)
    yield from _impossible_pretension(study)
    yield from _impossible_fluids(study)
    yield from impossible_reductions(study)
    yield from impossible_paths(study)


def _two_starts(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for initial motions of bodies that continue from another run."""
    for name, body in study.bodies.items() if study.initial_state is not None else ():
        for key_ in ("displacement", "velocity", "angular_velocity"):
            if getattr(body, key_) not in ((0.0, 0.0), 0.0):
                words = (
                    "has no effect with `initial_state`: initial displacements and velocities "
                    "come from the other run. Remove it."
                )
                yield ("bodies", name, key_), words


def _not_explicit(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield settings not supported by an explicit scheme: non-diagonal mass matrix, damping."""
    if not study.time.coefficients().explicit:
        return
    if study.mass_matrix != "lumped":
        yield (
            ("mass_matrix",),
            f'is "{study.mass_matrix}"; it must be "lumped" with an explicit time.scheme',
        )
    for name, material in study.materials.items():
        for damping in ("rayleigh_mass", "rayleigh_stiffness"):
            if getattr(material, damping) > 0.0:
                yield ("materials", name, damping), NOT_DAMPED
    for name, spring in study.springs.items():
        if any(spring.damping):
            yield ("springs", name, "damping"), NOT_DAMPED
    for name, foundation in study.foundations.items():
        if foundation.damps:
            yield ("foundations", name), NOT_DAMPED.replace("it must be 0", "leave it out")


def _impossible_turns(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield settings not supported for corotational bodies."""
    for name, body in study.bodies.items():
        if body.motion != "corotational":
            continue
        where = ("bodies", name, "motion")
        if study.axisymmetric:
            yield (
                where,
                'is "corotational", which is not supported with plane = "axisymmetric". Use a '
                "finite-strain law.",
            )
        elif study.time.coefficients().explicit:
            yield (
                where,
                'is "corotational", which is not supported with an explicit time.scheme. Use an '
                'implicit scheme, for example "energy-momentum" or "hht".',
            )
        material = study.materials.get(body.material)
        if material is None:
            continue
        if material.density == 0.0 and study.time.inertia:
            yield where, 'is "corotational"; its material must have a density'
        if material.rayleigh_mass or material.rayleigh_stiffness:
            yield where, 'is "corotational"; its material must have no Rayleigh damping'


def _impossible_spins(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for angular velocities of bodies that do not support large rotations."""
    for name, body in study.bodies.items():
        if body.angular_velocity and body.motion != "corotational":
            where, is_ = (
                ("bodies", name, "angular_velocity"),
                f"is {body.angular_velocity:g} rad/s; it must be 0",
            )
            if name not in study.finite:
                yield (
                    where,
                    f'{is_} unless motion = "corotational" or the material is a finite-strain law',
                )
            elif study.axisymmetric:
                yield where, f'{is_} with plane = "axisymmetric"'


def _impossible_laws(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield settings not supported for finite-strain and elastoplastic bodies."""
    kinds = dict.fromkeys(study.finite, "a finite-strain law")
    kinds |= dict.fromkeys(study.yielding, "an elastoplastic law")
    for name, kind in kinds.items():
        where = ("bodies", name, "material")
        law = f'is "{study.bodies[name].material}", {kind}'
        if study.bodies[name].motion == "corotational":
            how = "already includes" if name in study.finite else "does not support"
            yield where, f'{law}, which {how} large rotation. Remove motion = "corotational".'
        sheet = study.time.conserving and study.plane == "stress" and name in study.finite
        if sheet:
            yield (
                where,
                f'{law}; time.scheme = "energy-momentum" is not supported for it with plane = '
                '"stress". Use another scheme, for example "hht", or another plane.',
            )
        conserving = study.time.conserving and name in study.yielding
        if study.time.coefficients().explicit or conserving:
            yield (
                where,
                f'{law}, which is not supported by this time.scheme. Use "newmark", "hht" or '
                '"static".',
            )


def _impossible_relaxation(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield settings not supported for viscoelastic bodies."""
    for name in study.viscoelastic:
        where = ("bodies", name, "material")
        law = f"is {in_toml(study.bodies[name].material)}, a viscoelastic material"
        finite = name in study.finite
        if study.bodies[name].motion == "corotational":
            yield (
                where,
                f'{law}, which is not supported with motion = "corotational". Use a finite-strain '
                "law.",
            )
        if finite and study.plane == "stress":
            yield (
                where,
                f'{law} at finite strain, which is not supported with plane = "stress". Use the '
                "isotropic law or another plane.",
            )
        if study.time.coefficients().explicit or (study.time.conserving and study.finite):
            yield (
                where,
                f'{law}, which is not supported by this time.scheme. Use "newmark", "hht" or '
                '"static".',
            )
        cut = [n for n, load in study.loads.items() if isinstance(load, Pretension)]
        for load in cut:
            if study.loads[load].on == name:
                words = f"is {in_toml(name)}, a viscoelastic body; the bolt must be elastic"
                yield ("loads", load, "on"), words


def _jumping_supports(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for supports that jump in a dynamic analysis: their velocity is infinite."""
    for name, support in study.supports.items():
        at = jumps(study.functions, support.function)
        if at and study.time.inertia and support.moves:
            yield (
                ("supports", name, "function"),
                f"is {in_toml(support.function)}, which jumps at {at[0]:g} s. In a dynamic "
                "analysis this is an infinite velocity. Use a ramp.",
            )


def _impossible_jumps(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for cycle jumps without wear, or whose cycles do not end with a step."""
    jump = study.cycle_jump
    if jump is None:
        return
    if not any(pair.wear_law for pair in study.contact.values()):
        yield (
            ("cycle_jump",),
            "has no effect, because no contact pair has `wear`. Set `wear` or remove it.",
        )
    steps = jump.start / study.time.longest
    if abs(steps - round(steps)) > 1e-6:
        yield (
            ("cycle_jump", "start"),
            f"is {jump.start:g} s; it must be a multiple of the step of {study.time.longest:g} s",
        )
    steps = jump.period / study.time.longest
    if abs(steps - round(steps)) > 1e-6 or jump.start + jump.period > study.time.end:
        yield (
            ("cycle_jump", "period"),
            f"is {jump.period:g} s; it must be a multiple of the step of {study.time.longest:g} s "
            f"and end before the run, {study.time.end:g} s",
        )


def _tools_with_wear(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for wearing masters that are rigid tools."""
    for name, pair in study.contact.items():
        if pair.master_wear_fraction > 0.0 and pair.master in study.tools:
            yield (
                ("contact", name, "master_wear_fraction"),
                f"is {pair.master_wear_fraction:g}, but the master {in_toml(pair.master)} is a "
                "rigid tool, which does not wear. Set it to 0.",
            )


def _impossible_pretension(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for pretension sections in models that do not support them."""
    for name, load in study.loads.items():
        if not isinstance(load, Pretension):
            continue
        if study.axisymmetric and load.normal[0] != 0.0:
            yield (
                ("loads", name, "normal"),
                f'is {in_toml(load.normal)}; with plane = "axisymmetric" it must lie along the '
                "axis, [0.0, 1.0]",
            )
        if study.corotational:
            yield (
                ("loads", name, "type"),
                'is "pretension", which is not supported together with corotational bodies. '
                "Remove one of them.",
            )
        elif study.time.coefficients().explicit:
            yield (
                ("loads", name, "type"),
                'is "pretension", which is not supported with an explicit time.scheme. Use an '
                "implicit scheme.",
            )


def _impossible_fluids(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield errors for fluids between contact surfaces in models that do not support them."""
    taken: dict[str, str] = {}
    for name, load in study.loads.items():
        if not isinstance(load, PressurePenetration):
            continue
        where = ("loads", name, "type")
        kind = 'is "pressure-penetration", which'
        if study.corotational:
            yield (
                where,
                f"{kind} is not supported together with corotational bodies. Remove one of them.",
            )
        elif study.time.coefficients().explicit:
            yield (
                where,
                f"{kind} is not supported with an explicit time.scheme. Use an implicit scheme.",
            )
        pair = study.contact.get(load.on)
        if pair is not None and pair.master in study.tools and study.tools[pair.master].free:
            yield (
                ("loads", name, "on"),
                f"is {in_toml(load.on)}, whose master is a force-controlled tool; the fluid does "
                "not act on it. Prescribe the motion of the tool, or mesh the body.",
            )
        if load.active and load.on in taken:
            yield (
                ("loads", name, "on"),
                f"is {in_toml(load.on)}, as in loads.{taken[load.on]}; a pair can have one fluid "
                "only. List all its points in `exposed`.",
            )
        if load.active:
            taken[load.on] = name


def _needless_planes(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield an error for each body with a plane in a model that is not axisymmetric."""
    for name, body in study.bodies.items():
        if body.plane is not None:
            words = 'has an effect only with plane = "axisymmetric" of the study. Remove it.'
            yield ("bodies", name, "plane"), words


def _impossible_in_a_sheet(study: FiniteElementStudy, name: str) -> Iterator[Problem]:
    """Yield settings not supported for a plane-stress body of an axisymmetric model."""
    body = study.bodies[name]
    material = study.materials.get(body.material)
    if body.thickness is None:
        words = "is missing; it must be the sum of the thicknesses over the circumference, in m"
        yield ("bodies", name, "thickness"), words
    if material is not None and (not material.linear or material.relaxation is not None):
        words = (
            f'is "stress", but materials.{body.material} is not linear elastic. Plane-stress '
            "bodies of axisymmetric models need a linear elastic law."
        )
        yield ("bodies", name, "plane"), words


def _impossible_in_axisymmetry(study: FiniteElementStudy) -> Iterator[Problem]:
    """Yield settings not supported for axisymmetric bodies."""
    for name, body in study.bodies.items():
        if body.thickness is not None and not body.plane:
            words = (
                'is not allowed with plane = "axisymmetric". Remove it, or set `plane` of the body.'
            )
            yield ("bodies", name, "thickness"), words
    for name in study.sheets:
        yield from _impossible_in_a_sheet(study, name)
    for name, load in study.loads.items():
        if isinstance(load, Gravity) and load.value[0] != 0.0:
            yield (
                ("loads", name, "value"),
                f'is {in_toml(load.value)}; with plane = "axisymmetric" gravity must act along '
                "the axis, [0.0, y]",
            )
