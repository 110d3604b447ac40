"""Run record of a lumped run: histories, events, statistics.

Scalars, with OBSTACLE and WATCH the study's names and N = 1, 2, …, `last`:

    OBSTACLE.contact_start.N, .contact_end.N   time at which contact closes, opens (between steps)
    OBSTACLE.contact_start.N.step, .contact_end.N.step
                                        time of the first step with closed, open contact
    OBSTACLE.stick.N, OBSTACLE.slip.N   time at which stick, slip starts
    OBSTACLE.final_stick_time           time from which it sticks to the end
    OBSTACLE.QUANTITY                   over the whole run: see :data:`STATISTICS`
    NAME.OBSTACLE.QUANTITY              over the interval of [statistics.NAME]
    WATCH.extremum.N, .extremum.N.time  (scheme `exact`) of a displacement in the history output
    energy.error, force.error           global errors of SDND121, %
    energy.error_at_end                 energy error at the end over the largest energy supplied, %
    *.resolution                        (fixed steps) see :mod:`fecontact.lumped.resolution`
    frequency.N                         of the modes, Hz
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.lumped.contact import DEPTH, WEAR_DEPTH, YIELDED
from fecontact.lumped.key_figures import key_figures
from fecontact.lumped.model.system import LumpedSystem
from fecontact.lumped.state import (
    CONTACT_TIME,
    ENERGIES,
    EVALUATIONS,
    FORCE2,
    FORCE_ERROR2,
    IMBALANCE2,
    IMPACTS,
    IMPULSE,
    LARGEST,
    MISSING,
    NUMBER,
    REFERENCE2,
    REJECTED,
    ROW_CONTACT,
    SLIPPED,
    SQUARE,
    SUPPLIED,
    TOTALS,
    WEAR,
    Buffers,
    State,
)
from fecontact.record import OPEN, STICK, History, Interval, RunRecord, RunWarning, Scalar
from fecontact.study.lumped import ENERGIES as ENERGY_NAMES
from fecontact.study.lumped import LumpedStudy, Watch

MAX_ENERGY_ERROR = 20.0
"""Quality limit of the energy error, %. With twenty steps per period it is 12 % with
symplectic Euler (whose energy oscillates by ωh/2 without drift), 1.5 % with central
differences and 2.3 % with HHT. An energy error of 20 % corresponds to an amplitude error of
10 %.
"""

LISTED = 200  # events of one kind that become scalars (the last one always does)
EXTREMUM = -1  # status of an event that is an extremum of a displacement in the history output

STATISTICS = {
    "work_rate": ("W", "mean of normal force times slip rate"),
    "wear_work": ("J", "∫ F_n |ds|"),
    "slip": ("m", "accumulated slip"),
    "impacts": ("1", "number of times contact closed"),
    "contact_fraction": ("1", "fraction of the time in contact"),
    "mean_force": ("N", "mean normal force"),
    "rms_force": ("N", "root mean square of the normal force"),
    "largest_force": ("N", "largest normal force"),
}


@dataclass
class Recorded:
    """Recorded data of a run so far: rows of the history, events, marks (see `Buffers`).

    blocks: rows of the history in their order, joined when they are used;
    count: their number.
    """

    blocks: list[Array]
    events: Array
    marks: Array
    first_status: Integers
    count: int = 0
    dropped_events: int = 0
    events_thinned: bool = False

    @classmethod
    def empty(cls, width: int, obstacles: int) -> Recorded:
        return cls(
            blocks=[np.empty((0, width))],
            events=np.empty((0, 5)),
            marks=np.empty((0, 1 + obstacles * TOTALS)),
            first_status=np.zeros(obstacles, dtype=np.int64),
        )

    @property
    def rows(self) -> Array:
        """Return all rows of the history."""
        if len(self.blocks) > 1:
            self.blocks = [np.concatenate(self.blocks)]
        return self.blocks[0]

    @rows.setter
    def rows(self, rows: Array) -> None:
        self.blocks, self.count = [rows], len(rows)

    def take(self, buffers: Buffers, max_events: int) -> None:
        """Append the data written by a kernel."""
        rows, events, marks = (int(n) for n in buffers.used)
        self.blocks.append(buffers.rows[:rows].copy())
        self.count += rows
        room = max(0, max_events - len(self.events))
        self.dropped_events += max(0, events - room)
        self.events = np.concatenate((self.events, buffers.events[: min(events, room)]))
        self.marks = buffers.marks[:marks].copy()

    def thin(self, most: int) -> bool:
        """Drop every second row if there are too many.

        Event rows are kept while they fill at most half of the space; the last row is always kept.
        """
        if self.count <= most:
            return False
        last, events = self.rows[-1:], self.rows[:, -1] == 1.0
        if 2 * events.sum() > most:
            self.events_thinned, events = True, np.zeros_like(events)
        dropped = np.flatnonzero(~events)[1::2]
        self.rows = np.delete(self.rows, dropped, axis=0)
        if self.rows[-1, 0] != last[0, 0]:
            self.rows = np.concatenate((self.rows, last))
        return True

    def end_where_infinite(self, modes: int) -> None:
        """Drop the rows from the first one after t = 0 with a non-finite motion."""
        finite = np.isfinite(self.rows[:, 1 : 1 + 3 * modes]).all(axis=1)
        self.rows = self.rows[: max(1, int(np.argmin(np.append(finite, False))))]

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            "rows": self.rows,
            "events": self.events,
            "marks": self.marks,
            "first_status": self.first_status,
            "dropped_events": np.array(self.dropped_events),
            "events_thinned": np.array(self.events_thinned),
        }

    def restore(self, arrays: dict[str, Array]) -> None:
        self.rows, self.events, self.marks = arrays["rows"], arrays["events"], arrays["marks"]
        self.first_status = arrays["first_status"].astype(np.int64)
        self.dropped_events = int(arrays["dropped_events"])
        self.events_thinned = bool(arrays["events_thinned"])


def make_record(
    study: LumpedStudy, system: LumpedSystem, state: State, recorded: Recorded
) -> RunRecord:
    """Return the record of a run."""
    record = RunRecord(history=history_of(study, system, recorded.rows))
    record.scalars |= _errors(state)
    record.scalars |= {
        f"frequency.{i + 1}": Scalar(float(f), "Hz", f"frequency of mode {i + 1}")
        for i, f in enumerate(system.frequencies)
    }
    end = float(state.clock[0])
    for k, name in enumerate(system.obstacles):
        own = recorded.events[recorded.events[:, 2] == k]
        record.scalars |= _event_scalars(name, int(recorded.first_status[k]), own)
        record.intervals += _intervals(study, name, int(recorded.first_status[k]), own, end)
        record.scalars |= _stop(name, record.intervals, end)
    for i, watch in enumerate(study.watch):
        own = recorded.events[recorded.events[:, 2] == len(system.obstacles) + i]
        record.scalars |= _extrema(watch, own)
    record.scalars |= _statistics(study, system, recorded.marks)
    record.scalars |= _crush(study, system, state)
    record.scalars |= _wear_scalars(study, system, state)
    record.key_figures = key_figures(system, recorded.rows, record.scalars, end)
    clock = state.clock
    record.statistics = {
        "steps": int(clock[NUMBER]),
        "rejected steps": int(clock[REJECTED]),
        "force evaluations": int(clock[EVALUATIONS] or clock[NUMBER]),
        "modes": len(system.frequencies),
    }
    if recorded.dropped_events:
        message = f"{recorded.dropped_events} events were not saved, because there are too many"
        record.warnings.append(RunWarning(message))
    if recorded.events_thinned:
        message = (
            "the histories do not contain all peaks of the contact forces, because there are too "
            "many. Use the scalars OBSTACLE.largest_force."
        )
        record.warnings.append(RunWarning(message))
    ideal = [
        name
        for name, o in study.obstacles.items()
        if study.time.event_driven and o.tangential_stiffness is not None
    ]
    if ideal:
        message = (
            f"tangential_stiffness of {', '.join(ideal)} has no effect with the scheme `exact`, "
            "which has rigid stick"
        )
        record.warnings.append(RunWarning(message))
    return record


def history_of(study: LumpedStudy, system: LumpedSystem, rows: Array) -> History:
    """Return the history outputs and the energies of rows of the history."""
    n = system.equations.stiffness.size
    columns, units = {}, {}
    for name, watch in study.watch.items():
        columns[name], units[name] = _column(watch, system, rows, n)
    for i, name in enumerate(ENERGY_NAMES):
        columns[name], units[name] = rows[:, 1 + 3 * n + i].copy(), "J"
    return History(time=rows[:, 0].copy(), columns=columns, units=units)


def _column(watch: Watch, system: LumpedSystem, rows: Array, n: int) -> tuple[Array, str]:
    """Return the history of one history output and its unit."""
    q, v, a = (rows[:, 1 + part * n : 1 + (part + 1) * n] for part in range(3))
    if watch.type == "coordinate":
        moves, constant = system.coordinates[watch.at]
        return q @ moves + constant, "m"
    if watch.type in ("displacement", "velocity", "acceleration"):
        axis = "xyz".index(watch.component or "x")
        moves, offsets = system.places[watch.at]
        motion, unit = {
            "displacement": (q, "m"),
            "velocity": (v, "m/s"),
            "acceleration": (a, "m/s²"),
        }[watch.type]
        offset = offsets[axis] if watch.type == "displacement" else 0.0
        return motion @ moves[axis] + offset, unit
    if watch.type == "spring-force" and watch.at in system.pulls:
        return v @ system.pulls[watch.at], "N"
    if watch.type == "spring-force":
        place = len(system.obstacles) + system.links.index(watch.at)
    else:
        place = system.obstacles.index(watch.at)
    first = 1 + 3 * n + ENERGIES + ROW_CONTACT * place
    column, unit = {
        ("gap", None): (0, "m"),
        ("contact-force", "normal"): (1, "N"),
        ("contact-force", "tangential"): (2, "N"),
        ("contact-force", "axial"): (3, "N"),
        ("spring-force", None): (1, "N"),
        ("slip", None): (4, "m"),
        ("work-rate", None): (5, "W"),
        ("wear-work", None): (6, "J"),
        ("wear-depth", None): (7, "m"),
        ("friction-state", None): (8, "s"),
    }[(watch.type, watch.component)]
    return rows[:, first + column].copy(), unit


def _errors(state: State) -> dict[str, Scalar]:
    """Return 100·√(Σ(E − E_inj)²/ΣE_inj²), E including dissipation, E_inj including initial
    energy.
    """

    def percent(error: int, reference: int) -> float:
        wrong, known = state.ledger[error], state.ledger[reference]
        if known == 0.0:  # no energy input: any energy is an error
            return 100.0 if wrong > 0.0 else 0.0
        return float(100.0 * np.sqrt(wrong / known))

    energy, supplied = percent(IMBALANCE2, REFERENCE2), state.ledger[SUPPLIED]
    at_end = 100.0 * float(abs(state.ledger[MISSING]) / supplied) if supplied > 0.0 else 0.0
    return {
        "energy.error": Scalar(energy, "%", "global error of the energy", MAX_ENERGY_ERROR),
        "energy.error_at_end": Scalar(
            at_end, "%", "error of the energy at the end", MAX_ENERGY_ERROR
        ),
        "force.error": Scalar(percent(FORCE_ERROR2, FORCE2), "%", "global error of contact forces"),
    }


def _event_scalars(name: str, first: int, events: Array) -> dict[str, Scalar]:
    """Add the times of closing, opening, sticking and slipping of one obstacle."""
    before = np.concatenate(([first], events[:-1, 3])) if len(events) else np.empty(0)
    after = events[:, 3]
    kinds = {
        "contact_start": ((before == OPEN) & (after != OPEN), "contact closes"),
        "contact_end": ((before != OPEN) & (after == OPEN), "contact opens"),
        "stick": (after == STICK, "starts to stick"),
        "slip": ((before == STICK) & (after != OPEN), "starts to slip"),
    }
    scalars = {}
    for kind, (chosen, meaning) in kinds.items():
        times = events[chosen]
        numbered = [(str(i + 1), row) for i, row in enumerate(times[:LISTED])]
        if len(times):
            numbered.append(("last", times[-1]))
        for number, row in numbered:
            key = f"{name}.{kind}.{number}"
            scalars[key] = Scalar(float(row[0]), "s", f"{name}: {meaning}")
            if kind in ("contact_start", "contact_end"):
                scalars[f"{key}.step"] = Scalar(
                    float(row[1]), "s", f"{name}: {meaning}, time of the step"
                )
    return scalars


def _intervals(
    study: LumpedStudy, name: str, first: int, events: Array, end: float
) -> list[Interval]:
    """Return the intervals of one status; a closed obstacle without friction is in `contact`."""
    rubs = study.obstacles[name].rubs
    states = ("open", "stick", "slip") if rubs else ("open", "contact", "contact")
    edges = np.concatenate(([0.0], events[:, 0], [end]))
    status = np.concatenate(([first], events[:, 3])).astype(int)
    return [
        Interval(name, states[status[i]], float(edges[i]), float(edges[i + 1]))
        for i in range(len(status))
        if edges[i + 1] > edges[i]
    ]


def _stop(name: str, intervals: list[Interval], end: float) -> dict[str, Scalar]:
    last = intervals[-1] if intervals else None
    if last is None or last.name != name or last.state != "stick" or last.end < end:
        return {}
    return {
        f"{name}.final_stick_time": Scalar(
            last.start, "s", f"{name}: sticks from this time until the end"
        )
    }


def _crush(study: LumpedStudy, system: LumpedSystem, state: State) -> dict[str, Scalar]:
    """Add the permanent sets of elastoplastic obstacles and their times of first yield."""
    scalars = {}
    for k, name in enumerate(system.obstacles):
        curve = study.obstacles[name].curve()
        if curve is None or not np.isfinite(curve.elastic_limit):
            continue
        deepest = float(state.contact[k, DEPTH : DEPTH + 2].max())
        left = curve.permanent_set(deepest)
        scalars[f"{name}.permanent_set"] = Scalar(left, "m", f"{name}: permanent set at the end")
        if state.contact[k, YIELDED] > 0.0:
            when = float(state.contact[k, YIELDED])
            scalars[f"{name}.yield_time"] = Scalar(when, "s", f"{name}: first yield")
    return scalars


def _wear_scalars(study: LumpedStudy, system: LumpedSystem, state: State) -> dict[str, Scalar]:
    """Add the wear depths of obstacles that wear."""
    return {
        f"{name}.wear_depth": Scalar(
            float(state.contact[k, WEAR_DEPTH : WEAR_DEPTH + 2].sum()),
            "m",
            f"{name}: wear depth at the end",
        )
        for k, name in enumerate(system.obstacles)
        if any(study.obstacles[name].wear_rates)
    }


def _extrema(watch: str, events: Array) -> dict[str, Scalar]:
    scalars = {}
    for i in range(min(LISTED, len(events))):
        row = events[i]
        key = f"{watch}.extremum.{i + 1}"
        scalars[key] = Scalar(float(row[4]), "m", f"extremum {i + 1} of {watch}")
        scalars[f"{key}.time"] = Scalar(float(row[0]), "s", f"time of extremum {i + 1} of {watch}")
    return scalars


def _statistics(study: LumpedStudy, system: LumpedSystem, marks: Array) -> dict[str, Scalar]:
    """Add contact statistics over the whole run and over the intervals of [statistics]."""
    reached = [0.0, *study.marks][: len(marks) + 1]  # a run may have been stopped before the others
    times = np.concatenate(([0.0], marks[:, 0]))
    shape = (len(marks), system.equations.obstacles.kind.size, TOTALS)
    totals = np.concatenate((np.zeros((1, *shape[1:])), marks[:, 1:].reshape(shape)))
    windows = {"": (0.0, study.time.end)}
    windows |= {f"{name}.": s.interval for name, s in study.statistics.items()}
    scalars = {}
    for prefix, (start, stop) in windows.items():
        if stop not in reached:
            continue
        i, j = reached.index(start), reached.index(stop)
        length = times[j] - times[i]
        for k, obstacle in enumerate(system.obstacles):
            grown = totals[j, k] - totals[i, k]
            values = {
                "work_rate": grown[WEAR] / length,
                "wear_work": grown[WEAR],
                "slip": grown[SLIPPED],
                "impacts": grown[IMPACTS],
                "contact_fraction": grown[CONTACT_TIME] / length,
                "mean_force": grown[IMPULSE] / length,
                "rms_force": np.sqrt(grown[SQUARE] / length),
                "largest_force": totals[i + 1 : j + 1, k, LARGEST].max(),
            }
            for quantity, value in values.items():
                unit, meaning = STATISTICS[quantity]
                scalars[f"{prefix}{obstacle}.{quantity}"] = Scalar(float(value), unit, meaning)
    return scalars
