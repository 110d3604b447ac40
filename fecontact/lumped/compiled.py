"""How the kernels of the lumped part are compiled: once, kept on disk, no reference counting.

A kernel only borrows its arrays (it allocates nothing), so numba's reference counting, which costs
ten times the arithmetic of a step, is left out; an older or newer numba that does not know the
option compiles the same kernels with it. Helpers are inlined into the kernel that calls them.
"""

from __future__ import annotations

from typing import Any

import numba
from numba.core.options import DefaultOptions

_BORROWING: dict[str, Any] = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}

kernel = numba.njit(cache=True, error_model="numpy", **_BORROWING)
"""Decorator of a kernel: called from Python, loops over steps."""

helper = numba.njit(inline="always", error_model="numpy", **_BORROWING)
"""Decorator of a part of kernels."""

subroutine = numba.njit(cache=True, error_model="numpy", **_BORROWING)
"""Decorator of a larger part that kernels call."""
