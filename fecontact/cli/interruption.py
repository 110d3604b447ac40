"""Signals that ask a command to end: it ends with its work saved, and says by which signal.

SIGINT (Ctrl-C), SIGTERM (a batch system, `kill`) and SIGHUP (a terminal that is closed) raise
:class:`Interrupted` at once, or, while a run steps, after the step it is in, so that its state is
whole and can be saved. A second signal ends the process at once. A signal that the process was
started to ignore (`nohup`) stays ignored.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from fecontact.record import StepReport
from fecontact.study.errors import Interrupted

Callback = Callable[[StepReport], None]
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Listener:
    """Hears the signals; `postponed` holds them back until the end of a step."""

    def __init__(self) -> None:
        self._heard = 0
        self._postponed = False
        self.before = {number: signal.getsignal(number) for number in SIGNALS}

    def attend(self) -> None:
        """Become the handler of the signals that are not ignored."""
        for number, disposition in self.before.items():
            if disposition != signal.SIG_IGN:
                signal.signal(number, self.hear)

    def hear(self, number: int, frame: FrameType | None) -> None:
        """The handler of the signals."""
        signal.signal(number, signal.SIG_DFL)
        self._heard = number
        if not self._postponed:
            raise Interrupted(number)

    @contextmanager
    def postponed(self, callback: Callback | None, comm: Any = None) -> Iterator[Callback]:
        """A callback of every step that ends the run after the step in which a signal came.

        comm: MPI communicator of a run whose ranks step together; they end together too, though
        only one of them may have heard the signal.
        """

        def call(report: StepReport) -> None:
            if callback is not None:
                callback(report)
            alone = comm is None or comm.size == 1
            heard = self._heard if alone else comm.allreduce(self._heard, op=_largest())
            if heard:
                raise Interrupted(heard)

        self.attend()  # again: libraries that were loaded since (MPI, gmsh) bring handlers along
        self._postponed = True
        try:
            yield call
        finally:
            self._postponed = False


@contextmanager
def listening() -> Iterator[Listener]:
    """Hear the signals until the end of the block."""
    listener = Listener()
    listener.attend()
    try:
        yield listener
    finally:
        for number, disposition in listener.before.items():
            signal.signal(number, signal.SIG_DFL if disposition is None else disposition)


def _largest() -> Any:
    from mpi4py import MPI

    return MPI.MAX
