"""Other programs on the same problems, run by the scripts in benchmarks/peers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure.children import run_child

SCRIPTS = {
    "CalculiX": "sdnv104_calculix.py",
    "GetFEM": "sdnv104_getfem.py",
    "NGSolve": "sdnv104_ngsolve.py",
}
# Python interpreters with the module of another program, separated as in PATH
PYTHONS = "FECONTACT_PEER_PYTHON"
LONG = 80  # elements from which other programs compute only the first steps
LARGEST = 80  # elements up to which they are run
FIRST_STEPS = 35
FOLDER = Path(__file__).resolve().parents[1] / "peers"  # of the scripts


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
    """Return the report of a script, run by the first Python that has its program; or {"skipped":
    why}.
    """
    answer: dict[str, Any] = {}
    for python in _pythons():
        answer = run_child([python, script, *arguments], FOLDER)
        if "skipped" not in answer:
            break
    return answer


def _pythons() -> Iterator[str]:
    yield sys.executable
    yield from filter(None, os.environ.get(PYTHONS, "").split(os.pathsep))
