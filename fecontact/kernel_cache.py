"""The folder in which compiled kernels are kept: one for every state of the sources.

Compiled kernels are code, so nobody but the user may be able to change them: a folder that belongs
to somebody else, that all may write to, or that is a link, is not used, but a temporary one.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path

import llvmlite.binding
import numba
import numpy

MARKER = ".made-by-fecontact"
KEPT = 8  # folders, those used last


def cache_folder(base: Path, package: Path) -> Path:
    """The folder of the package's kernels below `base`, made if need be; old ones are removed.

    Where that cannot be trusted or written, a temporary one, which goes with the process.
    """
    folder = base / f"fecontact-{source_hash(package)}"
    try:
        base.mkdir(parents=True, exist_ok=True)
        _require_private(base)
        folder.mkdir(mode=0o700, exist_ok=True)
        _require_private(folder)
        (folder / MARKER).touch()
        os.utime(folder)
    except OSError as error:
        temporary = tempfile.mkdtemp(prefix="fecontact-kernels-")
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        warnings.warn(
            f"compiled kernels are not kept, so that every start takes longer: {error}; set "
            "NUMBA_CACHE_DIR to a folder of your own",
            stacklevel=2,
        )
        return Path(temporary)
    _prune(base)
    return folder


def source_hash(package: Path) -> str:
    """A hash over all that goes into compiled kernels: sources, compiler and processor."""
    versions = (numba.__version__, llvmlite.__version__, numpy.__version__, sys.version)
    processor = (platform.machine(), llvmlite.binding.get_host_cpu_name())
    digest = hashlib.sha256(repr((*versions, *processor)).encode())
    for path in sorted(package.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(package).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def _require_private(folder: Path) -> None:
    """Raise a PermissionError where others could put kernels of theirs."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise PermissionError(f"{folder} is not a folder of its own but a link")
    if status.st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user")
    if status.st_mode & stat.S_IWOTH:
        raise PermissionError(f"{folder} can be written by all users")


def _prune(base: Path) -> None:
    """Remove all but the folders used last, of those that fecontact has made."""
    with suppress(OSError):  # another process may be doing the same
        made = [path.parent for path in base.glob(f"fecontact-*/{MARKER}")]
        made.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for old in made[KEPT:]:
            shutil.rmtree(old, ignore_errors=True)
