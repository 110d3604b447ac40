"""Wall and CPU time of `fecontact run sdnv104a`, next to that of `import dolfinx`."""

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
NO_REPORT = "--no-report"


@dataclass(frozen=True)
class StartUp:
    """Wall and CPU seconds of whole commands: `python -c "import dolfinx"`, runs with and without
    report (medians of three runs), and runs without report that compile forms (cold), or forms and
    kernels (first).
    """

    dolfinx: tuple[float, float]
    report: tuple[float, float]
    warm: tuple[float, float]
    cold: tuple[float, float]
    first: tuple[float, float]


def measure() -> StartUp:
    """Run the commands with full caches, without cached forms, and without any cache."""
    with tempfile.TemporaryDirectory(prefix="fecontact-bench-") as folder:
        here = Path(folder)
        _run(here, {}, NO_REPORT)
        dolfinx = [_time(python("-c", "import dolfinx"), here, {}) for _ in range(WARM_RUNS)]
        report = [_run(here, {}) for _ in range(WARM_RUNS)]
        warm = [_run(here, {}, NO_REPORT) for _ in range(WARM_RUNS)]
        kernels = {"NUMBA_CACHE_DIR": numba.config.CACHE_DIR}
        cold = _run(here, {"XDG_CACHE_HOME": str(here / "cold")} | kernels, NO_REPORT)
        none = {"XDG_CACHE_HOME": str(here / "first"), "NUMBA_CACHE_DIR": ""}
        first = _run(here, none, NO_REPORT)
    return StartUp(*map(_median, (dolfinx, report, warm)), cold, first)


def _median(times: list[tuple[float, float]]) -> tuple[float, float]:
    """Return the medians of wall and CPU seconds."""
    return median(wall for wall, _ in times), median(cpu for _, cpu in times)


def _run(folder: Path, changes: dict[str, str], *options: str) -> tuple[float, float]:
    """Return wall and CPU seconds of one run."""
    command = python("-m", "fecontact", "run", str(find("sdnv104a")), *options)
    out = ["--quiet", "--overwrite", "--out", str(folder / "result")]
    return _time([*command, *out], folder, changes)


def _time(command: list[str], folder: Path, changes: dict[str, str]) -> tuple[float, float]:
    """Return wall and CPU seconds of one command."""
    before, started = _cpu(), time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment() | changes, check=True)
    return time.perf_counter() - started, _cpu() - before


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
