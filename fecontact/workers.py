"""Distribution of tasks over processes of this machine, one task at a time per process.

If a process ends before its task (killed, out of memory, aborted by a library), only that task is
lost: it is reported as :class:`Lost`, and another process replaces it. Workers end with the process
that started them, however that process ends.

Tasks can be of kinds that need different compiled kernels. A process keeps its first kind while
such tasks remain: two processes that start with the same kind would compile the same kernels
simultaneously, and a process that changes its kind has to load other kernels.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import types
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from fecontact.isolation import named, take_paths_from

ReportProgress = Callable[[float], None]
"""Callback of a task with its completed fraction, from 0 to 1."""

Work = Callable[[Any, ReportProgress], Any]
"""The function of a module that computes a task."""


@dataclass(frozen=True)
class Lost:
    """Replacement for a result: the process of the task has ended, and how."""

    reason: str


@dataclass(frozen=True)
class Fault:
    """Replacement for a result: the text of the exception raised by the task."""

    reason: str


@dataclass(frozen=True)
class Progress:
    """Completed fraction of a running task, from 0 to 1."""

    done: float


def shared_out(
    work: Work, tasks: Sequence[Any], processes: int, kinds: Sequence[str] | None = None
) -> Iterator[tuple[int, Any]]:
    """Yield the number of a task and its `Progress`, result, `Fault` or `Lost`, in order of
    arrival.

    kinds: one per task; None if all are of the same kind. Tasks of a kind start in their order.
    """
    waiting = _Waiting(tasks, kinds or [""] * len(tasks))
    busy: dict[Connection, _Worker] = {}
    context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
    watched, ours = context.Pipe(duplex=False)
    try:
        while waiting or busy:
            while waiting and len(busy) < processes:
                worker = _Worker(context, work, watched)
                others = {other.kind for other in busy.values()}
                worker.give(*waiting.first(others))
                busy[worker.connection] = worker
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                worker = busy[connection]
                number, news = worker.number, worker.news()
                if isinstance(news, Lost):
                    del busy[connection]
                elif not isinstance(news, Progress):
                    if waiting:
                        worker.give(*waiting.another(worker.kind))
                    else:
                        busy.pop(connection).dismiss()
                yield number, news
    finally:
        ours.close()  # ends workers that are still busy
        watched.close()


class _Waiting:
    """Tasks not yet assigned to a process, with their numbers, by kind."""

    def __init__(self, tasks: Sequence[Any], kinds: Sequence[str]) -> None:
        self._of: dict[str, deque[tuple[int, Any]]] = {}
        for number, (task, kind) in enumerate(zip(tasks, kinds, strict=True)):
            self._of.setdefault(kind, deque()).append((number, task))

    def __bool__(self) -> bool:
        return bool(self._of)

    def first(self, others: set[str]) -> tuple[str, int, Any]:
        """Return kind, number and task for a new process next to processes of other kinds."""
        return self._next(max(self._of, key=lambda kind: (kind not in others, len(self._of[kind]))))

    def another(self, kind: str) -> tuple[str, int, Any]:
        """Return kind, number and task for a process that last worked on this kind."""
        return self._next(kind) if kind in self._of else self.first(set())

    def _next(self, kind: str) -> tuple[str, int, Any]:
        number, task = self._of[kind].popleft()
        if not self._of[kind]:
            del self._of[kind]
        return kind, number, task


class _Worker:
    """A process, the kind of its tasks and the number of its present task."""

    def __init__(self, context: Any, work: Work, watched: Connection) -> None:
        self.connection, theirs = context.Pipe()
        name = f"{work.__module__}:{work.__qualname__}"
        self._process = context.Process(
            target=_serve, args=(name, theirs, watched, named("")), daemon=True
        )
        self.kind, self.number = "", -1
        with _alone():
            self._process.start()
        theirs.close()  # the worker's own copy is then the last: when it closes, the pipe closes

    def give(self, kind: str, number: int, task: Any) -> None:
        """Start a task."""
        self.kind, self.number = kind, number
        with contextlib.suppress(BrokenPipeError):  # `news` reports how the worker has ended
            self.connection.send(task)

    def news(self) -> Any:
        """Return the next message of the worker, or how it has ended."""
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            self._process.join()
            self.connection.close()
            return Lost(f"its process ended: {_how(self._process.exitcode)}")

    def dismiss(self) -> None:
        """End the process, which has no task."""
        self.connection.close()
        self._process.join()


def _how(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"signal {signal.Signals(-code).name}"
    except ValueError:
        return f"signal {-code}"


def _serve(name: str, connection: Connection, watched: Connection, folder: Path) -> None:
    """Run tasks in a worker until the connection is closed.

    name: `module:function` of the work, imported only here; folder: base of relative paths.
    """
    take_paths_from(folder)
    _end_with(watched)
    module, _, function = name.partition(":")
    work: Work = getattr(import_module(module), function)

    def report_progress(done: float) -> None:
        connection.send(Progress(done))

    with contextlib.suppress(EOFError):
        while True:
            task = connection.recv()
            try:
                result = work(task, report_progress)
            except Exception as error:
                result = Fault(f"{type(error).__name__}: {error}")
            connection.send(result)


def _end_with(watched: Connection) -> None:
    """End this process when the process that distributes the work ends, however that happens.

    Nothing is ever sent through the watched pipe: it closes when its other end is closed. Signals
    of a terminal reach the whole process group; only the distributing process acts on them.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

    def watch() -> None:
        watched.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Isolate a process started here: it does not run the main script again (a user's script may
    have requested the work) and does not search the working directory for its first modules.
    """
    script, safe = sys.modules["__main__"], os.environ.get("PYTHONSAFEPATH")
    sys.modules["__main__"] = types.ModuleType("__main__")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        sys.modules["__main__"] = script
        if safe is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = safe
