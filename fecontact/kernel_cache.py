"""Cache directories of compiled kernels, keyed by the hash of all source files a module depends on.

Compiled kernels are code, so only the user may be able to change them. A folder that belongs to
another user, is writable by all, or is a link is not used; a temporary folder replaces it.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import warnings
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path

import llvmlite.binding
import numba
import numpy

MARKER = ".made-by-fecontact"
MAX_FOLDERS = 400  # folders, most recently used; one state of the sources has about fifty

_IMPORT = re.compile(r"^[ \t]*(?:from (\S+) import (?:\(([^)]*)\)|(.*))|import (.*))", re.MULTILINE)


class Sources:
    """Sources of a package, and the files on which each of its modules depends.

    All functions and constants compiled into a kernel have a name in the kernel's module, so they
    come from that module or from a module that it imports, directly or indirectly. The `__init__`
    of the whole package is skipped: it only collects the public names.
    """

    def __init__(self, package: Path) -> None:
        self._root, self._name = str(package), package.name
        self._known: dict[str, tuple[bytes, set[str]]] = {}
        self._file = cache(self._find)

    def digest(self, module: str) -> str:
        """Return a hash of all inputs of a module's kernels: sources, compiler, processor."""
        versions = (numba.__version__, llvmlite.__version__, numpy.__version__, sys.version)
        processor = (platform.machine(), llvmlite.binding.get_host_cpu_name())
        digest = hashlib.sha256(repr((module, self._modules, *versions, *processor)).encode())
        for content in sorted(self._read(path)[0] for path in self.reach(module)):
            digest.update(content)
        return digest.hexdigest()[:16]

    @cached_property
    def _modules(self) -> list[str]:
        """Return the names of all modules: numba stores the module of each argument type with a
        kernel, and cannot load the kernel once that module has moved.
        """
        root = Path(self._root)
        return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.py"))

    def reach(self, module: str) -> set[str]:
        """Return the files of a module and of all its imports from the package."""
        found = {path} if (path := self._file(module)) else set()
        ahead = list(found)
        while ahead:
            new = self._read(ahead.pop())[1] - found
            found |= new
            ahead += new
        return found

    def _read(self, path: str) -> tuple[bytes, set[str]]:
        """Return a hash of a file's name and content, and its imports from the package."""
        if path not in self._known:
            text = Path(path).read_text(encoding="utf-8")
            content = hashlib.sha256(f"{path.removeprefix(self._root)}\n{text}".encode())
            imported: set[str] = set()
            if path != f"{self._root}/__init__.py":
                for origin, several, names, modules in _IMPORT.findall(text):
                    for name in re.findall(r"[\w.]+", several or names or modules):
                        source = self._file(f"{origin}.{name}") if origin else self._file(name)
                        source = source or self._file(origin)
                        imported |= {source} if source else set()
            self._known[path] = content.digest(), imported
        return self._known[path]

    def _find(self, name: str) -> str | None:
        """Return the file of a module or package with this dotted name."""
        root, *parts = name.split(".")
        if root == self._name:
            place = "/".join((self._root, *parts))
            for path in (f"{place}.py", f"{place}/__init__.py"):
                if os.path.isfile(path):
                    return path
        return None


def cache_folder(base: Path, sources: Sources, module: str) -> Path:
    """Return the folder of a module's kernels below `base`; create it if necessary.

    If it is not private or not writable, return a temporary folder that is removed with the
    process.
    """
    folder = base / f"kernels-{sources.digest(module)}"
    try:
        base.mkdir(parents=True, exist_ok=True)
        _require_private(base)
        folder.mkdir(mode=0o700, exist_ok=True)
        _require_private(folder)
        (folder / MARKER).touch()
        os.utime(folder)
    except OSError as error:
        # The folder's own name is left out of the message: the reason is then the same for all
        # modules.
        return _temporary_folder(f"{base}: {error.strerror}" if error.strerror else str(error))
    return folder


@cache
def _temporary_folder(why: str) -> Path:
    """Return a temporary folder for this process; warn with the reason, once for each reason."""
    temporary = tempfile.mkdtemp(prefix="fecontact-kernels-")
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    warnings.warn(
        f"compiled kernels are not cached, so every start takes longer: {why}. Set "
        "NUMBA_CACHE_DIR to a private folder.",
        stacklevel=3,
    )
    return Path(temporary)


def _require_private(folder: Path) -> None:
    """Raise PermissionError if other users could write kernels into the folder."""
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise PermissionError(f"{folder} is a symbolic link")
    if status.st_uid != os.geteuid():
        raise PermissionError(f"{folder} belongs to another user")
    if status.st_mode & stat.S_IWOTH:
        raise PermissionError(f"{folder} is writable by all users")


def prune(base: Path) -> None:
    """Remove all kernel folders of fecontact except the most recently used ones."""
    with suppress(OSError):  # another process may be removing them as well
        made = [path.parent for path in base.glob(f"kernels-*/{MARKER}")]
        made.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for old in made[MAX_FOLDERS:]:
            shutil.rmtree(old, ignore_errors=True)
