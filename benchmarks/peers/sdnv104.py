"""SDNV104 for the comparison with other programs: data, arguments, and the output line.

Each script runs in the Python environment of the other program and imports nothing of fecontact:

    python3 peer_NAME.py CELLS [STEPS [deformable]]

computes the first STEPS steps (default: all 350) with a shoe of CELLS×CELLS bilinear elements on a
fixed strip, or on a strip fixed only at its base, and prints one line of JSON. If the program is
not installed, the script prints {"skipped": reason} and exits with code 0.

All programs use the full HHT scheme with α = −0.1 and Δt = 0.01 s, as fecontact does in the same
comparison. Data of V5.03.104, SI units, per metre of depth.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import dataclass, field

YOUNG, DENSITY, FRICTION = 2.1e11, 7000.0, 0.3
SPRING = 12_000.0  # each of the two springs, at the lower and upper right corner, along x
WEIGHT, PUSH, RAMP = 7.0e4, 2.0e5, 0.07  # pressures on top and left edge; end of their ramp
ALPHA, STEP, STEPS = -0.1, 0.01, 350
BETA, GAMMA = (1 - ALPHA) ** 2 / 4, 0.5 - ALPHA
SUPPORT = (-1.0, 19.0, 0.5)  # from x, to x, depth of the fixed strip


@dataclass
class Stopwatch:
    """Wall and CPU time since construction, s, of this process or of its children."""

    children: bool = False
    wall: float = field(default_factory=time.perf_counter)
    cpu: float = 0.0

    def __post_init__(self) -> None:
        self.cpu = self._cpu()

    def _cpu(self) -> float:
        who = resource.RUSAGE_CHILDREN if self.children else resource.RUSAGE_SELF
        usage = resource.getrusage(who)
        return usage.ru_utime + usage.ru_stime

    def read(self) -> tuple[float, float]:
        """Return wall and CPU time, s."""
        return time.perf_counter() - self.wall, self._cpu() - self.cpu


def arguments() -> tuple[int, int]:
    """Return the number of elements along an edge of the shoe and the number of steps."""
    cells = int(sys.argv[1])
    return cells, int(sys.argv[2]) if len(sys.argv) > 2 else STEPS


def deformable() -> bool:
    """Return True if the strip is fixed only at its base; it then has the density of the shoe."""
    return sys.argv[3:] == ["deformable"]


def ramp(t: float) -> float:
    """Return the factor of both pressures."""
    return min(1.0, t / RAMP)


def skip(reason: str) -> None:
    """Exit because the program is not installed."""
    print(json.dumps({"skipped": reason}))
    sys.exit(0)


def report(
    version: str, displacement: list[float], watch: tuple[float, float], iterations: int
) -> None:
    """Print the result: displacement of the shoe after 0, 1, 2, … steps, m."""
    wall, cpu = watch
    values = {"x170": 170, "x340": 340}
    print(
        json.dumps(
            {
                "version": version,
                "steps": len(displacement) - 1,
                "wall": wall,
                "cpu": cpu,
                "iterations": iterations,
            }
            | {name: displacement[i] for name, i in values.items() if i < len(displacement)}
        )
    )
