"""Compiled kernels, cached on disk in a separate folder for every state of their sources.

numba caches compiled functions, but monitors only the file of the compiled function itself, while
all functions that it calls and all constants that it reads, in any file, are compiled into it.
Therefore the kernels of a module are stored in a folder named by a hash of all sources on which the
module depends (see :mod:`kernel_cache`). A change of any of these sources leads to a new folder,
never to an outdated kernel, and other changes leave kernels valid. All kernels are decorated with
the decorators of this module.

A call from Python costs the time numba needs to identify the arguments: little for each array, but
more for a tuple of arrays and for a returned array; calls between kernels cost nothing. Functions
called in every step therefore take the arrays of their tuples one by one, as `*arrays`, rebuild the
tuples, and write into output arrays.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import event
from numba.core.options import DefaultOptions

from fecontact.kernel_cache import Sources, cache_folder, prune

_HOME = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
_BASE = Path(numba.config.CACHE_DIR or Path(_HOME) / "fecontact" / "numba")
_SOURCES = Sources(Path(__file__).parent)
prune(_BASE)


class _PausedCollection(event.Listener):  # type: ignore[misc]
    """Pause of the garbage collection while a kernel is compiled: the compiler creates many objects
    and few cycles, so that the search for cycles takes a sixth of the time.
    """

    def __init__(self) -> None:
        self._depth, self._enabled = 0, False

    def on_start(self, _: event.Event) -> None:
        if self._depth == 0:
            self._enabled = gc.isenabled()
            gc.disable()
        self._depth += 1

    def on_end(self, _: event.Event) -> None:
        self._depth -= 1
        if self._depth == 0 and self._enabled:
            gc.enable()


event.register("numba:compile", _PausedCollection())


def _cached_njit(**options: Any) -> Callable[[Any], Any]:
    """Return a decorator that compiles a function with these options and caches it on disk."""

    def decorate(function: Any) -> Any:
        before = (
            numba.config.CACHE_DIR
        )  # read by numba during decoration; other settings are unchanged
        numba.config.CACHE_DIR = _folder(function.__module__)
        try:
            # Kernels are not called from C, so the C wrapper is not compiled.
            return numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before

    return decorate


@cache
def _folder(module: str) -> str:
    return str(cache_folder(_BASE, _SOURCES, module))


njit = _cached_njit()
"""Decorator of a kernel: compiled, cached on disk."""

summing = _cached_njit(error_model="numpy", fastmath={"reassoc", "contract"})
"""Decorator of a kernel with long sums, which the compiler may reorder and vectorise."""

# A kernel that only borrows its arrays (it allocates nothing) can do without numba's reference
# counting, which costs ten times the arithmetic of a lumped step. Versions of numba without the
# option compile the same kernels with reference counting.
_BORROWING: dict[str, Any] = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}

kernel = _cached_njit(error_model="numpy", **_BORROWING)
"""Decorator of a kernel that allocates nothing, or of a larger part of one."""

fusing = _cached_njit(error_model="numpy", fastmath={"contract"}, **_BORROWING)
"""Decorator of a kernel with short sums: a multiplication and an addition become one operation, and
the order of the sums remains."""

helper = numba.njit(inline="always", error_model="numpy", **_BORROWING)
"""Decorator of a small part, compiled into the kernels that use it."""

part = numba.njit(error_model="numpy", **_BORROWING)
"""Decorator of a part that is built at run time, such as a choice among functions of a registry. It
is not cached by itself, but in the kernels that call it."""


def plain(function: Any) -> Any:
    """Return the Python function from which a kernel was compiled, to be compiled differently.

    With NUMBA_DISABLE_JIT (for debugging), nothing is compiled and the function itself is returned.
    """
    return getattr(function, "py_func", function)
