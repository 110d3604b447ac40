"""Random mesh files are valid or rejected with a message.

Campaign: pytest -m slow -s tests/robustness/test_mesh_fuzz.py; a file is its format and seed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mesh_mutants import FORMATS, mutant

HERE = Path(__file__).parent
SEEDS = 75
RUN_EVERY = 5  # so many files are only read; then one is used in a run, too
SECONDS, MEGABYTES = 60.0, 1024.0


class Worker:
    """The process that reads the files; started again when a file has killed it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def _started(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(
                ["timeout", "3000", sys.executable, HERE / "mesh_worker.py", self._folder],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env=os.environ | {"PYTHONPATH": str(HERE.parents[1])},
            )
        return self._process

    def ask(self, command: str, name: str) -> dict[str, Any]:
        """What came of a command; {"code": minus the signal} if the process died of it."""
        process = self._started()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(f"{command} {name}\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if answer:
            return dict(json.loads(answer))
        self._process = None
        return {"code": process.wait(), "died": True}

    def stop(self) -> None:
        if self._process is not None:
            self._process.communicate()


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    worker = Worker(tmp_path)
    yield worker
    worker.stop()


def wrong(found: dict[str, Any]) -> str:
    """What must not be about the end of a command, or nothing."""
    if found.get("died"):
        return f"died ({found['code']})"
    if found["code"] not in (0, 2, 3, 4):
        return f"exit code {found['code']}: {found['err'][:300]}"
    if found["code"] == 2 and (not found["err"] or "Traceback" in found["err"]):
        return "no sentence"
    if not found["printable"]:
        return "control characters on the terminal"
    if found["seconds"] > SECONDS or found["megabytes"] > MEGABYTES:
        return f"{found['seconds']:.0f} s, {found['megabytes']:.0f} MB"
    return ""


def campaign(form: str, seeds: range, folder: Path, worker: Worker) -> list[str]:
    """Take mutants through `mesh` and some through `run`; what was wrong."""
    faults, codes, longest, most = [], Counter[str](), 0.0, 0.0
    for seed in seeds:
        name = f"m{seed}{FORMATS[form]}"
        what = mutant(form, seed, folder / name)
        for command in ("mesh", "run") if seed % RUN_EVERY == 0 else ("mesh",):
            found = worker.ask(command, name)
            codes[f"{command} {found['code']}"] += 1
            longest = max(longest, found.get("seconds", 0.0))
            most = max(most, found.get("megabytes", 0.0))
            if fault := wrong(found):
                faults.append(f"{form}, seed {seed} ({what}), {command}: {fault}")
    ends = ", ".join(f"{end}: {count}" for end, count in sorted(codes.items()))
    print(f"\n{form}, seeds {seeds}: {ends}; at most {longest:.1f} s, {most:.0f} MB")
    return faults


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("form", FORMATS)
def test_damaged_meshes_are_computed_or_reported(form: str, tmp_path: Path, worker: Worker) -> None:
    assert not campaign(form, range(SEEDS), tmp_path, worker)
