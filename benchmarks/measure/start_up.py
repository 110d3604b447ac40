"""Wall and CPU time of `fecontact run studies/sdnv104/sdnv104a.toml --no-report`."""

from __future__ import annotations

import resource
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numba

import fecontact.kernels  # noqa: F401 (sets where numba keeps kernels)
from fecontact.isolation import environment, python
from fecontact.study.library import find

WARM_RUNS = 3


@dataclass(frozen=True)
class StartUp:
    """Wall and CPU seconds of the whole command: warm is the median of three runs; cold has no
    compiled forms, but compiled kernels; first has neither.
    """

    warm: tuple[float, float]
    cold: tuple[float, float]
    first: tuple[float, float]


def measure() -> StartUp:
    """Run the command with full caches, without cached forms, and without any cache."""
    with tempfile.TemporaryDirectory(prefix="fecontact-bench-") as folder:
        here = Path(folder)
        _run(here, {})
        warm = [_run(here, {}) for _ in range(WARM_RUNS)]
        kernels = {"NUMBA_CACHE_DIR": numba.config.CACHE_DIR}
        cold = _run(here, {"XDG_CACHE_HOME": str(here / "cold")} | kernels)
        first = _run(here, {"XDG_CACHE_HOME": str(here / "first"), "NUMBA_CACHE_DIR": ""})
    return StartUp((median(w for w, _ in warm), median(c for _, c in warm)), cold, first)


def _run(folder: Path, changes: dict[str, str]) -> tuple[float, float]:
    """Return wall and CPU seconds of one run."""
    command = python("-m", "fecontact", "run", str(find("sdnv104a")), "--no-report")
    before, started = _cpu(), time.perf_counter()
    subprocess.run(
        [*command, "--quiet", "--overwrite", "--out", str(folder / "result")],
        cwd=folder,
        env=environment() | changes,
        check=True,
    )
    return time.perf_counter() - started, _cpu() - before


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
