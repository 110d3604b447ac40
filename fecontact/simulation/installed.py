"""Check for dolfinx, which only finite-element runs need and pip cannot install."""

from __future__ import annotations

from importlib.util import find_spec

from fecontact.study import InputError

_NEEDED = ("dolfinx", "basix", "ufl", "ffcx", "mpi4py", "petsc4py")


def require_dolfinx() -> None:
    """Raise InputError if dolfinx is not installed."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise InputError(
            f"finite-element studies need dolfinx, but {' and '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} not installed. Install it from Debian "
            "(python3-dolfinx-real) or conda-forge (fenics-dolfinx), or use docker/run of a "
            "clone. Lumped studies, check, mesh, report and compare work without it."
        )
