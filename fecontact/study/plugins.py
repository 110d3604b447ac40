"""User-defined laws and geometries: registration of the functions that a study names.

`fecontact.register_…` adds them in Python. The command line imports the modules of `--import`, and
so do the processes that it starts (FECONTACT_IMPORT). Installed packages provide them as entry
points of the groups `fecontact.laws`, `fecontact.friction` and `fecontact.obstacles`. Both are
imported only if a study names a function that is not yet registered.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from fecontact.isolation import named
from fecontact.study.errors import InputError, printable

VARIABLE = "FECONTACT_IMPORT"
Functions = dict[str, Callable[..., Any]]

REGISTER = "; register it with `--import MODULE`, an entry point, or in Python"
"""Advice in the message on a name that is not registered."""

_READING = ContextVar("reading", default=False)


@contextmanager
def reading() -> Iterator[None]:
    """Allow unregistered names in studies while a result is read and nothing is computed."""
    token = _READING.set(True)
    try:
        yield
    finally:
        _READING.reset(token)


def is_reading() -> bool:
    """Return True if a result is being read."""
    return _READING.get()


def import_modules(names: Sequence[str]) -> None:
    """Import modules that register functions, here and in the processes started from here."""
    if not names:
        return
    found = [_absolute(name) for name in names]
    for name in found:
        _imported(name)
    os.environ[VARIABLE] = os.pathsep.join(found)


def imported() -> list[str]:
    """Return the modules given to the command line for import."""
    return [name for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]


def find(group: str, name: str, known: Functions) -> bool:
    """Return True if a function is registered, after importing the modules that
    could register it.
    """
    if name in known:
        return True
    for module in imported():
        _imported(module)
    if name not in known:
        from importlib.metadata import entry_points

        for entry in entry_points(group=f"fecontact.{group}", name=name):
            known[name] = entry.load()
    return name in known


def _absolute(name: str) -> str:
    """Return the path of a file in the working directory, which is not searched for modules;
    otherwise the name itself.
    """
    file = named(name if name.endswith(".py") else f"{name}.py")
    return str(file.resolve()) if file.is_file() else name


def _imported(name: str) -> None:
    file = Path(name)
    module = file.stem if name.endswith(".py") else name
    if module in sys.modules:
        return
    try:
        if not name.endswith(".py"):
            importlib.import_module(name)
            return
        spec = importlib.util.spec_from_file_location(module, file)
        if spec is None or spec.loader is None or not file.is_file():
            raise ImportError("file not found")
        loaded = importlib.util.module_from_spec(spec)
        sys.modules[module] = loaded
        spec.loader.exec_module(loaded)
    except Exception as error:  # it is the user's own code
        sys.modules.pop(module, None)
        reason = printable(f"{type(error).__name__}: {error}")
        raise InputError(f"--import {printable(name)}: cannot be imported ({reason})") from error
