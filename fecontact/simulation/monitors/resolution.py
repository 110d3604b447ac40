"""Resolution of time functions by steps, and of edge tables by nodes.

Scalars:

    load.resolution     longest step / shortest half period of the functions of time
    profile.resolution  fraction of a peak of a `profile` table that the values at nodes miss
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from fecontact.contact.interface.layout import ContactLayout, Pair
from fecontact.dynamics.schemes import Scheme
from fecontact.dynamics.schemes.base import Adaptive
from fecontact.record import RunWarning, Scalar, wrong
from fecontact.solid.solid import Solid
from fecontact.study.common import SAME_TIME
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.models.stages import Stage
from fecontact.tables import lost_share
from fecontact.timefunctions import (
    MAX_STEP_PER_CYCLE,
    STEPS_A_SWING,
    Program,
    Steps,
    compile_functions,
    fastest,
    function_of_time,
    kinks,
    resolution_warnings,
    shortest_swing,
)

MAX_LOST_FRACTION = 0.5
"""Limit of `profile.resolution`: half of a peak."""

MAX_TURN = 0.5
"""Limit of the rotation of a tool in a step, rad: 4 % of the slip."""

DOUBTFUL_TURN = 0.25
"""Rotation of a tool in a step that causes a warning, rad: 1 % of the slip."""

MAX_WINDOWS = 1000
"""Limit of the steps at which the rotation of a tool is evaluated."""

MAX_STATIONS = 1000
"""Limit of kinks of one function used as end times of adaptive steps: each may need a
factorisation.
"""


def following_steps(stage: Stage) -> Scheme:
    """Return the scheme of a stage; adaptive steps end at kinks and resolve every sine."""
    scheme, study = stage.study.time, stage.study
    if scheme.control is None or not isinstance(scheme, Adaptive):
        return scheme
    stations, longest = set(scheme.required_times), scheme.longest
    for name in followed(study):
        program = compile_functions(study.functions, (name,))
        omega, times = fastest(program), kinks(program)
        times = times[(times > stage.start) & (times < scheme.end)]
        if omega > 0.0:
            longest = min(longest, math.pi / (STEPS_A_SWING * omega))
        if _misses(program, _steps(stage, scheme)) and len(times) <= MAX_STATIONS:
            stations |= {float(t) for t in times}
    parts = math.ceil(scheme.longest / longest * (1.0 - 1e-12))
    if parts == 1 and len(stations) == len(set(scheme.required_times)):
        return scheme
    chosen = {"required_times": tuple(sorted(stations)), "max_step": scheme.longest / parts}
    return scheme.model_copy(update=chosen)


def followed(study: FiniteElementStudy) -> list[str]:
    """Return the time functions without those used only by inactive loads and supports."""
    entries = [*study.loads.values(), *study.supports.values()]
    at_work = {entry.function for entry in entries if entry.active}
    idle = {entry.function for entry in entries} - at_work
    return [name for name in study.functions if name not in idle]


def load_warnings(stage: Stage) -> list[RunWarning]:
    """Return a warning for every time function that the steps of a stage do not resolve."""
    study = stage.study
    steps = _steps(stage, following_steps(stage))
    found = resolution_warnings(study.functions, followed(study), steps)
    return [*found, *_relaxation_warnings(stage), *_turning_tools(stage, steps)]


def _turning_tools(stage: Stage, steps: Steps) -> Iterator[RunWarning]:
    """Return a warning for every tool that rotates far in a step.

    In a step with rotation θ a point of the tool moves along a chord. The slip of a body that does
    not rotate is then θ²/6 too small, and a cam that turns by 2π does not move at all.
    """
    for name, tool in stage.study.tools.items():
        if tool.angle_function is None or "angle" in tool.free or tool.angle == 0.0:
            continue
        factor = function_of_time(stage.study.functions, tool.angle_function)
        count = min(math.ceil((steps.end - steps.start) / steps.step), MAX_WINDOWS)
        starts = np.linspace(steps.start, max(steps.end - steps.step, steps.start), count)
        change = max(abs(factor(min(t + steps.step, steps.end)) - factor(t)) for t in starts)
        turn = math.radians(abs(tool.angle)) * change
        if turn > DOUBTFUL_TURN:
            text = (
                f"tools.{name}: the tool rotates by up to {turn:.2g} rad per step (not trusted "
                f"above {MAX_TURN:g} rad), so slip and friction are wrong by about "
                f"{100.0 * min(turn**2 / 6.0, 1.0):.2g} %. Reduce time.step by a factor of "
                f"{math.ceil(turn / DOUBTFUL_TURN)}."
            )
            yield RunWarning(text, "not trusted" if turn > MAX_TURN else "warning")


def _relaxation_warnings(stage: Stage) -> Iterator[RunWarning]:
    """Return a warning for every function with a kink within a step longer than a relaxation time.

    The relaxation in a step is that of a strain that changes linearly over the whole step.
    """
    study, scheme = stage.study, stage.study.time
    laws = [study.materials[study.bodies[name].material] for name in study.viscoelastic]
    series = [law.relaxation for law in laws if law.relaxation is not None]
    shortest = min((min(prony.tau) for prony in series), default=math.inf)
    if scheme.control is not None or scheme.longest <= shortest:
        return
    stations = np.array(sorted({stage.start, *scheme.required_times, scheme.end}))
    for name in followed(study):
        times = kinks(compile_functions(study.functions, (name,)))
        times = times[(times > stage.start) & (times < scheme.end)]
        since = times - stations[np.searchsorted(stations, times, side="right") - 1]
        parts = since / scheme.longest
        within = times[np.abs(parts - np.round(parts)) > 1e3 * SAME_TIME * parts]
        if len(within):
            yield wrong(
                f"time.step = {scheme.longest:g} s: functions.{name} changes its slope at "
                f"{within[0]:g} s, within a step that is longer than the shortest relaxation time "
                f"({shortest:g} s), so the relaxation is wrong. Reduce time.step or add this time "
                "to time.required_times."
            )


def load_resolution(stages: Iterable[Stage]) -> dict[str, Scalar]:
    """Return the scalar `load.resolution` of a run; empty without oscillating functions."""
    largest = 0.0
    for stage in stages:
        steps = _steps(stage, following_steps(stage))
        for name in followed(stage.study):
            program = compile_functions(stage.study.functions, (name,))
            largest = max(largest, steps.step / shortest_swing(program, steps))
    if largest == 0.0:
        return {}
    meaning = "longest step / shortest half period of the functions of time"
    return {"load.resolution": Scalar(largest, "1", meaning, MAX_STEP_PER_CYCLE)}


def lost_peaks(solid: Solid, pairs: Iterable[Pair], layout: ContactLayout) -> dict[str, float]:
    """Return the fraction of a peak lost between nodes, by table."""
    lost = {f"{name}.profile": share for name, share in solid.lost_peaks.items()}
    for pair in pairs:
        table = pair.settings.offset_profile
        if table is not None:
            arc = layout.edges[pair.name].arc
            share = lost_share(np.array(table.at), np.array(table.values), arc)
            lost[f"contact.{pair.name}.offset_profile"] = share
    return {name: share for name, share in lost.items() if share > 0.0}


def profile_warnings(lost: dict[str, float]) -> Iterator[str]:
    """Return a warning for each table with a lost peak."""
    for name, share in lost.items():
        if share > MAX_LOST_FRACTION:
            yield (
                f"{name}: {100 * share:.2g} % of a peak of this table lies between nodes and has "
                f"no effect (limit {100 * MAX_LOST_FRACTION:g} %). Refine the mesh there or widen "
                "the peak."
            )


def profile_resolution(lost: dict[str, float]) -> dict[str, Scalar]:
    """Return the scalar `profile.resolution` of a run; empty if all peaks are resolved."""
    if not lost:
        return {}
    meaning = "largest fraction of a peak of a spatial table that lies between nodes"
    return {"profile.resolution": Scalar(max(lost.values()), "1", meaning, MAX_LOST_FRACTION)}


def _steps(stage: Stage, scheme: Scheme) -> Steps:
    return Steps(scheme.longest, stage.start, scheme.end, tuple(scheme.required_times))


def _misses(program: Program, steps: Steps) -> bool:
    """Return True if steps of this length do not resolve a peak of a function."""
    return shortest_swing(program, steps) < STEPS_A_SWING * steps.step * (1.0 - 1e-9)
