"""Cache of compiled forms: removal of the remains of an interrupted compilation.

FFCx creates the C file of a form when its compilation starts, and a file `.c.cached` beside it when
the compilation is complete. A process that ends between the two leaves the C file, and every later
process would wait in vain for the compilation (ffcx.codegeneration.jit.get_cached_module).

A run leaves a mark in the cache until it has compiled its forms. C files since the mark of a run
that has ended are remains. Others may belong to another program that compiles at present;
they count as remains only if they are old.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dolfinx import jit
from mpi4py import MPI

LOCK = "fecontact.lock"
MARK = "fecontact-*.mark"
OLD = 1800.0  # s; no form takes as long to compile


@contextmanager
def compiling(comm: MPI.Comm) -> Iterator[None]:
    """Mark this run as one that compiles forms. If no other run does, remove the remains of
    interrupted compilations first. Collective.
    """
    folder = Path(jit.get_options()["cache_dir"])
    mark, lock = folder / MARK.replace("*", str(os.getpid())), None
    if comm.rank == 0:
        with suppress(OSError):  # a cache on a file system without locks is not cleaned
            folder.mkdir(parents=True, exist_ok=True)
            lock = (folder / LOCK).open("w")
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove_incomplete(folder)
            fcntl.flock(lock, fcntl.LOCK_SH)
            mark.touch()
    comm.barrier()
    try:
        yield
        if comm.rank == 0:  # an exception may have interrupted a compilation: the mark remains
            mark.unlink(missing_ok=True)
    finally:
        if lock is not None:
            lock.close()


def remove_incomplete(folder: Path) -> None:
    """Remove C files that interrupted runs left, and old ones, if they have not been compiled."""
    marks = list(folder.glob(MARK))
    since = min((mark.stat().st_mtime for mark in marks), default=float("inf"))
    for source in folder.glob("libffcx_*.c"):
        changed = source.stat().st_mtime
        if not source.with_suffix(".c.cached").exists() and (
            changed >= since or changed < time.time() - OLD
        ):
            source.unlink(missing_ok=True)
    for mark in marks:
        mark.unlink(missing_ok=True)
