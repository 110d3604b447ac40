"""Ctrl-C ends a run after the step it is in, so that its state is whole and can be saved."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from fecontact.cli import ranks
from fecontact.record import StepReport

Callback = Callable[[StepReport], None]


@contextmanager
def after_the_step(callback: Callback | None) -> Iterator[Callback | None]:
    """The callback, which raises KeyboardInterrupt once Ctrl-C was pressed; twice ends at once.

    Under MPI the launcher ends the ranks itself and the callback is left as it is.
    """
    if ranks.size() > 1:
        yield callback
        return
    asked = False

    def remember(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True

    def call(report: StepReport) -> None:
        if asked:
            raise KeyboardInterrupt
        if callback is not None:
            callback(report)

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield call
    finally:
        signal.signal(signal.SIGINT, before)
