"""Tasks shared out among processes of this machine, one at a time to each.

A process that ends before its task does (killed, out of memory, a library that aborts) costs that
task and no other: it is reported as :class:`Lost`, and another process takes its place. Workers
end when the process that started them does, however that ends.

Tasks may be of kinds that need different compiled kernels. A process stays with the kind that it
has begun with while there is one such task: two processes that begin with the same kind would
compile the same kernels at the same time, and one that changes has to load others.
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

Tell = Callable[[float], None]
"""Told by a task how much of it is done, from 0 to 1."""

Work = Callable[[Any, Tell], Any]
"""What is done with a task: a function of a module."""


@dataclass(frozen=True)
class Lost:
    """Instead of a result: the process that had the task has ended, and how."""

    reason: str


@dataclass(frozen=True)
class Fault:
    """Instead of a result: the exception that the task has raised, in words."""

    reason: str


@dataclass(frozen=True)
class Progress:
    """How much of a running task is done, from 0 to 1."""

    done: float


def shared_out(
    work: Work, tasks: Sequence[Any], processes: int, kinds: Sequence[str] | None = None
) -> Iterator[tuple[int, Any]]:
    """Number of a task and what is new of it: `Progress`, its result, `Fault` or `Lost`; in the
    order in which these come. Tasks of a kind (one per task; all alike if None) are begun in their
    order."""
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
        ours.close()  # workers that are still busy end, whatever they are at
        watched.close()


class _Waiting:
    """The tasks that no process has yet, with their numbers, by kind."""

    def __init__(self, tasks: Sequence[Any], kinds: Sequence[str]) -> None:
        self._of: dict[str, deque[tuple[int, Any]]] = {}
        for number, (task, kind) in enumerate(zip(tasks, kinds, strict=True)):
            self._of.setdefault(kind, deque()).append((number, task))

    def __bool__(self) -> bool:
        return bool(self._of)

    def first(self, others: set[str]) -> tuple[str, int, Any]:
        """Kind, number and task for a new process beside others that are at these kinds."""
        return self._next(max(self._of, key=lambda kind: (kind not in others, len(self._of[kind]))))

    def another(self, kind: str) -> tuple[str, int, Any]:
        """Kind, number and task for a process that was at this kind."""
        return self._next(kind) if kind in self._of else self.first(set())

    def _next(self, kind: str) -> tuple[str, int, Any]:
        number, task = self._of[kind].popleft()
        if not self._of[kind]:
            del self._of[kind]
        return kind, number, task


class _Worker:
    """A process, the kind it is at and the number of the task it has."""

    def __init__(self, context: Any, work: Work, watched: Connection) -> None:
        self.connection, theirs = context.Pipe()
        name = f"{work.__module__}:{work.__qualname__}"
        self._process = context.Process(
            target=_serve, args=(name, theirs, watched, named("")), daemon=True
        )
        self.kind, self.number = "", -1
        with _alone():
            self._process.start()
        theirs.close()  # the worker's own copy is then the last: its end is the pipe's

    def give(self, kind: str, number: int, task: Any) -> None:
        """Begin a task."""
        self.kind, self.number = kind, number
        with contextlib.suppress(BrokenPipeError):  # `news` will say how it has ended
            self.connection.send(task)

    def news(self) -> Any:
        """The next message of the worker, or how it has ended."""
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
    """A worker's life: tasks until the connection is closed.

    name: `module:function` of the work, imported only here; folder: from which paths are taken.
    """
    take_paths_from(folder)
    _end_with(watched)
    module, _, function = name.partition(":")
    work: Work = getattr(import_module(module), function)

    def tell(done: float) -> None:
        connection.send(Progress(done))

    with contextlib.suppress(EOFError):
        while True:
            task = connection.recv()
            try:
                result = work(task, tell)
            except Exception as error:
                result = Fault(f"{type(error).__name__}: {error}")
            connection.send(result)


def _end_with(watched: Connection) -> None:
    """End when the process that shares the work out does, however that ends.

    Nothing is ever sent through the pipe that is watched: it ends when its other end is closed.
    Signals of a terminal go to the whole group: the process that shares the work out decides.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

    def watch() -> None:
        watched.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """A process that is started here neither runs the main script again (the script of a user may
    be what asked for the work) nor looks for its first modules in the working directory."""
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
