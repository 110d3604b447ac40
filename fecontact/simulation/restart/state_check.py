"""Validation of arrays read from a file before they are used as the state of a run.

A newly started run defines the names and types of its state, and the shapes of all arrays except
two kinds: tables with one row per saved step, and the contact rows, whose number of entries depends
on the contact search. Values are validated independently of those at t = 0. Indices must lie within
the arrays they refer to, as compiled kernels do not check them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from fecontact.arrays import Array
from fecontact.lumped.state import MARK_DUE, NUMBER, TIME
from fecontact.record import OPEN, SLIP, STICK
from fecontact.study import AnyStudy
from fecontact.study.lumped import LumpedStudy

State = Mapping[str, Array]
_STATUSES = (OPEN, STICK, SLIP)
# Arrays with one row for every saved step, field, event or level of a cut-back step:
_GROWING = (
    "history",
    "measured",
    "jumps",
    "field_times",
    "grid_levels",
    "residuals",
    "unstable_where",
    "sizes_of",
    "sizes",
    "recorded.rows",
    "recorded.events",
    "recorded.marks",
)
_GROWING_TABLES = ("fields/", "surfaces/")  # each with a column of times
# Entries of the contact rows; `contact_basis_start` determines their number.
_ENTRIES = ("contact_basis_node", "contact_basis_normal")
# The next required time may be infinite; an event sets only the values of its kind; the gap of a
# node beyond the master is infinite.
_NOT_ALL_FINITE = ("state.clock", "recorded.events", "surfaces/saved")
_MAX_LEVELS = 100  # of nested step cutbacks


def damage(state: State, templates: Sequence[State], study: AnyStudy) -> str | None:
    """Return a description of the damage to a state, or None.

    The state is compared with the initial states of all stages of the same run.
    """
    stage = np.asarray(state.get("stage", 0))
    if stage.shape or stage.dtype.kind != "i" or not 0 <= stage < len(templates):
        return "the stage does not exist in the run"
    template_states = templates[int(stage)]
    for name in sorted({*state, *template_states}):
        if name not in state or name not in template_states:
            return f"{name} {'is missing' if name in template_states else 'is unknown'}"
        if wrong := _unlike(name, state[name], template_states[name]):
            return f"{name} {wrong}"
    if isinstance(study, LumpedStudy):
        return _lumped(state, study)
    return _finite_element(state, study.time.end)


def _unlike(name: str, array: Array, template_states: Array) -> str | None:
    """Return the difference in kind between an array and the one at the start, or None."""
    array, template_states = np.asarray(array), np.asarray(template_states)
    grows = name in (*_GROWING, *_ENTRIES) or name.startswith(_GROWING_TABLES)
    inner = slice(1, None) if grows else slice(None)
    if array.dtype != template_states.dtype:
        return f"is of type {array.dtype}, not {template_states.dtype}"
    if array.ndim != template_states.ndim or array.shape[inner] != template_states.shape[inner]:
        return f"has the shape {array.shape}, not {template_states.shape}"
    if name not in _NOT_ALL_FINITE and not np.isfinite(array).all():
        return "has values that are not finite"
    return None


def _finite_element(state: State, end: float) -> str | None:
    index, time, cuts = state["grid"]
    start, used = state["contact_basis_start"], state["contact_basis_used"]
    room = np.diff(start)
    tables = {
        prefix: {len(v) for k, v in state.items() if k.startswith(prefix)}
        for prefix in _GROWING_TABLES
    }
    return _first(
        (not 0.0 <= time <= end * (1 + 1e-9), "grid has a time outside of the run"),
        (index < 0 or cuts < 0 or index % 1 or cuts % 1, "grid has a fractional number of steps"),
        (len(state.get("sizes_of", ())) != len(state.get("sizes", ())), "sizes differ in length"),
        (len(state["grid_levels"]) > _MAX_LEVELS, "grid_levels has too many rows"),
        (not _rows_in_time(state["history"][:, 0], time), "history is not in the order of time"),
        (any(len(lengths) > 1 for lengths in tables.values()), "tables differ in length"),
        (
            not np.isin(state["contact_status"], _STATUSES).all(),
            "contact_status contains invalid statuses",
        ),
        (
            bool(np.isnan(state["surfaces/saved"]).any()),
            "surfaces/saved has values that are not numbers",
        ),
        (bool(start[0] != 0 or (room < 0).any()), "contact_basis_start does not increase from 0"),
        *((len(state[name]) != start[-1], f"{name} has the wrong length") for name in _ENTRIES),
        (not _within(used, room + 1), "contact_basis_used is out of range"),
        (
            not _within(state["contact_basis_node"], len(state["contact_position"])),
            "contact_basis_node is out of range",
        ),
    )


def _lumped(state: State, study: LumpedStudy) -> str | None:
    clock, events = state["state.clock"], state["recorded.events"]
    time, number = clock[TIME], clock[NUMBER]
    return _first(
        (not np.isfinite(np.delete(clock, MARK_DUE)).all(), "state.clock is not finite"),
        (np.isnan(clock[MARK_DUE]), "state.clock is not finite"),
        (not 0.0 <= time <= study.time.end * (1 + 1e-9), "state.clock is outside of the run"),
        (number < 0 or number % 1, "state.clock has a fractional number of steps"),
        (
            not np.isin(state["state.status"], _STATUSES).all(),
            "state.status contains invalid statuses",
        ),
        (
            not _rows_in_time(state["recorded.rows"][:, 0], time),
            "recorded.rows is not in order of time",
        ),
        (not np.isfinite(events[:, :4]).all(), "recorded.events is not finite"),
        (
            not _within(events[:, 2], len(study.obstacles) + len(study.watch)),
            "recorded.events has an unknown source",
        ),
        (len(state["recorded.marks"]) > len(study.marks), "recorded.marks has too many rows"),
        (int(state["every"]) < 1, "every is below 1"),
        (int(state["recorded.dropped_events"]) < 0, "recorded.dropped_events is below 0"),
    )


def _within(indices: Array, end: Array | int) -> bool:
    return bool(((indices >= 0) & (indices < end)).all())


def _rows_in_time(times: Array, present: float) -> bool:
    """Return True if times is not empty, not decreasing and not beyond the present time."""
    late = present + 1e-9 * abs(present)
    return len(times) > 0 and bool((np.diff(times) >= 0).all()) and bool(times[-1] <= late)


def _first(*problems: tuple[bool, str]) -> str | None:
    return next((text for wrong, text in problems if wrong), None)
