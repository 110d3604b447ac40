"""What fecontact needs of a Python: the modules it imports, and dolfinx 0.9 or later.

`python3 docker/dependencies.py` exits with 0 if this Python has them all; else it prints what is
missing and exits with 1. It has to say no to an old Python too, so it runs on any from 3.7.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import pathlib
import sys

MODULES = (
    "dolfinx",
    "basix",
    "ffcx",
    "ufl",
    "mpi4py",
    "petsc4py",
    "click",
    "gmsh",
    "h5py",
    "matplotlib",
    "meshio",
    "numba",
    "numpy",
    "pydantic",
    "rich",
    "scipy",
)
OLDEST_PYTHON = (3, 11)
OLDEST_DOLFINX = (0, 9)


def missing() -> str | None:
    """What this Python lacks, found without importing anything; None if it lacks nothing."""
    if sys.version_info[:2] < OLDEST_PYTHON:
        return "it is Python {}.{}, older than {}.{}".format(*sys.version_info[:2], *OLDEST_PYTHON)
    absent = [name for name in MODULES if importlib.util.find_spec(name) is None]
    return f"it does not have {', '.join(absent)}" if absent else None


def broken() -> str | None:
    """What fails when everything is really imported; None if nothing does."""
    for name in MODULES:
        try:
            importlib.import_module(name)
        except Exception as error:
            return f"it cannot import {name} ({error})"
    version = sys.modules["dolfinx"].__version__
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_DOLFINX:
        return "its dolfinx is {}, older than {}.{}".format(version, *OLDEST_DOLFINX)
    return None


def fingerprint() -> str:
    """Identify this Python and its modules; another one after a change of what is installed."""
    files = [importlib.util.find_spec(name).origin for name in MODULES]
    times = [os.stat(file).st_mtime_ns for file in files]
    installed = repr((sys.executable, sys.version, files, times))
    return hashlib.sha256(installed.encode()).hexdigest()[:16]


def problem() -> str | None:
    """What keeps this Python from running fecontact; None if nothing does.

    Importing takes seconds, so what passed once leaves a mark in the cache directory.
    """
    if missing() is not None:
        return missing()
    mark = pathlib.Path(os.environ["FECONTACT_CACHE"], "native", fingerprint())
    if mark.exists():
        return None
    found = broken()
    if found is None:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    return found


if __name__ == "__main__":
    found = problem()
    if found is not None:
        print(found)
        sys.exit(1)
