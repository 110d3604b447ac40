"""Reading of mesh files in a separate process, protected against crashes, hangs and memory use.

gmsh and HDF5 do not validate their input: a damaged file kills the reading process by a signal
without a message. Here it kills only a child process, and the user gets an error message. The child
has limits of time and memory that grow with the file, works in an empty folder, imports no module
from the user's working folder, and returns the mesh as plain arrays.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from fecontact.mesh.conversion import RawMesh
from fecontact.study.errors import InputError

SECONDS, BYTES_PER_SECOND, PATIENCE = 20.0, 1_000_000, 3.0
MEMORY, MEMORY_PER_BYTE = 700 * 2**20, 20
LONGEST = 2 * 10**9
"""Limits of a child process. CPU time: SECONDS plus a time proportional to the file size;
wall time: PATIENCE times as long, for a busy machine. Memory: MEMORY plus an amount
proportional to the file size. LONGEST, bytes: more than a text file of the largest useful
mesh.
"""

NOT_WRITTEN = 74  # exit code of a child that cannot write its result

MESHING = 5
"""Factor on time and memory for meshing."""

TOO_LONG = (
    "reading takes far longer than expected for its size; the file is damaged. Write it again."
)

_ARRAYS = ("points", "cells", "node_numbers", "cell_numbers")
_GROUPS = ("cell_groups", "segments", "nodes")
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from fecontact.mesh.readers.separate_process import main; main(*sys.argv[1:])"
)


def read(path: Path, **meshing: Any) -> RawMesh:
    """Read a mesh file in a child process; raise InputError with the reason if it cannot be read.

    meshing: element and size, for a geometry meshed by gmsh, which takes longer than reading.
    """
    try:
        size = path.stat().st_size if path.is_file() else None
    except (OSError, ValueError):
        size = None
    if size is None:
        raise InputError(f"mesh.file: file {str(path)!r} not found")
    if size == 0:
        raise InputError(f"mesh.file: {str(path)!r} is empty. Write it again.")
    if size > LONGEST:
        raise InputError(
            f"mesh.file: {str(path)!r} has {size / 1e9:.3g} GB (limit {LONGEST / 1e9:.3g} GB). "
            "Use a coarser mesh."
        )
    with TemporaryDirectory(prefix="fecontact-") as folder:
        seconds = (SECONDS + size / BYTES_PER_SECOND) * (MESHING if meshing else 1)
        why = _run(path, Path(folder), seconds, meshing)
        if why:
            raise InputError(f"mesh.file: {str(path)!r} cannot be read: {why}")
        with np.load(Path(folder) / "mesh.npz", allow_pickle=False) as arrays:
            return _unpacked(arrays)


def _run(path: Path, folder: Path, seconds: float, meshing: dict[str, Any]) -> str:
    """Run a child that reads the file and writes mesh.npz; return the reason of a failure, or
    nothing.
    """
    # Plugins are disabled: a file may name filters that HDF5 would load as code.
    environment = os.environ | {"OMP_NUM_THREADS": "1", "HDF5_PLUGIN_PRELOAD": "::"}
    command = [sys.executable, "-I", "-c", _START, json.dumps(_module_folders())]
    command += [str(path.resolve()), str(seconds), json.dumps(meshing)]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            timeout=PATIENCE * seconds,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return TOO_LONG
    if done.returncode == -signal.SIGXCPU:
        return TOO_LONG
    if done.returncode == NOT_WRITTEN:
        raise InputError(
            f"{folder.parent}: the temporary folder is full. Make room in it, or set TMPDIR to "
            "another folder."
        )
    failure = folder / "error.txt"
    if failure.is_file():
        return failure.read_text(encoding="utf-8")
    if done.returncode != 0:
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"code {done.returncode}"
        return f"its reader failed ({how}); the file is damaged. Write it again with the mesher."
    return ""


def _module_folders() -> list[str]:
    """Return the module search path of this process without its working folder."""
    package, here = str(Path(__file__).parents[3]), os.getcwd()
    return [package, *(entry for entry in sys.path if os.path.isabs(entry) and entry != here)]


def main(path: str, seconds: str, meshing: str = "{}") -> None:
    """Run the child: read the file and write mesh.npz, or an error message to error.txt."""
    file, keys = Path(path), json.loads(meshing)
    memory = (MEMORY + MEMORY_PER_BYTE * file.stat().st_size) * (MESHING if keys else 1)
    for kind, most in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_CPU, int(float(seconds)) + 1),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, hard))
    from fecontact.mesh.readers.files import parse

    gc.disable()  # the child ends after one file; searching for cycles costs half of its time
    try:
        arrays = _packed(parse(file, **keys))
    except ImportError as error:
        _write_error(
            f"its format needs the Python module {error.name}, which is not installed. "
            f"Install it (`pip install {error.name}`), or save the mesh as .msh, .vtu or .inp."
        )
    except InputError as error:
        _write_error(str(error).removeprefix("mesh.file: ").removeprefix("mesh: "))
    except MemoryError:
        _write_error(
            "it requests far more memory than expected for its size; the file is damaged. "
            "Write it again."
        )
    except Exception as error:  # any exception of a reader is caused by the file
        _write_error(str(error) or type(error).__name__)
    else:
        with _written():
            np.savez("mesh.npz", **arrays)


@contextmanager
def _written() -> Iterator[None]:
    """Exit with NOT_WRITTEN if the result cannot be written completely."""
    try:
        yield
    except OSError:
        sys.exit(NOT_WRITTEN)


def _write_error(why: str) -> None:
    """Write an error message of one line."""
    text = "".join(c if c.isprintable() else " " for c in why)
    short = " ".join(text.split())[:500]
    with _written():
        Path("error.txt").write_text(short, encoding="utf-8", errors="replace")


def _packed(raw: RawMesh) -> dict[str, Any]:
    """Return a mesh as named arrays."""
    arrays: dict[str, Any] = {name: getattr(raw, name) for name in _ARRAYS}
    for kind in _GROUPS:
        groups: dict[str, Any] = getattr(raw, kind)
        arrays[kind] = np.array([*groups], dtype=np.str_)
        arrays |= {f"{kind}/{i}": members for i, members in enumerate(groups.values())}
    return arrays


def _unpacked(arrays: Mapping[str, Any]) -> RawMesh:
    def groups(kind: str) -> dict[str, Any]:
        names: Iterable[Any] = arrays[kind]
        return {str(name): arrays[f"{kind}/{i}"] for i, name in enumerate(names)}

    fields: dict[str, Any] = {name: arrays[name] for name in _ARRAYS}
    return RawMesh(**fields | {kind: groups(kind) for kind in _GROUPS})
