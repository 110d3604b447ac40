"""Memory of the machine that a process runs on."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path


def available(proc: Path = Path("/proc"), groups: Path = Path("/sys/fs/cgroup")) -> float:
    """Return the free memory of this machine, or of the control group of this process, bytes;
    infinite if it is unknown."""
    most = math.inf
    with suppress(OSError, ValueError, KeyError, IndexError):  # elsewhere than on Linux
        table = _table(proc / "meminfo")
        most = 1024.0 * (table["MemAvailable:"] + table.get("SwapFree:", 0.0))
    own = ""
    with suppress(OSError, StopIteration):
        lines = (proc / "self" / "cgroup").read_text().splitlines()
        own = next(line for line in lines if line.startswith("0::")).removeprefix("0::/")
    return min([most, *(_left(groups / group) for group in (Path(own), *Path(own).parents))])


def _left(group: Path) -> float:
    """Return the bytes up to the limit of a control group, with those of files that it can give
    back."""
    try:
        limit, used = (float((group / f"memory.{name}").read_text()) for name in ("max", "current"))
    except (OSError, ValueError):  # without a limit the file says "max"
        return math.inf
    with suppress(OSError, ValueError, KeyError, IndexError):
        used -= _table(group / "memory.stat")["inactive_file"]
    return limit - used


def _table(path: Path) -> dict[str, float]:
    """Return the first number of each line by the word before it."""
    lines = (line.split() for line in path.read_text().splitlines())
    return {words[0]: float(words[1]) for words in lines}
