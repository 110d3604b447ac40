"""Other programs on SDNV104, run by the scripts under benchmarks/, which install nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fecontact.bench.children import ask

SCRIPTS = {"CalculiX": "peer_calculix.py", "GetFEM": "peer_getfem.py", "NGSolve": "peer_ngsolve.py"}
# Python interpreters with the module of another program, separated as in PATH
PYTHONS = "FECONTACT_PEER_PYTHON"
LONG = 80  # elements from which other programs compute only the first steps
LARGEST = 80  # elements up to which they are run
FIRST_STEPS = 35


def folder() -> Path | None:
    """Return the folder of the scripts beside the package in a clone; None if it is installed."""
    found = Path(__file__).resolve().parents[2] / "benchmarks"
    return found if found.is_dir() else None


def measure(peer: str, cells: int, deformable: bool = False) -> dict[str, Any]:
    """Return the report of a peer's script, with CPU `seconds` for all 350 steps; or {"skipped":
    why}.

    deformable: on a strip fixed only at its base. From LONG elements the peer computes only the
    FIRST_STEPS, and the rest is extrapolated.
    """
    steps = ["350"] if cells < LONG else [str(FIRST_STEPS)]
    steps += ["deformable"] if deformable else []
    answer = run(SCRIPTS[peer], str(cells), *steps)
    if "skipped" not in answer:
        answer["seconds"] = answer["cpu"] * 350 / answer["steps"]
    return answer


def run(script: str, *arguments: str) -> dict[str, Any]:
    """Return the report of a script under benchmarks/, run by the first Python that has its peer;
    or {"skipped": why}.
    """
    scripts = folder()
    if scripts is None:
        return {"skipped": "the scripts are in the folder benchmarks/ of fecontact's source"}
    answer: dict[str, Any] = {}
    for python in _pythons():
        answer = ask([python, script, *arguments], scripts)
        if "skipped" not in answer:
            break
    return answer


def _pythons() -> Iterator[str]:
    yield sys.executable
    yield from filter(None, os.environ.get(PYTHONS, "").split(os.pathsep))
