"""SDNV104 as the peers' scripts need it: data, arguments, and the one line they print.

A peer's script is run by the peer's own Python and imports nothing of fecontact:

    python3 peer_NAME.py CELLS [STEPS [deformable]]

computes the first STEPS steps (all 350 if not given) with a shoe of CELLS×CELLS bilinear cells on a
held strip, or on one that is held at its base only, and prints one line of JSON. A peer that is not
installed gets {"skipped": reason} and exit code 0.

All peers use the full HHT scheme with α = −0.1 and Δt = 0.01 s, as fecontact does in the same
comparison. Data of V5.03.104, SI, per metre of depth.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import dataclass, field

YOUNG, DENSITY, FRICTION = 2.1e11, 7000.0, 0.3
SPRING = 12_000.0  # of each of the two, at the lower and upper right corner, along x
WEIGHT, PUSH, RAMP = 7.0e4, 2.0e5, 0.07  # pressures on top and left edge; end of their ramp
ALPHA, STEP, STEPS = -0.1, 0.01, 350
BETA, GAMMA = (1 - ALPHA) ** 2 / 4, 0.5 - ALPHA
SUPPORT = (-1.0, 19.0, 0.5)  # from x, to x, depth of the held strip that peers slide on


@dataclass
class Stopwatch:
    """Wall and CPU seconds since it was made, of this process or of its children."""

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
        """Wall and CPU time."""
        return time.perf_counter() - self.wall, self._cpu() - self.cpu


def arguments() -> tuple[int, int]:
    """Cells along an edge of the shoe, and steps."""
    cells = int(sys.argv[1])
    return cells, int(sys.argv[2]) if len(sys.argv) > 2 else STEPS


def deformable() -> bool:
    """Whether the strip is held at its base only; its density is then the shoe's."""
    return sys.argv[3:] == ["deformable"]


def ramp(t: float) -> float:
    """What both pressures are multiplied with."""
    return min(1.0, t / RAMP)


def skip(reason: str) -> None:
    """End: the peer is not there."""
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
