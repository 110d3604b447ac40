"""Measurements in separate processes, which return one line of JSON.

A new process gives each size its own peak memory, and runs other programs in their own Python. It
runs in an empty folder by default, so that files in the user's folder have no effect.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fecontact.isolation import environment

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
HOURS = 2 * 3600.0  # s, time limit of a process


def run_child(command: Sequence[str], cwd: Path | None = None) -> dict[str, Any]:
    """Return the JSON object that a command prints last; {"skipped": why} if it prints none."""
    try:
        with tempfile.TemporaryDirectory(prefix="fecontact-bench-") as empty:
            done = subprocess.run(
                command,
                cwd=cwd or empty,
                env=environment() | ONE_THREAD,
                capture_output=True,
                text=True,
                timeout=HOURS,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return {"skipped": str(error)}
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        output_lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
        return {"skipped": output_lines[-1] if output_lines else f"exit code {done.returncode}"}
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer
