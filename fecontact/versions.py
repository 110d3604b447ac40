"""Versions of fecontact and of the libraries it stands on."""

from __future__ import annotations

import sys
from importlib import import_module

from fecontact import __version__

_MODULES = ("dolfinx", "gmsh", "numpy", "scipy", "numba", "meshio", "matplotlib", "pydantic")


def used_versions() -> dict[str, str]:
    """Name → version of fecontact, Python and the libraries that this process has imported."""
    used = [name for name in (*_MODULES, "petsc4py") if name in sys.modules]
    return {
        "fecontact": __version__,
        "Python": sys.version.split()[0],
        **{name: str(getattr(sys.modules[name], "__version__", "unknown")) for name in used},
    }


def versions() -> dict[str, str]:
    """Name → version; "not installed" where a library is missing."""
    found = {"fecontact": __version__}
    for name in _MODULES:
        try:
            found[name] = str(getattr(import_module(name), "__version__", "unknown"))
        except ImportError:
            found[name] = "not installed"
    try:
        from petsc4py import PETSc

        found["PETSc"] = ".".join(map(str, PETSc.Sys.getVersion()))
        found["MUMPS"] = _mumps_version()
    except ImportError:
        found["PETSc"] = found["MUMPS"] = "not installed"
    return found


def _mumps_version() -> str:
    """MUMPS tells its version only inside a factorisation's info; PETSc knows it was built in."""
    from petsc4py import PETSc

    return "with PETSc" if PETSc.Sys.hasExternalPackage("mumps") else "not built in"
