"""How the kernels of the lumped part are compiled: once, kept on disk, no reference counting.

A kernel only borrows its arrays (it allocates nothing), so numba's reference counting, which costs
ten times the arithmetic of a step, is left out; a numba that does not know the option compiles the
same kernels with it.

What a kernel calls is compiled into it, but numba's cache watches only the kernel's own file. So
the cached kernels are forgotten here whenever any source of the package has changed.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numba
from numba.core.options import DefaultOptions

_BORROWING: dict[str, Any] = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}


def _forget_outdated_kernels(package: Path) -> None:
    """Delete the index of cached kernels if a source file is not the one they were made from."""
    sources = sorted([*package.rglob("*.py"), package.parent / "timefunctions.py"])
    present = "\n".join(f"{s} {s.stat().st_mtime_ns} {s.stat().st_size}" for s in sources)
    stamp = package / "__pycache__" / "kernels.stamp"
    with contextlib.suppress(OSError):  # an installation that cannot be written does not change
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != present:
            for index in package.rglob("__pycache__/*.nbi"):
                index.unlink(missing_ok=True)
            stamp.parent.mkdir(exist_ok=True)
            stamp.write_text(present, encoding="utf-8")


_forget_outdated_kernels(Path(__file__).parent)

kernel = numba.njit(cache=True, error_model="numpy", **_BORROWING)
"""Decorator of a kernel or of a larger part of one."""

helper = numba.njit(inline="always", error_model="numpy", **_BORROWING)
"""Decorator of a small part, compiled into the kernels that use it."""
