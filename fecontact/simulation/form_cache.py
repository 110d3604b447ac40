"""Cache of compiled forms: removal of the remains of an interrupted compilation.

FFCx creates the C file of a form when its compilation starts, and a file `.c.cached` beside it when
the compilation is complete. A process that ends between the two leaves the C file, and every later
process would wait in vain for the compilation (ffcx.codegeneration.jit.get_cached_module).
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dolfinx import jit
from mpi4py import MPI

LOCK = "fecontact.lock"


@contextmanager
def compiling(comm: MPI.Comm) -> Iterator[None]:
    """Mark this run as one that compiles forms. If no other run does, remove incomplete forms
    first. Collective.
    """
    folder = Path(jit.get_options()["cache_dir"])
    lock = None
    if comm.rank == 0:
        with suppress(OSError):  # a cache on a file system without locks is not cleaned
            folder.mkdir(parents=True, exist_ok=True)
            lock = (folder / LOCK).open("w")
            with suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                remove_incomplete(folder)
            fcntl.flock(lock, fcntl.LOCK_SH)
    comm.barrier()
    try:
        yield
    finally:
        if lock is not None:
            lock.close()


def remove_incomplete(folder: Path) -> None:
    """Remove the C files of forms whose compilation did not complete."""
    for source in folder.glob("libffcx_*.c"):
        if not source.with_suffix(".c.cached").exists():
            source.unlink(missing_ok=True)
