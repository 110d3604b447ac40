"""Start scripts and commands on several ranks, and never wait for ever."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LIMIT = 300.0  # s: a run that takes longer hangs


def on_ranks(ranks: int, arguments: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments on `ranks` ranks; its outcome with all that it printed."""
    mpirun = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    return subprocess.run(
        [*mpirun, sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
