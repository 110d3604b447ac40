"""A result folder belongs to one run at a time.

The run holds a lock (flock) on a file in the folder, in which it says who it is. The lock ends with
the process, however that ends, so the file that a killed run leaves behind blocks nobody.
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

from fecontact.results.ownership import require_no_links
from fecontact.study.errors import InputError

LOCK = ".fecontact-lock"
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)  # of file systems that know none


@contextmanager
def claimed(folder: Path) -> Iterator[Path]:
    """The folder, made if need be, for this run alone; what stays empty of it is removed again."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file. Choose a folder for the results.")
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        require_no_links(folder)
    with _held(folder, made):
        yield folder


@contextmanager
def new_locked_folder(base: Path, name: str) -> Iterator[Path]:
    """The first of BASE/NAME, BASE/NAME-2, … that is not there yet, made for this run alone."""
    made = [path for path in (base, *base.parents) if not path.exists()]
    for number in itertools.count(1):
        folder = base / (name if number == 1 else f"{name}-{number}")
        with _writing(folder):
            base.mkdir(parents=True, exist_ok=True)
            try:
                folder.mkdir()  # by one of several runs that try at the same time
            except FileExistsError:
                continue
        break
    with _held(folder, [folder, *made]):
        yield folder


@contextmanager
def _held(folder: Path, made: list[Path]) -> Iterator[None]:
    with _writing(folder):
        file = _locked(folder)
    try:
        yield
    finally:
        with suppress(OSError):
            (folder / LOCK).unlink()
        file.close()
        with suppress(OSError):  # those that hold something now stay
            for path in made:
                path.rmdir()


def _locked(folder: Path) -> IO[str]:
    """The open, locked file of the folder."""
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
        # The run before may have removed the file after this one had opened it.
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
