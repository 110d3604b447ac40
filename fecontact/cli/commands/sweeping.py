"""`fecontact run` of a study with a [sweep]: all combinations, one table or map."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fecontact.cli import ranks
from fecontact.cli.output import print_line
from fecontact.study.errors import InputError, Interrupted, RunError

if TYPE_CHECKING:
    from fecontact.cli.commands.run import Request


def run_sweep_study(request: Request, folder: Path) -> None:
    """Compute the sweep over all cores, or over the ranks of an MPI run, and write its results.

    Finished combinations are written to checkpoints/ in the folder during the sweep; --resume
    computes the others. Exit code 3 if a combination could not be computed, 4 if one is not
    trusted.
    """
    from fecontact import combinations
    from fecontact.results import (
        prepare_folder,
        print_files,
        print_outcome,
        print_wrong,
        write_numbers,
        write_views,
    )
    from fecontact.results.report.sweep_runs import RUNS
    from fecontact.study.load import resolve
    from fecontact.sweep import sweep_study

    checkpoints, runs = folder / "checkpoints", folder / RUNS
    if ranks.rank() == 0:
        _prepare_folder(checkpoints, request)
        prepare_folder(folder, overwrite=request.overwrite or request.resume)
    comm = ranks.world() if ranks.size() > 1 else None
    if comm is not None:
        comm.Barrier()  # rank 0 has removed the results of an earlier sweep
    data = resolve(request.path, request.overrides, request.variant)
    again = f"resume with: {request.command_to_resume(folder)}"
    try:
        with _progress(request.title, request.quiet) as count:
            record = sweep_study(
                data, comm=comm, progress=count, checkpoints=checkpoints, runs=runs
            )
    except Interrupted as interruption:
        raise Interrupted(interruption.number, again) from None
    except RunError as error:
        raise RunError(f"{error}; {again}") from None
    if ranks.rank() == 0:
        write_numbers(folder, request.study, record)
        combinations.remove(checkpoints)
        if request.quiet:
            print_wrong(record, [])
        else:
            print_outcome(request.study, record, [])
        write_views(folder, request.study, record, [], request.views)
        if not request.quiet:
            print_files(folder)
    ranks.leave(3 if record.failed else 4 if record.doubtful else 0)


def run_task(request: Request, folder: Path, task: str) -> None:
    """Compute a subset of the sweep, for example "3/8", into the checkpoints/ of the folder.

    The folder is not locked: other machines compute other subsets into it.
    """
    from fecontact.results.report.sweep_runs import RUNS
    from fecontact.study.load import resolve
    from fecontact.sweep import Share, sweep_share

    number, _, count = task.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 0 < int(number) <= int(count)):
        raise InputError(
            f"--task {task}: invalid. Give the number of the task and the number of tasks, for "
            "example 3/8."
        )
    data = resolve(request.path, request.overrides, request.variant)
    with _progress(request.title, request.quiet) as counted:
        checkpoints = folder / "checkpoints"
        mine, runs = Share(int(number), int(count)), folder / RUNS
        done, failed = sweep_share(data, mine, checkpoints, progress=counted, runs=runs)
    if not request.quiet:
        without = f", {failed} of them without a result" if failed else ""
        print_line(f"task {task}: {done} points{without}")
        print_line(f"when all tasks have finished, run: {request.command_to_resume(folder)}")


def _prepare_folder(checkpoints: Path, request: Request) -> None:
    """Raise InputError if there are no combinations to resume, or if a new sweep would find some;
    with --overwrite, remove them.
    """
    from fecontact import combinations

    there = combinations.list_files(checkpoints)
    if request.resume and not there:
        raise InputError(f"--resume: no finished points found in {checkpoints}. Omit --resume.")
    if there and not request.resume:
        if not request.overwrite:
            raise InputError(
                f"{checkpoints} contains points of an unfinished sweep. Continue it with --resume "
                "or replace them with --overwrite."
            )
        combinations.remove(checkpoints)


@contextmanager
def _progress(title: str, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Return a progress bar over the combinations, on a terminal."""
    if quiet or ranks.rank() != 0 or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(), TimeLeft())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
