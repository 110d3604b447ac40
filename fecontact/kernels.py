"""Compiled kernels, kept on disk in a folder of their own for every state of their sources.

numba keeps what it has compiled, but watches only the file of the compiled function itself, while
whatever that function calls, and every constant that it reads, in whichever file, is compiled into
it. So the kernels of a module lie in a folder named by a hash over all sources that the module can
reach (see :mod:`kernel_cache`): a change of any of these leads to a new folder, never to an old
kernel, and other changes leave kernels as they are. All kernels are decorated with the decorators
of this module.

A call from Python costs what numba needs to recognise the arguments: 0.3 µs and little more for
each array, but over 1 µs for a tuple of arrays and 0.5 µs for an array that is returned; between
kernels it costs nothing. So what is called in every step takes the arrays of its tuples one by one,
as `*arrays`, makes the tuples again, and writes into arrays it is given.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.options import DefaultOptions

from fecontact.kernel_cache import Sources, cache_folder, prune

_HOME = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
_BASE = Path(numba.config.CACHE_DIR or Path(_HOME) / "fecontact" / "numba")
_SOURCES = Sources(Path(__file__).parent)
prune(_BASE)


def _kept(**options: Any) -> Callable[[Any], Any]:
    """A decorator that compiles a function with these options and keeps the result on disk."""

    def decorate(function: Any) -> Any:
        before = (
            numba.config.CACHE_DIR
        )  # read by numba while it decorates; others' stay where they are
        numba.config.CACHE_DIR = _folder(function.__module__)
        try:
            # Nobody calls a kernel from C: its wrapper for that would be compiled for nothing.
            return numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before

    return decorate


@cache
def _folder(module: str) -> str:
    return str(cache_folder(_BASE, _SOURCES, module))


njit = _kept()
"""Decorator of a kernel: compiled, kept on disk."""

summing = _kept(error_model="numpy", fastmath={"reassoc", "contract"})
"""Decorator of a kernel with long sums, whose order is left to the compiler: then they are wide."""

# A kernel that only borrows its arrays (it allocates nothing) can do without numba's reference
# counting, which costs ten times the arithmetic of a lumped step. A numba that does not know the
# option compiles the same kernels with it.
_BORROWING: dict[str, Any] = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}

kernel = _kept(error_model="numpy", **_BORROWING)
"""Decorator of a kernel that allocates nothing, or of a larger part of one."""

helper = numba.njit(inline="always", error_model="numpy", **_BORROWING)
"""Decorator of a small part, compiled into the kernels that use it."""

part = numba.njit(error_model="numpy", **_BORROWING)
"""Decorator of a part that is made at run time, such as a choice among functions of a registry. It
is not kept by itself, but in the kernels that call it."""


def plain(function: Any) -> Any:
    """The Python function that a kernel was compiled from, to be compiled in another way.

    With NUMBA_DISABLE_JIT, under a debugger, nothing is compiled and it is the function itself.
    """
    return getattr(function, "py_func", function)
