"""Versions of fecontact and of the libraries it stands on."""

from __future__ import annotations

from importlib import import_module

from fecontact import __version__

_MODULES = ("dolfinx", "gmsh", "numpy", "scipy", "numba", "meshio", "matplotlib", "pydantic")


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
