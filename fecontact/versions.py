"""Versions of fecontact and of the libraries it depends on."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from fecontact import __version__

_MODULES = ("dolfinx", "gmsh", "numpy", "scipy", "numba", "matplotlib", "pydantic")


def used_versions() -> dict[str, str]:
    """Return name → version of fecontact, Python and the libraries imported by this process."""
    used = [name for name in (*_MODULES, "petsc4py") if name in sys.modules]
    return {
        "fecontact": __version__,
        "Python": sys.version.split()[0],
        **{name: str(getattr(sys.modules[name], "__version__", "unknown")) for name in used},
    }


def commit() -> str:
    """Return the commit of the source tree that is used; "unknown" for an installed package."""
    source = Path(__file__).resolve().parent.parent
    command = ["git", "-C", str(source), "rev-parse", "--short=12", "HEAD"]
    if not (source / ".git").exists():
        return "unknown"
    try:
        found = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return _commit_of_files(source / ".git")
    return found.stdout.strip() or _commit_of_files(source / ".git")


def _commit_of_files(git: Path) -> str:
    """Return the commit that git's own files name, where the command is not installed."""
    try:
        if git.is_file():  # in a worktree, the file contains the path of its folder
            git = Path(git.read_text(encoding="utf-8").partition(":")[2].strip())
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head[:12]
        name = head.removeprefix("ref: ")
        common = git / "commondir"
        base = git / common.read_text(encoding="utf-8").strip() if common.exists() else git
        return (base / name).read_text(encoding="utf-8").strip()[:12]
    except OSError:
        return "unknown"


def versions() -> dict[str, str]:
    """Return name → version; "not installed" where a library is missing."""
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
    """Return the version stored in the MUMPS library that PETSc has loaded.

    Neither has a function that returns it, and the library's file name can be outdated (Debian's
    libdmumps-5.7.1.so is MUMPS 5.7.3); the text of its banner, inside the library, is correct.
    """
    from petsc4py import PETSc

    if not PETSc.Sys.hasExternalPackage("mumps"):
        return "not built in"
    try:
        loaded = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
        library = re.search(r"/\S*libdmumps\S*", loaded)
        content = Path(library[0]).read_bytes() if library else b""
    except OSError:
        content = b""
    found = re.search(rb"(?<![\d.])5\.\d+\.\d+(?![\d.])", content)
    return found[0].decode() if found else "with PETSc"
