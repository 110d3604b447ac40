"""A progress bar on a terminal; nothing when piped; only rank 0 draws."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from fecontact.cli import ranks
from fecontact.record import StepReport
from fecontact.study.errors import printable

Callback = Callable[[StepReport], None]
_REDRAW = 0.1  # s between two drawings: a step must not pay for its picture


@contextmanager
def progress(title: str, quiet: bool = False) -> Iterator[Callback | None]:
    """A callback that shows simulated time, step, iterations, contact statuses and time left."""
    if quiet or ranks.rank() != 0 or not sys.stderr.isatty():
        yield None
        return
    import time

    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.percentage:3.0f} %"),
        TextColumn("{task.fields[state]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(printable(title)), total=1.0, state="")
        drawn = 0.0

        def show(report: StepReport) -> None:
            nonlocal drawn
            now = time.monotonic()
            if now - drawn > _REDRAW:
                drawn = now
                bar.update(task, completed=report.time / report.end, state=_state(report))

        yield show
        bar.update(task, completed=1.0)


@contextmanager
def shared_progress(names: Sequence[str]) -> Iterator[Callable[[int, float], None]]:
    """A callback that shows how many of several runs are done, and which are under way; it is told
    the number of a run and how much of it is done, from 0 to 1."""
    if ranks.rank() != 0 or not sys.stderr.isatty():
        yield lambda number, done: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (MofNCompleteColumn(), BarColumn(bar_width=None), TextColumn("{task.description}"))
    running: dict[int, float] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=len(names))

        def show(number: int, done: float) -> None:
            running[number] = done
            if done >= 1.0:
                del running[number]
                bar.advance(task)
            words = (f"{names[i]} {part:.0%}" for i, part in sorted(running.items()))
            bar.update(task, description=escape(printable("  ".join(words))))

        yield show


def _state(report: StepReport) -> str:
    text = f"t = {report.time:.4g} s  Δt = {report.step:.2g} s"
    if report.stick or report.slip or report.open:
        text += f"  {report.iterations} it"
        text += f"  stick/slip/open {report.stick}/{report.slip}/{report.open}"
    return text
