"""Cache of compiled forms: removal of the remains of an interrupted compilation.

FFCx creates the C file of a form when its compilation starts, and a file `.c.cached` beside it when
the compilation is complete. A process that ends between the two leaves the C file, and every later
process would wait in vain for the compilation (ffcx.codegeneration.jit.get_cached_module). If the C
file alone is removed, every later compilation fails. Forms are also compiled in the course of a
run, and by scripts that do not call :func:`protect_forms`. The lock is therefore kept until the
process ends, and forms that another process may be compiling at present stay.
"""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from dolfinx import jit
from mpi4py import MPI

LOCK = "fecontact.lock"
RECENT = 20.0  # s since the last change of a C file: it may be in compilation by a script
ABANDONED = 600.0  # s likewise, if another run compiles forms

_locks: dict[Path, TextIO] = {}


def protect_forms(comm: MPI.Comm) -> None:
    """Mark this process as one that compiles forms, and remove incomplete forms first. Collective.

    If no other run compiles forms, wait until recent ones are complete or can be removed.
    """
    folder = Path(jit.get_options()["cache_dir"])
    if comm.rank == 0:
        with suppress(OSError):  # a cache on a file system without locks is not cleaned
            folder.mkdir(parents=True, exist_ok=True)
            lock = _locks.setdefault(folder, (folder / LOCK).open("w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                while any(time.time() - changed < RECENT for _, changed in incomplete(folder)):
                    time.sleep(0.1)
                remove_incomplete(folder, RECENT)
            except BlockingIOError:
                remove_incomplete(folder, ABANDONED)
            fcntl.flock(lock, fcntl.LOCK_SH)
    comm.barrier()


def incomplete(folder: Path) -> Iterator[tuple[Path, float]]:
    """Yield the C files of forms whose compilation is not complete, and their last change, s."""
    for source in folder.glob("libffcx_*.c"):
        with suppress(FileNotFoundError):
            if not source.with_suffix(".c.cached").exists():
                yield source, source.stat().st_mtime


def remove_incomplete(folder: Path, age: float) -> None:
    """Remove the C files of incomplete forms of an age, s, and marks `.c.cached` without C file."""
    for source, changed in incomplete(folder):
        if time.time() - changed >= age:
            source.unlink(missing_ok=True)
    for mark in folder.glob("libffcx_*.c.cached"):
        if not mark.with_suffix("").exists():
            mark.unlink(missing_ok=True)
