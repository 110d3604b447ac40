"""Prevention of configuration being read from the working directory.

Many libraries search for settings in the working directory, some when they are loaded, others
later, and some settings are code: PETSc's `.petscrc` loads libraries, UCX's `ucx.conf` names
commands and module folders, numba's `.numba_config.yaml` a folder of compiled functions, a colour
cycle in `matplotlibrc` is evaluated, `dolfinx_jit_options.json` contains compiler flags. A folder
with a third-party study can contain any of these, or a `numpy.py`. Therefore the command leaves the
working directory for the root folder before it loads anything, and never returns. Paths given by
the user are relative to the directory in which the command was called, and are shown relative to
it. Settings in the user's home and environment apply as usual. Nothing changes if fecontact is used
as a library, because that program is the user's own.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

_HOME = Path(__file__).parent.parent  # the folder from which Python loaded fecontact
_FOLDERS = ("HOME", "MPLCONFIGDIR", "NUMBA_CACHE_DIR", "TMPDIR", "XDG_CACHE_HOME")  # in variables
_called_in = Path()  # as a library: paths are unchanged


def isolate() -> None:
    """Leave the working directory. Raise FileNotFoundError if it no longer exists."""
    global _called_in
    here = Path.cwd()
    sys.path[:] = [p for p in sys.path if Path(p) == _HOME or not _is_here(p)]
    for name in filter(os.environ.get, _FOLDERS):
        os.environ[name] = str(here / os.environ[name])
    os.chdir("/")
    _called_in = here


def take_paths_from(folder: Path) -> None:
    """Resolve the user's paths from a folder: that of the process for which this one works."""
    global _called_in
    _called_in = folder


def named(path: str | os.PathLike[str]) -> Path:
    """Return a user's path, relative to the directory in which the command was called."""
    return _called_in / path


def shown(text: str) -> str:
    """Return a text for the user, with paths relative to that directory."""
    if _called_in in (Path(), Path("/")):
        return text
    return re.sub(rf"(?<![\w/.-]){re.escape(str(_called_in))}/(?=[^\s/])", "", text)


def python(*arguments: str) -> list[str]:
    """Return the command that runs Python with the same isolation as this process."""
    return [sys.executable, "-P", *arguments]


def environment() -> dict[str, str]:
    """Return the environment of such a command: it finds fecontact where this process found it."""
    places = (str(_HOME), os.environ.get("PYTHONPATH"))
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, places))}


def _is_here(entry: str) -> bool:
    """Return True if an entry of the search path is the working directory."""
    try:
        return os.path.samefile(entry or ".", ".")
    except OSError:
        return False
