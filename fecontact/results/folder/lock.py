"""Exclusive use of a result folder by one run at a time.

The run locks (flock) a file in the folder that identifies the run. The lock ends with the process,
however the process ends, so the file left by a killed run blocks no other run.
"""

from __future__ import annotations

import errno
import fcntl
import itertools
import json
import os
import shlex
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO

from fecontact.results.folder.ownership import require_no_links
from fecontact.study.errors import InputError

LOCK = ".fecontact-lock"
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)  # of file systems without locks


@contextmanager
def locked_folder(folder: Path) -> Iterator[Path]:
    """Lock the folder for this run, creating it if necessary; remove it again if it stays empty."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file. Choose a folder for the results.")
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        require_no_links(folder)
    with _hold_lock(folder, made):
        yield folder


@contextmanager
def new_locked_folder(base: Path, name: str) -> Iterator[Path]:
    """Create and lock the first of BASE/NAME, BASE/NAME-2, … that does not exist."""
    made = [path for path in (base, *base.parents) if not path.exists()]
    for number in itertools.count(1):
        folder = base / (name if number == 1 else f"{name}-{number}")
        with _writing(folder):
            base.mkdir(parents=True, exist_ok=True)
            try:
                folder.mkdir()  # several runs may try this at the same time
            except FileExistsError:
                continue
        break
    with _hold_lock(folder, [folder, *made]):
        yield folder


@contextmanager
def _hold_lock(folder: Path, made: list[Path]) -> Iterator[None]:
    with _writing(folder):
        file = _acquire_lock(folder)
    try:
        yield
    finally:
        with suppress(OSError):
            (folder / LOCK).unlink()
        file.close()
        with suppress(OSError):  # folders that are not empty are left
            for path in made:
                path.rmdir()


def _acquire_lock(folder: Path) -> IO[str]:
    """Return the open, locked file of the folder."""
    path = folder / LOCK
    while True:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o644), "r+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{folder} is in use by {_holder(file)}. Wait for it or choose another folder "
                "with --out."
            ) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
        # The previous run may have removed the file after this run opened it.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                break
        file.close()
    file.truncate()
    json.dump(
        {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "started": datetime.now().astimezone().isoformat(timespec="seconds"),
            "command": shlex.join(sys.argv),
        },
        file,
    )
    file.flush()
    return file


def _holder(file: IO[str]) -> str:
    try:
        who = json.load(file)
        return (
            f"process {who['pid']} on {who['host']} since {who['started']} ({who['command'][:200]})"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return "another run"


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
