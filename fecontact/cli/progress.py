"""Progress bar and name of a phase on a terminal; no output if piped; only rank 0 draws."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from fecontact.cli import ranks
from fecontact.record import StepReport
from fecontact.study.errors import printable

Callback = Callable[[StepReport], None]
_BAR = 16  # columns of the bar
_ESTIMATE = 20  # columns of percentage and time left, with the spaces between all parts
_STARTING = "starting; the first run compiles kernels"
_REDRAW = 0.1  # s between two updates, so that their cost is negligible


@contextmanager
def progress(title: str, quiet: bool = False) -> Iterator[Callback | None]:
    """Return a callback that shows time, step, iterations, contact statuses and time left."""
    if not _is_shown(quiet):
        yield None
        return
    import time

    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=_BAR),
        TextColumn("{task.percentage:3.0f} %"),
        TextColumn("{task.fields[state]}"),
        TimeRemainingColumn(compact=True),
    )
    console = Console(stderr=True)
    name = _cut(printable(title), console.width // 3)
    room = console.width - len(name) - _BAR - _ESTIMATE
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(escape(name), total=1.0, state=_cut(_STARTING, room))
        drawn = 0.0

        def show(report: StepReport) -> None:
            nonlocal drawn
            now = time.monotonic()
            if now - drawn > _REDRAW:
                drawn = now
                bar.update(task, completed=report.time / report.end, state=_state(report, room))

        yield show
        bar.update(task, completed=1.0)


@contextmanager
def shared_progress(names: Sequence[str]) -> Iterator[Callable[[int, float], None]]:
    """Return a callback that shows how many of several runs are finished or running. Its arguments
    are the number of a run and its completed fraction, from 0 to 1.
    """
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


@contextmanager
def phase(name: str, quiet: bool = False) -> Iterator[None]:
    """Show the present activity outside time steps: "drawing pictures"."""
    if not _is_shown(quiet):
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(name):
        yield


def _is_shown(quiet: bool) -> bool:
    return not quiet and ranks.rank() == 0 and sys.stderr.isatty()


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _state(report: StepReport, room: int) -> str:
    """Return time, then step, iterations and statuses as space permits: the estimate is always
    shown.
    """
    parts = [f"t = {report.time:.4g} s", f"Δt = {report.step:.2g} s"]
    if report.stick or report.slip or report.open:
        parts.append(f"{report.iterations} it")
        parts.append(f"stick/slip/open {report.stick}/{report.slip}/{report.open}")
    while len(parts) > 1 and len("  ".join(parts)) > room:
        parts.pop()
    return "  ".join(parts)
