"""Compiled kernels, kept on disk in a folder of their own for every state of the sources.

numba keeps what it has compiled, but watches only the file of the compiled function itself, while
whatever that function calls, in whichever file, is compiled into it. So the folder is named by a
hash over all modules that hold kernels: a changed helper leads to a new folder, never to an old
kernel. All kernels are decorated with the decorators of this module.

A call from Python costs what numba needs to recognise the arguments: 0.3 µs and little more for
each array, but over 1 µs for a tuple of arrays and 0.5 µs for an array that is returned; between
kernels it costs nothing. So what is called in every step takes the arrays of its tuples one by one,
as `*arrays`, makes the tuples again, and writes into arrays it is given.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

import numba
from numba.core.options import DefaultOptions

_MARK = b"fecontact.kernels"  # in every module that holds kernels: it imports them from here
_KEPT = 8  # folders of older sources that are kept


def _source_hash(package: Path) -> str:
    """A hash over the modules that hold kernels."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(package.rglob("*.py")):
        content = path.read_bytes()
        if _MARK in content:
            digest.update(path.name.encode() + content)
    return digest.hexdigest()[:16]


def _use_own_folder() -> None:
    """Let numba keep kernels under NUMBA_CACHE_DIR, or the user's cache, by the sources' hash."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    base = Path(numba.config.CACHE_DIR or Path(home) / "fecontact" / "numba")
    folder = base / f"fecontact-{_source_hash(Path(__file__).parent)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        others = sorted(base.glob("fecontact-*"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in others[_KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return  # nowhere to write: numba falls back to the folder of the sources
    numba.config.CACHE_DIR = str(folder)


_use_own_folder()

njit = numba.njit(cache=True)
"""Decorator of a kernel: compiled, kept on disk."""

summing = numba.njit(cache=True, error_model="numpy", fastmath={"reassoc", "contract"})
"""Decorator of a kernel with long sums, whose order is left to the compiler: then they are wide."""

# A kernel that only borrows its arrays (it allocates nothing) can do without numba's reference
# counting, which costs ten times the arithmetic of a lumped step. A numba that does not know the
# option compiles the same kernels with it.
_BORROWING: dict[str, Any] = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}

kernel = numba.njit(cache=True, error_model="numpy", **_BORROWING)
"""Decorator of a kernel that allocates nothing, or of a larger part of one."""

helper = numba.njit(inline="always", error_model="numpy", **_BORROWING)
"""Decorator of a small part, compiled into the kernels that use it."""
