"""What fecontact needs of a Python: the modules it imports, and dolfinx 0.9 or later.

`python3 docker/dependencies.py` exits with 0 if this Python has them all, else prints the first
thing that is missing and exits with 1. Runs on any Python 3, since it must also say no to old ones.
"""

import hashlib
import importlib
import importlib.util
import os
import pathlib
import sys

MODULES = (
    "mpi4py",
    "petsc4py",
    "dolfinx",
    "basix",
    "ufl",
    "ffcx",
    "gmsh",
    "h5py",
    "matplotlib",
    "meshio",
    "plotly",
    "click",
    "numba",
    "numpy",
    "pydantic",
    "rich",
    "scipy",
)
OLDEST_PYTHON = (3, 11)
OLDEST_DOLFINX = (0, 9)


def missing():
    """What keeps fecontact from running, found without importing anything; None if nothing does."""
    if sys.version_info < OLDEST_PYTHON:
        return "it is Python {}.{}, older than {}.{}".format(*sys.version_info[:2], *OLDEST_PYTHON)
    absent = [name for name in MODULES if importlib.util.find_spec(name) is None]
    return "it does not have " + ", ".join(absent) if absent else None


def broken():
    """What fails when everything is really imported; None if nothing does."""
    for name in MODULES:
        try:
            importlib.import_module(name)
        except Exception as error:
            return "it cannot import {}: {}".format(name, str(error).splitlines()[0])
    version = sys.modules["dolfinx"].__version__
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_DOLFINX:
        return "its dolfinx is {}, older than {}.{}".format(version, *OLDEST_DOLFINX)
    return None


def fingerprint():
    """Identify this Python and the installed modules, so that one import test serves many runs."""
    origins = [importlib.util.find_spec(name).origin for name in MODULES]
    times = [os.stat(origin).st_mtime_ns for origin in origins if origin and os.path.exists(origin)]
    return hashlib.sha256(repr((sys.executable, sys.version, origins, times)).encode()).hexdigest()


def main():
    """Importing takes seconds: do it once, and leave a mark in the cache directory if it went well."""
    problem = missing()
    if problem is None:
        mark = pathlib.Path(os.environ["FECONTACT_CACHE"], "native", fingerprint()[:16])
        if not mark.exists():
            problem = broken()
            if problem is None:
                mark.parent.mkdir(parents=True, exist_ok=True)
                mark.touch()
    if problem is not None:
        print(problem)
    return 0 if problem is None else 1


if __name__ == "__main__":
    sys.exit(main())
