"""A parameter sweep: one study for every combination of the axes' values, over all cores or ranks.

Every combination is computed by itself, from the study's dictionary and its number alone, so the
table does not depend on how many processes or ranks share the work.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import math
import multiprocessing
import os
import sys
import time
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fecontact.record import Array, RunRecord, SweepRecord
from fecontact.results.measures import measure, unit_of
from fecontact.simulation import Simulation
from fecontact.study.common import Axis, Sweep
from fecontact.study.errors import InputError, RunError
from fecontact.study.layers import Data, merge_into, merge_study, parse_override
from fecontact.study.load import AnyStudy, study_from_dict
from fecontact.study.lumped import LumpedStudy

Progress = Callable[[int, int], None]
"""Told how many combinations of how many are done."""

MOST_COMBINATIONS = 10_000_000
_PIECES = 200  # parts of the work, so that a progress bar moves and cores end together


def sweep_study(
    data: Data,
    processes: int | None = None,
    comm: Any = None,
    progress: Progress | None = None,
) -> SweepRecord:
    """The sweep of a study, finite-element or lumped, with what its [sweep.results] ask for.

    data: the study as a dictionary. processes: on this machine (all cores if None); comm: an MPI
    communicator whose ranks share the work instead (every rank gets the whole table). A
    combination that cannot be computed leaves NaN; the first reason is kept as a warning.
    """
    started = time.perf_counter()
    study = study_from_dict(data)
    if study.sweep is None:
        raise InputError("the study has no [sweep]")
    work = _Work(data, study.sweep, isinstance(study, LumpedStudy))
    if work.count > MOST_COMBINATIONS:
        raise InputError(f"sweep: {work.count} combinations are more than {MOST_COMBINATIONS}")
    units = _units(study, study.sweep)
    if comm is not None and comm.size > 1:
        table, reasons = _over_ranks(work, comm, progress)
    else:
        table, reasons = _over_cores(work, processes or os.cpu_count() or 1, progress)
    shape = tuple(len(values) for values in work.axes.values())
    record = SweepRecord(
        axes=work.axes,
        results={name: table[:, i].reshape(shape) for i, name in enumerate(work.results)},
        units=units,
        timings={"sweep": time.perf_counter() - started},
    )
    record.failed = int(np.isnan(table).any(axis=1).sum())
    record.doubtful = int(np.count_nonzero(table[:, -1] == 1.0))
    if record.failed:
        why = f" (for example: {reasons[0]})" if reasons else ""
        record.warnings.append(f"{record.failed} of {work.count} combinations have no result{why}")
    if record.doubtful:
        record.warnings.append(
            f"{record.doubtful} of {work.count} combinations are not to be trusted: a limit is "
            "exceeded in them; run one of them by itself to see which"
        )
    return record


def _units(study: AnyStudy, sweep: Sweep) -> dict[str, str]:
    """Units of the results, from a run of the study itself.

    It comes before all others and so compiles the kernels once, not in every process.
    """
    try:
        record = _run(study.model_copy(update={"sweep": None}))
        return {name: unit_of(record, result) for name, result in sweep.results.items()}
    except (InputError, RunError):
        return {}


def _run(study: AnyStudy) -> RunRecord:
    if isinstance(study, LumpedStudy):
        return Simulation(study).run()
    from mpi4py import MPI  # only where it is needed: its start takes time

    return Simulation(study, comm=MPI.COMM_SELF).run()  # every rank computes other combinations


def axis_values(axis: Axis) -> list[float | str]:
    """The values of one axis, in order."""
    if axis.values is not None:
        return list(axis.values)
    assert axis.start is not None
    assert axis.stop is not None
    assert axis.count is not None
    spaced = np.geomspace if axis.spacing == "logarithmic" else np.linspace
    return [float(x) for x in spaced(axis.start, axis.stop, axis.count)]


class _Work:
    """What a process needs to compute any combination from its number alone."""

    def __init__(self, data: Data, sweep: Sweep, lumped: bool) -> None:
        left_out = ("sweep", "checks", "references", "variants")
        self.data = merge_into({}, {k: v for k, v in data.items() if k not in left_out})
        self.results = dict(sorted(sweep.results.items()))
        self.axes = {name: axis_values(axis) for name, axis in sweep.axes.items()}
        self.paths = [_path(name) for name in self.axes]
        self.count = math.prod(len(values) for values in self.axes.values())
        needed = not lumped or any(r.measure != "scalar" for r in self.results.values())
        merge_into(self.data, {"output": {"every": 1 if needed else 10**9}})  # steps of histories

    @property
    def width(self) -> int:
        """Columns of the table: the results, then 1 for a run that is not to be trusted."""
        return len(self.results) + 1

    def combination(self, number: int) -> Data:
        """The study of a combination; the last axis runs fastest."""
        changed = merge_into({}, self.data)
        for path, values in zip(reversed(self.paths), reversed(self.axes.values()), strict=True):
            number, i = divmod(number, len(values))
            inner: Any = values[i]
            for part in reversed(path):
                inner = {part: inner}
            merge_study(changed, inner)
        return changed

    def measured(self, number: int) -> list[float]:
        """The results of a combination, and 1 if it is not to be trusted, else 0."""
        record = _run(study_from_dict(self.combination(number)))
        if record.failure is not None:
            raise RunError(record.failure)
        doubtful = not all(scalar.within_limit for scalar in record.scalars.values())
        return [*(measure(record, result) for result in self.results.values()), float(doubtful)]

    def __call__(self, first: int, last: int) -> tuple[int, Array, list[str]]:
        """The rows of the combinations first, …, last − 1, and the first reason for a hole."""
        rows, reasons = np.full((last - first, self.width), np.nan), []
        for number in range(first, last):
            try:
                rows[number - first] = self.measured(number)
            except (InputError, RunError) as error:
                reasons.append(str(error))
        return first, rows, reasons[:1]


def _path(name: str) -> list[str]:
    """The parts of a dotted key, as --set reads them."""
    inner, path = parse_override(f"{name}=0"), []
    while isinstance(inner, dict):
        path.append(next(iter(inner)))
        inner = inner[path[-1]]
    return path


def _pieces(count: int) -> Iterator[tuple[int, int]]:
    edges = np.unique(np.linspace(0, count, _PIECES + 1).astype(int))
    yield from zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)


def _over_cores(work: _Work, processes: int, progress: Progress | None) -> tuple[Array, list[str]]:
    table, reasons, done = np.full((work.count, work.width), np.nan), [], 0
    with contextlib.ExitStack() as stack:
        if min(processes, work.count) > 1:
            # Not by fork: a copy of a process with threads may wait for ever for one that is gone.
            context = multiprocessing.get_context("spawn")
            pool = stack.enter_context(
                concurrent.futures.ProcessPoolExecutor(
                    min(processes, work.count), context, initializer=_remember, initargs=(work,)
                )
            )
            with _script_hidden():
                futures = [pool.submit(_piece, *piece) for piece in _pieces(work.count)]
            stack.callback(lambda: [future.cancel() for future in futures])
            answers: Iterator = (f.result() for f in concurrent.futures.as_completed(futures))
        else:
            answers = (work(*piece) for piece in _pieces(work.count))
        for first, rows, why in answers:
            table[first : first + len(rows)] = rows
            reasons += why
            done += len(rows)
            if progress is not None:
                progress(done, work.count)
    return table, reasons


@contextlib.contextmanager
def _script_hidden() -> Iterator[None]:
    """A new process runs the main script again, unless there seems to be none; it must not: the
    script of a user may be what asked for the sweep."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = types.ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


_work: _Work | None = None


def _remember(work: _Work) -> None:
    global _work
    _work = work


def _piece(first: int, last: int) -> tuple[int, Array, list[str]]:
    assert _work is not None
    return _work(first, last)


def _over_ranks(work: _Work, comm: Any, progress: Progress | None) -> tuple[Array, list[str]]:
    """Each rank takes every size-th piece; the parts are added up (zeros where not computed)."""
    table, reasons, done = np.zeros((work.count, work.width)), [], 0
    for i, (first, last) in enumerate(_pieces(work.count)):
        if i % comm.size == comm.rank:
            _, rows, why = work(first, last)
            table[first:last] = rows
            reasons += why
            done += last - first
            if progress is not None and comm.rank == 0:
                progress(min(work.count, done * comm.size), work.count)
    gathered = comm.allgather(table)
    return np.sum(gathered, axis=0), [r for part in comm.allgather(reasons) for r in part]
