"""Only what the user names steers a run: the working directory does not.

Many libraries look for settings in the working directory, some when they are loaded, others later,
and some settings are code: PETSc's `.petscrc` loads libraries, UCX's `ucx.conf` names commands and
folders of modules, numba's `.numba_config.yaml` one of compiled functions, a colour cycle in
`matplotlibrc` is evaluated, `dolfinx_jit_options.json` holds flags of the compiler. A folder that
came with a third-party study may hold any of these, or a `numpy.py`. So the command leaves the
working directory before it loads anything, for the root folder, and never returns. The paths that
the user names are taken from the directory in which the command was called, and shown from there.
Settings in the user's home and environment apply as always. Nothing changes where fecontact is used
as a library, because that program is the user's own.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

_HOME = Path(__file__).parent.parent  # the folder in which Python has found fecontact
_FOLDERS = ("HOME", "MPLCONFIGDIR", "NUMBA_CACHE_DIR", "TMPDIR", "XDG_CACHE_HOME")  # in variables
_called_in = Path()  # as a library: paths stay as they are


def isolate() -> None:
    """Leave the working directory. A FileNotFoundError is raised if it no longer exists."""
    global _called_in
    here = Path.cwd()
    sys.path[:] = [p for p in sys.path if Path(p) == _HOME or not _is_here(p)]
    for name in filter(os.environ.get, _FOLDERS):
        os.environ[name] = str(here / os.environ[name])
    os.chdir("/")
    _called_in = here


def take_paths_from(folder: Path) -> None:
    """Take the paths that the user names from a folder: that of the process this one works for."""
    global _called_in
    _called_in = folder


def named(path: str | os.PathLike[str]) -> Path:
    """The path that the user names, seen from the directory in which the command was called."""
    return _called_in / path


def shown(text: str) -> str:
    """A text for the user, with paths as seen from that directory."""
    if _called_in in (Path(), Path("/")):
        return text
    return re.sub(rf"(?<![\w/.-]){re.escape(str(_called_in))}/(?=[^\s/])", "", text)


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
