"""Periodic response of a lumped study: checks of the study, branch of motions, and its result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ValidationError

from fecontact.arrays import Array, Mask
from fecontact.periodic.forced import ForcedBranch
from fecontact.periodic.free import FreeBranch
from fecontact.periodic.load import fundamental
from fecontact.periodic.orbit import Orbit
from fecontact.periodic.period_map import PeriodMap
from fecontact.record import PeriodicBranch, wrong
from fecontact.study.errors import InputError, RunError
from fecontact.study.lumped import LumpedStudy
from fecontact.study.models.response import MEASURES, Response

STABLE = {"forced": 1e-5, "free": 1e-2}
"""Excess of a multiplier over 1 that is an error of differences; a free motion has a double
multiplier 1, whose error is the square root of theirs."""


def settings_of(study: LumpedStudy, chosen: dict[str, Any]) -> Response:
    """Return the settings of the study, overridden by `chosen`."""
    given = {} if study.response is None else study.response.model_dump()
    try:
        return Response.model_validate(given | chosen)
    except ValidationError as error:
        first = error.errors()[0]
        found = first.get("ctx", {}).get("error")
        if found is not None:
            raise InputError(f"response.{found}") from None
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"response.{where} is {first['input']!r}. {first['msg']}.") from None


def response_of(study: LumpedStudy, settings: Response) -> PeriodicBranch:
    """Return the branch of periodic motions of a study whose bodies are generalised coordinates.

    A branch that cannot be continued has a warning with the reason, and the points before it.
    """
    _require_periodic(study)
    base = fundamental(study)
    traced: ForcedBranch | FreeBranch
    if settings.type == "forced":
        if base is None:
            raise InputError(
                'response: no force, base or anchor has a function with type = "sine". Add a '
                'harmonic load, or set response.type = "free".'
            )
        assert settings.frequency is not None
        periods = PeriodMap(study, base, settings.periods, min(settings.frequency))
        traced = ForcedBranch(periods, settings)
    else:
        if base is not None:
            raise InputError(
                'response.type is "free", but a load is harmonic. Remove the load, or set '
                'response.type = "forced".'
            )
        periods = _free_map(study, settings)
        traced = FreeBranch(periods, settings)
    orbits: list[Orbit] = []
    failure: str | None = None
    try:
        for orbit in traced.points():
            orbits.append(orbit)
    except RunError as error:
        if not orbits:
            raise
        failure = str(error)
    branch = _collected(periods, settings, orbits)
    branch.notes = traced.notes
    if failure is not None:
        branch.warnings.append(wrong(failure))
    return branch


def _require_periodic(study: LumpedStudy) -> None:
    """Raise InputError for states that change from period to period."""
    for name, obstacle in study.obstacles.items():
        law = obstacle.friction
        if any(obstacle.wear_rates):
            raise InputError(
                f"obstacles.{name}.wear: a motion with wear is not periodic. Remove it."
            )
        curve = obstacle.curve()
        if curve is not None and np.isfinite(curve.elastic_limit):
            raise InputError(
                f"obstacles.{name}.law: a motion with permanent set is not periodic. Use an "
                "elastic law."
            )
        if getattr(law, "stateful", False) or getattr(law, "distance", None) is not None:
            raise InputError(
                f"obstacles.{name}.friction: a law that depends on the past slip is not supported "
                "by a periodic response. Use a coefficient, or a law of the slip rate."
            )
    if not study.watch:
        raise InputError("watch: a periodic response needs history output. Add [watch].")


def _free_map(study: LumpedStudy, settings: Response) -> PeriodMap:
    """Return the period map of an undamped system without loads."""
    trial = PeriodMap(study, None, 1, 1.0 / (8.0 * study.time.step))
    equations = trial.system.equations
    rubs = equations.obstacles.friction.any() or (equations.obstacles.law >= 0).any()
    dashpots = equations.obstacles.normal[:, 1].any()
    if equations.damped or dashpots or rubs or trial.system.links:
        raise InputError(
            'response.type is "free", which needs a system without damping, friction and nonlinear '
            'springs. Remove them, or set response.type = "forced".'
        )
    slowest = np.sqrt(equations.stiffness[min(settings.mode, len(equations.stiffness)) - 1])
    return PeriodMap(study, None, 1, float(slowest) / (2.0 * np.pi) or 1.0)


def _collected(periods: PeriodMap, settings: Response, orbits: list[Orbit]) -> PeriodicBranch:
    """Return the arrays of a branch."""
    frequency = np.array([orbit.frequency for orbit in orbits])
    multipliers = np.array([orbit.multipliers for orbit in orbits])
    measures = {
        name: {
            measure: np.array([orbit.measures[name][i] for orbit in orbits])
            for i, measure in enumerate(MEASURES)
        }
        for name in periods.study.watch
    }
    stable = np.abs(multipliers[:, 0]) <= 1.0 + STABLE[settings.type]
    at = {
        str(number): int(np.argmax(frequency == f))
        for number, f in enumerate(settings.at, 1)
        if f in frequency
    }
    return PeriodicBranch(
        type=settings.type,
        frequency=frequency,
        energy=np.array([orbit.energy for orbit in orbits]),
        measures=measures,
        units=orbits[0].units,
        multipliers=multipliers,
        stable=stable,
        at=at,
        bifurcations=list(_bifurcations(frequency, multipliers, stable)),
    )


def _bifurcations(
    frequency: Array, multipliers: NDArray[np.complex128], stable: Mask
) -> Iterator[str]:
    """Yield a description of each change of stability along the branch."""
    for i in np.flatnonzero(stable[1:] != stable[:-1]):
        largest = multipliers[i + 1 if stable[i] else i, 0]
        if abs(largest.imag) > 1e-6 * abs(largest):
            kind = "Neimark–Sacker bifurcation (quasi-periodic motion)"
        elif largest.real < 0.0:
            kind = "period doubling"
        else:
            kind = "fold or branching"
        low, high = sorted((float(frequency[i]), float(frequency[i + 1])))
        change = "loses" if stable[i] else "regains"
        yield f"the motion {change} stability between {low:.6g} and {high:.6g} Hz: {kind}"
