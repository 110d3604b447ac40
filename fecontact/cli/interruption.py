"""Signal handling: a command ends with its results saved, and reports the signal.

SIGINT (Ctrl-C), SIGTERM (a batch system, `kill`) and SIGHUP (a closed terminal) end a run after its
current step, so that its state is consistent and can be saved. While a run is being built there is
nothing to save: the process ends immediately, because libraries that compile and assemble turn an
exception into other errors, or into a crash. Elsewhere :class:`Interrupted` is raised. A second
signal ends the process immediately. A signal ignored since the start of the process (`nohup`) stays
ignored.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from fecontact.cli import ranks
from fecontact.study.errors import Interrupted

if TYPE_CHECKING:  # the command line itself must not import numpy
    from fecontact.record import StepReport

    Callback = Callable[[StepReport], None]

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


last_heard = 0
"""The last signal of this process: an error after it is probably a consequence."""


class Listener:
    """Signal handler; `building` ends the process, `postponed` defers signals to the end of a step.
    tidy_up: called before the process ends while a run is being built.
    """

    def __init__(self) -> None:
        self._heard = 0
        self._postponed = self._building = False
        self.tidy_up: Callable[[], None] = lambda: None
        self.before = {number: signal.getsignal(number) for number in SIGNALS}

    def attend(self) -> None:
        """Install the handler for the signals that are not ignored."""
        for number, disposition in self.before.items():
            if disposition != signal.SIG_IGN:
                signal.signal(number, self.hear)

    def hear(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
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
        """Mark a run as being built: a signal ends the process, and with it all ranks."""
        self.attend()
        self._building = True
        try:
            yield
        finally:
            self._building = False

    @contextmanager
    def postponed(self, callback: Callback | None, comm: Any = None) -> Iterator[Callback]:
        """Return a callback of every step that ends the run after the step in which a signal
        arrived.

        comm: MPI communicator of a run whose ranks step together; they also end together, although
        only one of them may have received the signal.
        """

        def call(report: StepReport) -> None:
            if callback is not None:
                callback(report)
            alone = comm is None or comm.size == 1
            heard = self._heard if alone else comm.allreduce(self._heard, op=_largest())
            if heard:
                raise Interrupted(heard)

        self.attend()  # again: libraries loaded since then (MPI, gmsh) install handlers
        self._postponed = True
        try:
            yield call
        finally:
            self._postponed = False


@contextmanager
def listening() -> Iterator[Listener]:
    """Handle the signals until the end of the block."""
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
