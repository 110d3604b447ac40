"""Parameter sweeps: one run for every combination of the axis values, over all cores or ranks.

Each combination is computed independently from the study's dictionary and the number of the
combination, so the table does not depend on the number of processes or ranks.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.arrays import Array
from fecontact.combinations import Combinations, belonging
from fecontact.isolation import named
from fecontact.record import RunRecord, RunWarning, SweepRecord, Value
from fecontact.results import write_results
from fecontact.results.checks.measures import measure, unit_of
from fecontact.results.report.sweep_runs import run_folder
from fecontact.simulation import Simulation
from fecontact.study.common import Axis, Sweep
from fecontact.study.errors import InputError, RunError
from fecontact.study.load import AnyStudy, converted, study_from_dict
from fecontact.study.lumped import LumpedStudy
from fecontact.study.toml.layers import Data, merge_into, merge_study, parse_override
from fecontact.workers import Fault, Lost, Progress, ReportProgress, shared_out

Counter = Callable[[int, int], None]
"""Callback with the number of finished combinations and the total number."""

Piece = tuple[list[int], Array, list[str]]
"""Numbers of combinations, a row of results for each, and the reasons of empty rows."""

MAX_COMBINATIONS = 10_000_000
MAX_TASKS = 9999  # limit of the digits in file names
_PIECES = 200  # number of work pieces, so that the progress bar moves and cores finish together


def sweep_study(
    data: Data,
    processes: int | None = None,
    comm: Any = None,
    progress: Counter | None = None,
    checkpoints: Path | None = None,
    runs: Path | None = None,
) -> SweepRecord:
    """Compute the sweep of a finite-element or lumped study and return its [sweep.results].

    data: the study as a dictionary. processes: on this machine (all cores if None); comm: an MPI
    communicator whose ranks share the work instead (every rank gets the whole table). A failed
    combination is NaN in the table; the first reason is recorded as a warning. checkpoints: folder
    to which finished combinations are written during the sweep; combinations found in it are not
    computed again. runs: folder for the results of each run, if the sweep has `save_runs`.
    """
    started = time.perf_counter()
    study, sweep, work = _begun(data, runs)
    units = _units(study, sweep)
    table = _Table(work, checkpoints, 0 if comm is None else comm.rank, progress)
    if comm is not None and checkpoints is not None:
        comm.Barrier()  # no rank writes before all have read
    if comm is not None and comm.size > 1:
        _over_ranks(work, table, comm)
    else:
        _over_cores(work, table, processes or os.cpu_count() or 1)
    axes = {group[0]: work.axes[group[0]] for group in work.groups}
    shape = tuple(len(values) for values in axes.values())
    record = SweepRecord(
        axes=axes,
        linked={name: work.axes[name] for group in work.groups for name in group[1:]},
        results={name: table.rows[:, i].reshape(shape) for i, name in enumerate(work.results)},
        units=units,
        timings={"sweep": time.perf_counter() - started},
    )
    record.failed = int(np.isnan(table.rows).any(axis=1).sum())
    record.doubtful = int(np.count_nonzero(table.rows[:, -1] == 1.0))
    if record.failed:
        reason = next(filter(None, table.reasons), "")
        why = f" (for example: {reason})" if reason else ""
        message = f"{record.failed} of {work.count} points have no result{why}"
        record.warnings.append(RunWarning(message))
    if record.doubtful:
        message = (
            f"{record.doubtful} of {work.count} points are not trusted. Run one of them "
            "separately to see the reason."
        )
        record.warnings.append(RunWarning(message))
    return record


@dataclass(frozen=True)
class Share:
    """The `number`-th of `count` subsets of a sweep, from 1: every count-th combination."""

    number: int
    count: int


def sweep_share(
    data: Data,
    share: Share,
    checkpoints: Path,
    processes: int | None = None,
    progress: Counter | None = None,
    runs: Path | None = None,
) -> tuple[int, int]:
    """Compute a subset of a sweep into the folder `checkpoints`; return the number of its
    combinations and the number of failed ones.

    processes, runs: as in :func:`sweep_study`. Each subset writes its own file, so that machines
    that share the folder do not wait for each other. :func:`sweep_study` with that folder then
    reads all finished combinations and computes the missing ones.
    """
    study, sweep, work = _begun(data, runs)
    most = min(work.count, MAX_TASKS)
    if share.count > most:
        raise InputError(
            f"--task {share.number}/{share.count}: the sweep has {work.count} points. "
            f"Divide it into at most {most} tasks."
        )
    _units(study, sweep)  # compiles the kernels
    table = _Table(work, checkpoints, share.number, progress, share)
    _over_cores(work, table, processes or os.cpu_count() or 1)
    mine = np.arange(work.count) % share.count == share.number - 1
    return int(mine.sum()), int(np.isnan(table.rows[mine]).any(axis=1).sum())


def _begun(data: Data, runs: Path | None) -> tuple[AnyStudy, Sweep, _Work]:
    """Return the study of the dictionary, its sweep, and the work to be done."""
    study = study_from_dict(data)
    if study.sweep is None:
        raise InputError("the study has no [sweep]. Add it, or use `run`.")
    work = _Work(converted(data), study.sweep, isinstance(study, LumpedStudy), runs)
    if work.count > MAX_COMBINATIONS:
        raise InputError(
            f"sweep: {work.count} points exceed the limit of {MAX_COMBINATIONS}. Use fewer values."
        )
    return study, study.sweep, work


def _units(study: AnyStudy, sweep: Sweep) -> dict[str, str]:
    """Return the units of the results, from a run of the study itself.

    This run precedes all others and compiles the kernels once, not in every process.
    """
    try:
        record = _run(study.model_copy(update={"sweep": None}))
        return {name: unit_of(record, result) for name, result in sweep.results.items()}
    except (InputError, RunError):
        return {}


def _run(study: AnyStudy) -> RunRecord:
    if isinstance(study, LumpedStudy):
        return Simulation(study).run()
    from mpi4py import MPI  # imported only where needed: the import is slow

    return Simulation(study, comm=MPI.COMM_SELF).run()  # every rank computes different combinations


def axis_values(axis: Axis) -> list[Value]:
    """Return the values of one axis, in order."""
    if axis.values is not None:
        return [list(v) if isinstance(v, list) else v for v in axis.values]
    assert axis.start is not None
    assert axis.stop is not None
    assert axis.count is not None
    spaced = np.geomspace if axis.spacing == "logarithmic" else np.linspace
    return [float(x) for x in spaced(axis.start, axis.stop, axis.count)]


class _Work:
    """Data from which a process computes any combination by its number."""

    def __init__(self, data: Data, sweep: Sweep, lumped: bool, runs: Path | None) -> None:
        self.runs = runs if sweep.save_runs else None
        left_out = ("sweep", "checks", "references", "variants")
        self.data = merge_into({}, {k: v for k, v in data.items() if k not in left_out})
        self.results = sweep.results
        self.axes = {name: axis_values(axis) for name, axis in sweep.axes.items()}
        self.paths = {name: _path(name) for name in self.axes}
        self.groups = sweep.groups
        self.count = math.prod(len(self.axes[group[0]]) for group in self.groups)
        needed = not lumped or any(r.measure != "scalar" for r in self.results.values())
        needed |= sweep.save_runs
        merge_into(self.data, {"output": {"every": 1 if needed else 10**9}})  # steps of histories

    @property
    def width(self) -> int:
        """Return the number of table columns: the results, then 1 for a run that is not trusted."""
        return len(self.results) + 1

    def combination(self, number: int) -> Data:
        """Return the study of a combination; the last axis varies fastest."""
        changed = merge_into({}, self.data)
        for group in reversed(self.groups):
            number, i = divmod(number, len(self.axes[group[0]]))
            for name in group:
                inner: Any = self.axes[name][i]
                if self.paths[name] == ["mesh", "file"]:
                    inner = str(named(inner))
                for part in reversed(self.paths[name]):
                    inner = {part: inner}
                merge_study(changed, inner)
        return changed

    def measured(self, number: int) -> list[float]:
        """Return the results of a combination, then 1 if its run is not trusted, else 0."""
        study = study_from_dict(self.combination(number))
        record = _run(study)
        if self.runs is not None:
            write_results(run_folder(self.runs, number), study, record, [], overwrite=True)
        if record.failure is not None:
            raise RunError(record.failure)
        doubtful = float(not record.trusted)
        return [*(measure(record, result) for result in self.results.values()), doubtful]

    def __call__(self, numbers: list[int]) -> Piece:
        """Compute the combinations with these numbers."""
        rows, reasons = np.full((len(numbers), self.width), np.nan), [""] * len(numbers)
        for i, number in enumerate(numbers):
            try:
                rows[i] = self.measured(number)
            except (InputError, RunError) as error:
                reasons[i] = str(error)
        return numbers, rows, reasons

    @property
    def belonging(self) -> str:
        """Return the identity of finished combinations: the study and its mesh file."""
        mesh = self.data.get("mesh", {}).get("file")
        content = hashlib.sha256(Path(mesh).read_bytes()).hexdigest() if mesh else ""
        return belonging([self.data, self.axes, self.groups, list(self.results), content])


class _Table:
    """Results of the combinations so far: read from disk, and added as pieces of work finish."""

    def __init__(
        self,
        work: _Work,
        checkpoints: Path | None,
        writer: int,
        progress: Counter | None,
        share: Share | None = None,
    ) -> None:
        self._progress = progress
        self._file: Combinations | None = None
        self.rows: Array = np.full((work.count, work.width), np.nan)
        self.reasons: list[str] = []
        wanted = range(work.count)
        self.missing = list(wanted if share is None else wanted[share.number - 1 :: share.count])
        self._count = len(self.missing)
        if checkpoints is not None:
            self._file = Combinations(checkpoints, work.belonging, work.width, writer)
            self.rows, self.reasons, found = self._file.read(work.count)
            self.missing = [number for number in self.missing if not found[number]]
        self._done = self._count - len(self.missing)

    def take(self, piece: Piece, shared_by: int = 1) -> None:
        """Store a finished piece; shared_by: ranks that have each finished about as many."""
        numbers, rows, reasons = piece
        self.rows[numbers] = rows
        self.reasons += reasons
        if self._file is not None:
            self._file.keep(*piece)
        self._done += len(numbers) * shared_by
        if self._progress is not None:
            self._progress(min(self._done, self._count), self._count)


def _path(name: str) -> list[str]:
    """Return the parts of a dotted key, as --set reads them."""
    inner, path = parse_override(f"{name}=0"), []
    while isinstance(inner, dict):
        path.append(next(iter(inner)))
        inner = inner[path[-1]]
    return path


def _pieces(numbers: list[int]) -> Iterator[list[int]]:
    edges = np.unique(np.linspace(0, len(numbers), _PIECES + 1).astype(int)).tolist()
    yield from (numbers[i:j] for i, j in itertools.pairwise(edges))


def _over_cores(work: _Work, table: _Table, processes: int) -> None:
    if min(processes, len(table.missing)) < 2:
        for piece in _pieces(table.missing):
            table.take(work(piece))
        return
    tasks = [(work, numbers) for numbers in _pieces(table.missing)]
    for _, news in shared_out(compute_piece, tasks, min(processes, len(tasks))):
        if isinstance(news, Lost):
            raise RunError("a process of the sweep was killed")
        if isinstance(news, Fault):
            raise RuntimeError(news.reason)
        if not isinstance(news, Progress):
            table.take(news)


def compute_piece(task: tuple[_Work, list[int]], _: ReportProgress) -> Piece:
    """Compute the combinations with these numbers in a worker process."""
    work, numbers = task
    return work(numbers)


def _over_ranks(work: _Work, table: _Table, comm: Any) -> None:
    """Compute every size-th piece on each rank; return all pieces on all ranks."""
    mine = [piece for i, piece in enumerate(_pieces(table.missing)) if i % comm.size == comm.rank]
    done = []
    for numbers in mine:
        done.append(work(numbers))
        table.take(done[-1], shared_by=comm.size)
    for rank, pieces in enumerate(comm.allgather(done)):
        if rank != comm.rank:
            for numbers, rows, reasons in pieces:
                table.rows[numbers] = rows
                table.reasons += reasons
