"""Stages of a run: partial studies, each merged over the stage before.

All stages share mesh, bodies, materials, functions, history output and output; time continues
through all of them, also in functions of time. A stage ends at its own `time.end`, the last one at
that of the study. A stage changes entries of the study and adds none: an entry that acts only later
is defined in the study with `active = false`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import ValidationError

from fecontact.study.base import Problem, closest, dotted, in_toml, there_are
from fecontact.study.errors import StudyError
from fecontact.study.finite_element import FiniteElementStudy
from fecontact.study.toml.layers import Data, merge_study
from fecontact.study.validation.explain import Where, explain

STAGED = ("time", "supports", "loads", "springs", "foundations", "contact")
"""The tables that a stage may change."""

FIXED = (
    *("slave", "master", "exclude", "wear", "master_wear_fraction", "wear_updates_gap"),
    *("adhesion", "gap_closure_tolerance", "overlap_ramp_time"),
)
"""Keys of a contact pair that must not change: its surfaces and their properties."""

# Settings of the run as a whole are not required in each stage.
_OF_THE_RUN = {
    "initial_state",
    "stages",
    "checks",
    "references",
    "refinements",
    "sweep",
    "variants",
    "changed",
}


class Stage(NamedTuple):
    """A part of the run from `start` (s) until the `time.end` of its study."""

    name: str
    start: float
    study: FiniteElementStudy


def stages_of(study: FiniteElementStudy) -> list[Stage]:
    """Return the stages of a study that has passed :func:`check_stages`; the study itself if it has
    no stages.
    """
    if not study.stages:
        return [Stage("", 0.0, study)]
    found, start = [], 0.0
    for name, data in _layered(study):
        own = FiniteElementStudy.model_validate(data)
        found.append(Stage(name, start, own))
        start = own.time.end
    return found


def check_stages(study: FiniteElementStudy, where: Where) -> None:
    """Raise StudyError if the stages of a study are invalid."""
    wrong = [(("stages", name, *path), words) for name, path, words in _wrong(study)]
    if wrong:
        raise StudyError([f"{where(path)}: key `{dotted(path)}` {words}" for path, words in wrong])
    start = 0.0
    for name, data in _layered(study):
        try:
            own = FiniteElementStudy.model_validate(data)
        except ValidationError as error:
            inside = ("stages", name)
            raise StudyError(explain(error, FiniteElementStudy, where, inside)) from None
        for path, words in _wrong_times(own, start):
            path = ("stages", name, *path)
            raise StudyError([f"{where(path)}: key `{dotted(path)}` {words}"])
        start = own.time.end


def _layered(study: FiniteElementStudy) -> Iterator[tuple[str, Data]]:
    """Yield name and keys of each stage as a separate study."""
    below: Data = study.model_dump(
        mode="json", by_alias=True, exclude_unset=True, exclude=_OF_THE_RUN
    )
    below.get("output", {}).pop("fields_at", None)
    required_times = study.time.required_times
    last = list(study.stages)[-1]
    for name, changes in study.stages.items():
        merge_study(below, changes)
        own = {
            table: dict(keys) if isinstance(keys, dict) else keys for table, keys in below.items()
        }
        end = study.time.end if name == last else own["time"]["end"]
        required = changes.get("time", {}).get("required_times", required_times)
        own["time"] |= {"end": end, "required_times": [t for t in required if t <= end]}
        yield name, own


def _wrong(study: FiniteElementStudy) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Yield stage, key and message for undefined entries and for keys that must not change."""
    last = list(study.stages)[-1]
    for name, changes in study.stages.items():
        for table, keys in changes.items():
            if table not in STAGED:
                tables = ", ".join(f"`{t}`" for t in STAGED)
                yield name, (table,), f"cannot change in a stage. A stage can change {tables}."
            elif not isinstance(keys, dict):
                yield name, (table,), f"is {in_toml(keys)}; it must be a table"
            elif table != "time":
                yield from ((name, *found) for found in _wrong_entries(study, table, keys))
        timing = changes.get("time")
        end = timing.get("end") if isinstance(timing, dict) else None
        if name == last and end not in (None, study.time.end):
            yield (
                name,
                ("time", "end"),
                (
                    f"is {in_toml(end)}, but the last stage ends with the run, at time.end = "
                    f"{study.time.end:g} s. Set time.end = {in_toml(end)} and remove this key, or "
                    "add another stage."
                ),
            )
        if name != last and end is None:
            yield (
                name,
                ("time", "end"),
                "is missing; it must be the end of the stage, in s",
            )


def _wrong_entries(
    study: FiniteElementStudy, table: str, entries: dict[str, Any]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield errors for undefined entries and for keys of contact pairs that must not change."""
    known = getattr(study, table)
    for entry, keys in entries.items():
        if entry not in known:
            near = closest(entry, known) or there_are(known)
            yield (table, entry), f"cannot be changed: [{table}] has no such entry{near}"
        elif not isinstance(keys, dict):
            yield (table, entry), f"is {in_toml(keys)}; it must be a table"
        elif table == "contact":
            for name in keys.keys() & set(FIXED):
                yield (table, entry, name), "cannot change in a stage. Set it in the study itself."


def _wrong_times(stage: FiniteElementStudy, start: float) -> Iterator[Problem]:
    """Yield errors for times of a stage that do not follow the stage before; start:
    its start, s.
    """
    step, end = stage.time.longest, stage.time.end
    name = "step" if stage.time.control is None else "max_step"
    if end <= start:
        yield (
            ("time", "end"),
            (f"is {end:g} s; it must be later than the start of the stage, {start:g} s"),
        )
    elif step > (end - start) * (1.0 + 1e-9):
        yield ("time", name), f"is {step:g} s; the stage lasts only {end - start:g} s"
