"""A parameter sweep: one study for every combination of the axes' values, over all cores or ranks.

The machinery knows nothing of a study but its dictionary: a function turns the dictionary of one
combination into the numbers that are kept of it. Every combination is computed by itself, from its
number alone, so the table does not depend on how many processes or ranks share the work.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fecontact.lumped import simulate
from fecontact.record import Array, RunRecord, SweepRecord
from fecontact.results.measures import measure, unit_of
from fecontact.study.common import Axis, Measured, Sweep
from fecontact.study.errors import InputError, RunError
from fecontact.study.layers import Data, merge_into, parse_override
from fecontact.study.load import AnyStudy, study_from_dict
from fecontact.study.lumped import LumpedStudy

Numbers = dict[str, float]
Evaluate = Callable[[Data], Numbers]
"""From the dictionary of one combination to the numbers kept of it; called in other processes."""

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
    """The sweep of a study, finite-element or lumped, with what its [sweep.results] ask for."""
    study = study_from_dict(data)
    if study.sweep is None:
        raise InputError("the study has no [sweep]")
    results = study.sweep.results
    shared = {k: v for k, v in data.items() if k not in ("checks", "references", "variants")}
    if isinstance(study, LumpedStudy) and all(r.measure == "scalar" for r in results.values()):
        shared = merge_into(merge_into({}, shared), {"output": {"every": 10**9}})  # no history
    evaluate = functools.partial(_measure_study, results)
    record = run_sweep(shared, evaluate, processes, comm, progress)
    with contextlib.suppress(InputError, RunError):
        first = _run(study.model_copy(update={"sweep": None}))
        record.units = {name: unit_of(first, result) for name, result in results.items()}
    return record


def _measure_study(results: dict[str, Measured], data: Data) -> Numbers:
    record = _run(study_from_dict(data))
    if record.failure is not None:
        raise RunError(record.failure)
    return {name: measure(record, result) for name, result in results.items()}


def _run(study: AnyStudy) -> RunRecord:
    if isinstance(study, LumpedStudy):
        return simulate(study)
    from mpi4py import MPI  # MPI and dolfinx: only where they are needed

    from fecontact.simulation import Simulation

    return Simulation(study, comm=MPI.COMM_SELF).run()  # every rank computes other combinations


def run_sweep(
    data: Data,
    evaluate: Evaluate,
    processes: int | None = None,
    comm: Any = None,
    progress: Progress | None = None,
) -> SweepRecord:
    """Compute all combinations of a study's [sweep].

    data: the study as a dictionary. processes: on this machine (all cores if None); comm: an MPI
    communicator whose ranks share the work instead (every rank gets the whole table). A
    combination that cannot be computed leaves NaN; the first reason is kept as a warning.
    """
    started = time.perf_counter()
    sweep = Sweep.model_validate(data.get("sweep") or {})
    axes = {name: axis_values(axis) for name, axis in sweep.axes.items()}
    count = int(np.prod([len(values) for values in axes.values()]))
    if count > MOST_COMBINATIONS:
        raise InputError(f"sweep: {count} combinations are more than {MOST_COMBINATIONS}")
    work = _Work(
        {k: v for k, v in data.items() if k != "sweep"}, axes, sorted(sweep.results), evaluate
    )
    if comm is not None and comm.size > 1:
        table, reasons = _over_ranks(work, count, comm, progress)
    else:
        table, reasons = _over_cores(work, count, processes or os.cpu_count() or 1, progress)
    shape = tuple(len(values) for values in axes.values())
    record = SweepRecord(
        axes=axes,
        results={name: table[:, i].reshape(shape) for i, name in enumerate(work.names)},
        timings={"sweep": time.perf_counter() - started},
    )
    failed = int(np.isnan(table).any(axis=1).sum())
    if failed:
        why = f" (for example: {reasons[0]})" if reasons else ""
        record.warnings.append(f"{failed} of {count} combinations have no result{why}")
    return record


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
    """What a process needs to compute any combination."""

    def __init__(
        self,
        data: Data,
        axes: dict[str, list[float | str]],
        names: list[str],
        evaluate: Evaluate,
    ) -> None:
        self.data, self.axes, self.names, self.evaluate = data, axes, names, evaluate
        self.paths = [_path(name) for name in axes]

    def combination(self, number: int) -> Data:
        """The study of a combination; the last axis runs fastest."""
        changed = merge_into({}, self.data)
        for path, values in zip(reversed(self.paths), reversed(self.axes.values()), strict=True):
            number, i = divmod(number, len(values))
            inner = changed
            for part in path[:-1]:
                inner = inner.setdefault(part, {})
            inner[path[-1]] = values[i]
        return changed

    def __call__(self, first: int, last: int) -> tuple[int, Array, list[str]]:
        """The rows of the combinations first, …, last − 1."""
        rows, reasons = np.full((last - first, len(self.names)), np.nan), []
        for number in range(first, last):
            try:
                numbers = self.evaluate(self.combination(number))
                rows[number - first] = [numbers[name] for name in self.names]
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


def _pieces(first: int, last: int) -> Iterator[tuple[int, int]]:
    edges = np.unique(np.linspace(first, last, _PIECES + 1).astype(int))
    yield from zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)


def _over_cores(
    work: _Work, count: int, processes: int, progress: Progress | None
) -> tuple[Array, list[str]]:
    table, reasons, done = np.full((count, len(work.names)), np.nan), [], 0
    with contextlib.ExitStack() as stack:
        if processes > 1 and count > 1:
            context = multiprocessing.get_context("fork")
            pool = stack.enter_context(
                concurrent.futures.ProcessPoolExecutor(
                    processes, mp_context=context, initializer=_remember, initargs=(work,)
                )
            )
            futures = [pool.submit(_piece, *piece) for piece in _pieces(0, count)]
            stack.callback(lambda: [future.cancel() for future in futures])
            answers: Iterator = (f.result() for f in concurrent.futures.as_completed(futures))
        else:
            answers = (work(*piece) for piece in _pieces(0, count))
        for first, rows, why in answers:
            table[first : first + len(rows)] = rows
            reasons += why
            done += len(rows)
            if progress is not None:
                progress(done, count)
    return table, reasons


_work: _Work | None = None


def _remember(work: _Work) -> None:
    global _work
    _work = work


def _piece(first: int, last: int) -> tuple[int, Array, list[str]]:
    assert _work is not None
    return _work(first, last)


def _over_ranks(
    work: _Work, count: int, comm: Any, progress: Progress | None
) -> tuple[Array, list[str]]:
    """Each rank takes every size-th piece; the parts are added up (zeros where not computed)."""
    table, reasons, done = np.zeros((count, len(work.names))), [], 0
    for i, (first, last) in enumerate(_pieces(0, count)):
        if i % comm.size == comm.rank:
            _, rows, why = work(first, last)
            table[first:last] = rows
            reasons += why
            done += last - first
            if progress is not None and comm.rank == 0:
                progress(min(count, done * comm.size), count)
    gathered = comm.allgather(table)
    return np.sum(gathered, axis=0), [r for part in comm.allgather(reasons) for r in part]
