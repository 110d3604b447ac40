"""Only what the user names steers a run: the working directory does not.

Many libraries look for settings in the working directory while they are loaded, and some settings
are code: PETSc's `.petscrc` loads libraries, UCX's `ucx.conf` names a folder of modules, numba's
`.numba_config.yaml` one of compiled functions, a colour cycle in `matplotlibrc` is evaluated,
`dolfinx_jit_options.json` holds flags of the compiler. A folder that came with somebody's study may
hold any of these, or a `numpy.py`. So the command loads such libraries with the root folder as
working directory and does not search its own for modules. Settings in the user's home and
environment count as ever; so does everything where fecontact is used as a library, because that
program is the user's own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

READERS = ("dolfinx", "matplotlib", "mpi4py.MPI", "numba", "petsc4py.PETSc")
"""Modules that look for settings in the working directory when they are loaded, or once later."""

_HOME = Path(__file__).parent.parent  # the folder in which Python has found fecontact


def isolate() -> None:
    """Keep modules and settings of the working directory out of this process."""
    sys.path[:] = [p for p in sys.path if Path(p) == _HOME or not _is_here(p)]
    if not isolated():
        sys.meta_path.insert(0, _Finder())


def isolated() -> bool:
    """Whether this process is."""
    return any(isinstance(finder, _Finder) for finder in sys.meta_path)


def python(*arguments: str) -> list[str]:
    """The command that runs Python as isolated as this process is."""
    return [sys.executable, "-P", *arguments]


def environment() -> dict[str, str]:
    """The environment of such a command: it finds fecontact where this process has found it."""
    places = (str(_HOME), os.environ.get("PYTHONPATH"))
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, places))}


def _is_here(entry: str) -> bool:
    """Whether an entry of the search path is the working directory."""
    try:
        return os.path.samefile(entry or ".", ".")
    except OSError:
        return False


class _Finder(MetaPathFinder):
    """Finds the readers of settings as ever, but has them loaded elsewhere."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in READERS:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            _load_elsewhere(spec.loader)
        return spec


def _load_elsewhere(loader: Loader) -> None:
    execute = loader.exec_module

    def exec_module(module: ModuleType) -> None:
        with _elsewhere():
            execute(module)
            if module.__name__ == "dolfinx":
                _read_compiler_settings()

    loader.exec_module = exec_module  # type: ignore[method-assign]


def _read_compiler_settings() -> None:
    """DOLFINx and FFCx read their settings at the first form, and then never again."""
    import dolfinx.jit
    import ffcx.options

    dolfinx.jit.get_options()
    ffcx.options.get_options()


@contextmanager
def _elsewhere() -> Iterator[None]:
    """With the root folder as working directory."""
    here = os.open(".", os.O_PATH)
    try:
        os.chdir("/")
        yield
    finally:
        os.fchdir(here)
        os.close(here)
