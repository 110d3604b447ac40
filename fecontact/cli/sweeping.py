"""`fecontact run` of a study with a [sweep]: all combinations, one table or map."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from fecontact.cli import ranks
from fecontact.study.load import AnyStudy


def run_sweep_study(
    study: AnyStudy,
    path: Path,
    overrides: Sequence[str],
    variant: str | None,
    folder: Path,
    overwrite: bool,
    quiet: bool,
    report: bool,
) -> None:
    """Compute the sweep over all cores, or over the ranks of an MPI run, and write its results.

    Exit code 3 if some combination could not be computed, 4 if some is not to be trusted.
    """
    from fecontact.results import prepare_folder, print_outcome, print_wrong, write_results
    from fecontact.study.load import resolve
    from fecontact.sweep import sweep_study

    if ranks.rank() == 0:
        prepare_folder(folder, overwrite=overwrite)
    comm = ranks.world() if ranks.size() > 1 else None
    with _progress(study.case or path.stem, quiet) as count:
        record = sweep_study(resolve(path, overrides, variant), comm=comm, progress=count)
    if ranks.rank() == 0:
        write_results(folder, study, record, [], report=report, overwrite=True)
        if quiet:
            print_wrong(record, [])
        else:
            print_outcome(folder, study, record, [])
    ranks.leave(3 if record.failed else 4 if record.doubtful else 0)


@contextmanager
def _progress(title: str, quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A bar over the combinations, on a terminal."""
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
