"""Verification runs: selection of studies and variants, execution, and outcomes.

Each run is computed independently, in a process of this machine (`over_cores`) or by all MPI ranks
together (`one_by_one`). A run that fails, or whose process ends, is reported as a row and does not
affect the other runs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from fecontact.isolation import named
from fecontact.record import RunRecord, StepReport
from fecontact.results.checks.convergence import Convergence
from fecontact.results.checks.evaluation import (
    EXIT_CODES,
    CheckRow,
    evaluate_checks,
    exit_code,
    stopped,
)
from fecontact.results.folder.result import Result
from fecontact.results.manual.entry import Entry
from fecontact.simulation import Simulation
from fecontact.study import AnyStudy, load
from fecontact.study.base import closest, in_toml
from fecontact.study.errors import InputError, RunError
from fecontact.study.library import files as bundled
from fecontact.study.load import resolve, study_from_dict
from fecontact.study.toml.layers import merge_study
from fecontact.workers import Fault, Lost, Progress, ReportProgress, shared_out

FAULT, WRONG_INPUT = 70, 2  # exit codes of a run without a result; see `verdict`
_SECONDS = 0.2  # s between two progress messages of a run


@dataclass(frozen=True)
class Run:
    """One verification run: a study file and one of its variants (None: without variant)."""

    path: Path
    variant: str | None

    @property
    def name(self) -> str:
        return self.path.stem if self.variant is None else f"{self.path.stem}-{self.variant}"

    def study(self) -> AnyStudy:
        return load(self.path, variant=self.variant)


@dataclass(frozen=True)
class LevelRun:
    """One member of a refinement series of a study."""

    path: Path
    series: str
    level: int
    variant: None = None

    @property
    def name(self) -> str:
        return f"{self.path.stem}, {self.series} {self.level + 1}"

    def study(self) -> AnyStudy:
        whole = load(self.path)
        changes = whole.refinements[self.series].levels[self.level].changes
        where = f"{self.path}: refinements.{self.series}.levels.{self.level}"
        return study_from_dict(merge_study(resolve(self.path), changes), where)


@dataclass(frozen=True)
class Task:
    """A run, and whether its plots are drawn for the manual."""

    run: Run | LevelRun
    pictures: bool


def runs_of(cases: Sequence[str]) -> list[Run]:
    """Return the selected runs (all if none is selected): studies with checks and each of their
    variants.

    A case is a case ("sdnv104"), a study ("sdnv104a"), one of its variants ("sdnv104a-lu") or a
    file.
    """
    own = [path for path in map(named, cases) if path.is_file() and path.suffix == ".toml"]
    files = [*bundled(), *own]
    cases = [str(named(case)) if named(case) in own else case for case in cases]
    runs: list[Run] = []
    wanted = {c.lower() for c in cases}
    known: set[str] = set()
    for path in files:
        data = resolve(path)
        if not data.get("checks") or data.get("sweep"):
            continue
        case = str(data.get("case", "")).lower()
        for run in (Run(path, None), *(Run(path, v) for v in data.get("variants", {}))):
            names = {case, path.stem.lower(), run.name.lower(), str(path).lower()}
            known |= names
            if not cases or names & wanted:
                runs.append(run)
    for case in cases:
        if case.lower() not in known:
            raise InputError(_unmatched(case, known))
    return runs


def _unmatched(case: str, known: Set[str]) -> str:
    """Return why a name selects nothing: a file without checks, or a misspelt study."""
    if named(case).is_file():
        return f"{case}: the study has no [checks]. Run it with `fecontact run`."
    hint = ". Run `fecontact list` for all studies."
    return f"verification study {in_toml(case)} not found{closest(case, sorted(known)) or hint}"


def levels_of(runs: Sequence[Run]) -> list[LevelRun]:
    """Return the members of all refinement series of the studies of these runs."""
    studies = {run.path: run.study() for run in runs if run.variant is None}
    return [
        LevelRun(path, name, level)
        for path, study in studies.items()
        for name, series in study.refinements.items()
        for level in range(len(series.levels))
    ]


def series_of(levels: Sequence[LevelRun], entries: Sequence[Entry]) -> list[Convergence]:
    """Return the refinement series, from the entries of their members."""
    errors: dict[tuple[Path, str], list[float]] = {}
    for run, entry in zip(levels, entries, strict=True):
        check = load(run.path).refinements[run.series].check
        number = list(entry.study.checks).index(check)
        lost = entry.code != 0 or not entry.rows
        error = math.nan if lost else entry.rows[number].error
        errors.setdefault((run.path, run.series), []).append(error)
    return [Convergence(load(path), name, found) for (path, name), found in errors.items()]


def over_cores(
    runs: Sequence[Run | LevelRun],
    processes: int,
    pictures: bool,
    report: Callable[[int, float], None],
) -> list[Entry]:
    """Compute all runs, `processes` at a time; report: callback with the number and progress of a
    run.
    """
    # errors in a study file are reported before any run starts
    studies = [run.study() for run in runs]
    entries: dict[int, Entry] = {}
    order = sorted(range(len(runs)), key=lambda number: -_expected(studies[number]))
    tasks = [Task(runs[number], pictures) for number in order]
    kinds = [studies[number].kind for number in order]
    for place, news in shared_out(compute, tasks, processes, kinds):
        number = order[place]
        if isinstance(news, Progress):
            report(number, news.done)
            continue
        if isinstance(news, Lost | Fault):
            report(number, 1.0)
        if isinstance(news, Lost):
            news = _without_result(studies[number], news.reason, EXIT_CODES["stopped"])
        elif isinstance(news, Fault):
            news = _without_result(
                studies[number], f"internal error (a bug in fecontact): {news.reason}", FAULT
            )
        entries[number] = news
    return [entries[number] for number in range(len(runs))]


def one_by_one(
    runs: Sequence[Run | LevelRun], pictures: bool, report: Callable[[int, float], None]
) -> list[Entry]:
    """Compute all runs one after another, each on all MPI ranks; only rank 0 gets rows."""
    return [compute(Task(run, pictures), partial(report, i)) for i, run in enumerate(runs)]


def compute(task: Task, report_progress: ReportProgress) -> Entry:
    """Compute one run: its checks and, if requested, its plots."""
    study, started = task.run.study(), time.process_time()
    try:
        simulation = Simulation(study)
        record = simulation.run(_now_and_then(report_progress))
    except InputError as error:
        return _without_result(study, str(error), WRONG_INPUT)
    except RunError as error:
        return _without_result(study, str(error), EXIT_CODES["stopped"])
    report_progress(1.0)
    first = simulation.comm is None or simulation.comm.rank == 0
    return _entry(task, study, record, time.process_time() - started) if first else Entry(study)


def verdict(entries: Sequence[Entry], rows: Sequence[CheckRow]) -> int:
    """Return the exit code: 70 internal error, 2 invalid study, else that of the rows."""
    codes = {entry.code for entry in entries}
    return next((code for code in (FAULT, WRONG_INPUT) if code in codes), exit_code(rows))


def _entry(task: Task, study: AnyStudy, record: RunRecord, seconds: float) -> Entry:
    result = Result.of(study, record, evaluate_checks(study, record))
    # Variants repeat the study's plots: one set keeps the manual readable.
    drawn = task.pictures and task.run.variant is None
    return Entry.of(result, task.run.path.name, seconds, drawn)


def _expected(study: AnyStudy) -> float:
    """Estimate the duration of a run by its steps times its elements. Long runs start first, so
    that all processes finish at about the same time.
    """
    if study.kind == "lumped":
        return study.time.end / study.time.step
    steps = study.time.end / study.time.longest
    return steps * sum(shape.elements() for shape in study.mesh.shapes.values())


def _without_result(study: AnyStudy, reason: str, code: int) -> Entry:
    return Entry(study, [stopped(study, reason)], code=code)


def _now_and_then(report_progress: ReportProgress) -> Callable[[StepReport], None]:
    last = time.monotonic()

    def call(report: StepReport) -> None:
        nonlocal last
        if time.monotonic() - last > _SECONDS:
            last = time.monotonic()
            report_progress(report.time / report.end)

    return call
