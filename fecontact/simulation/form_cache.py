"""Cache of compiled forms: removal of the remains of an interrupted compilation.

FFCx creates the C file of a form when its compilation starts, and a file `.c.cached` beside it when
the compilation is complete. A process that ends between the two leaves the C file, and every later
process would wait in vain for the compilation (ffcx.codegeneration.jit.get_cached_module). Forms
are also compiled in the course of a run. The lock that protects them is therefore kept until the
process ends.
"""

from __future__ import annotations

import fcntl
import time
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from dolfinx import jit
from mpi4py import MPI

LOCK = "fecontact.lock"
ABANDONED = 600.0  # s since the start of a compilation after which no process waits for it
COMPILED = 30.0  # s in which programs that take no lock, such as scripts of a user, compile a form

_locks: dict[Path, TextIO] = {}


def protect_forms(comm: MPI.Comm) -> None:
    """Mark this process as one that compiles forms, and remove incomplete forms first. Collective.

    If another process has the lock, only abandoned forms are removed. Otherwise a form that was
    started recently is awaited, because a script may compile it without the lock.
    """
    folder = Path(jit.get_options()["cache_dir"])
    if comm.rank == 0:
        with suppress(OSError):  # a cache on a file system without locks is not cleaned
            folder.mkdir(parents=True, exist_ok=True)
            lock = _locks.setdefault(folder, (folder / LOCK).open("w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                while not remove_incomplete(folder, COMPILED):
                    time.sleep(0.1)
            except BlockingIOError:
                remove_incomplete(folder, ABANDONED)
            fcntl.flock(lock, fcntl.LOCK_SH)
    comm.barrier()


def remove_incomplete(folder: Path, age: float) -> bool:
    """Remove the C files of forms whose compilation started more than `age` s ago and did not
    complete; return True if no incomplete form is left.
    """
    complete = True
    for source in folder.glob("libffcx_*.c"):
        with suppress(FileNotFoundError):
            if source.with_suffix(".c.cached").exists():
                continue
            if time.time() - source.stat().st_mtime > age:
                source.unlink()
            else:
                complete = False
    return complete
