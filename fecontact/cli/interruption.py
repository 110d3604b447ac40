"""Signals that ask a command to end: it ends with its work saved, and says by which signal.

SIGINT (Ctrl-C), SIGTERM (a batch system, `kill`) and SIGHUP (a terminal that is closed) end a run
after the step it is in, so that its state is whole and can be saved. While a run is being built
there is nothing to save: the process ends at once, because libraries that compile and assemble turn
an exception into errors of their own, or into a crash. Elsewhere :class:`Interrupted` is raised. A
second signal ends the process at once. A signal that the process was started to ignore (`nohup`)
stays ignored.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from fecontact.cli import ranks
from fecontact.study.errors import Interrupted

if TYPE_CHECKING:  # the command line itself must not load numpy
    from fecontact.record import StepReport

    Callback = Callable[[StepReport], None]

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


last_heard = 0
"""The signal that this process has heard last: an error after it is likely to come of it."""


class Listener:
    """Hears the signals; `building` ends the process at them, `postponed` holds them back until the
    end of a step. tidy_up: called before the process ends while a run is being built."""

    def __init__(self) -> None:
        self._heard = 0
        self._postponed = self._building = False
        self.tidy_up: Callable[[], None] = lambda: None
        self.before = {number: signal.getsignal(number) for number in SIGNALS}

    def attend(self) -> None:
        """Become the handler of the signals that are not ignored."""
        for number, disposition in self.before.items():
            if disposition != signal.SIG_IGN:
                signal.signal(number, self.hear)

    def hear(self, number: int, frame: FrameType | None) -> None:
        """The handler of the signals."""
        global last_heard
        signal.signal(number, signal.SIG_DFL)
        self._heard = last_heard = number
        if self._building:
            self.tidy_up()
            ranks.end_at_once(f"interrupted: {Interrupted(number)}", 128 + number)
        if not self._postponed:
            raise Interrupted(number)

    @contextmanager
    def building(self) -> Iterator[None]:
        """A run is being built: a signal ends the process, and with it all ranks."""
        self.attend()
        self._building = True
        try:
            yield
        finally:
            self._building = False

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
