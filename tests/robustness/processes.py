"""Processes of a test: started as from a terminal, and always ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE = 300.0  # s: the machine may have other things to do


def heed_signals() -> None:
    """Signals as a terminal's shell sets them: those who run the tests may ignore some (nohup)."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def started(
    arguments: Sequence[str | Path], ranks: int = 1, cwd: Path | None = None
) -> Iterator[subprocess.Popen[str]]:
    """`fecontact ARGUMENTS` in a separate session, which ends with the block."""
    launcher = ["mpirun", "-n", str(ranks), "--oversubscribe"] if ranks > 1 else []
    process = subprocess.Popen(
        [*launcher, sys.executable, "-m", "fecontact", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        start_new_session=True,
        preexec_fn=heed_signals,
    )
    try:
        yield process
    finally:
        kill_session(process.pid)
        process.communicate()


def session(leader: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, *numbers = status.read_text().rpartition(")")[2].split()
            if int(numbers[2]) == leader and state != "Z":
                found.append(int(status.parent.name))
    return found


def running(leader: int, *, with_words: str) -> list[int]:
    """Those processes of a session, but for the leader, whose command has these words in it."""
    found = []
    for number in session(leader):
        with suppress(OSError):
            command = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            if with_words in command and number != leader:
                found.append(number)
    return found


def kill_session(leader: int) -> None:
    """SIGKILL for every process of a session: ranks outlive an mpirun that is killed alone."""
    for number in session(leader):
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until the condition holds; fail if it does not within the given time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
