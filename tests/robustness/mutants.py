"""Invalid study files: valid ones with some entries changed, by seed.

Even seeds change anything into anything. Odd ones change numbers and choices only, so that many of
these mutants are valid and can be run.

As a program, runs the mutants of a range of seeds through the command line, inside one process, and
prints a line for each: seed, exit codes of `check` and `run`, CPU s, peak memory in MB, last words.

    python tests/robustness/mutants.py FIRST LAST FOLDER
"""

from __future__ import annotations

import copy
import datetime
import math
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus import VALID

from fecontact.study import load
from fecontact.study.base import in_toml
from fecontact.study.kinds import AnyStudy
from fecontact.study.library import directory
from fecontact.study.load import resolve
from fecontact.study.lumped import LumpedStudy

SOURCES = [*VALID.values(), *sorted(directory().glob("*/*.toml"))]
STEPS = 20  # of a mutant that is run
MAX_CELLS = 2000  # of a mutant that is run

Table = dict[str, Any]

NAMES = ["x", "type", "on", "auto", "ground", "sole", "ramp", "", "a.b", "🦶", "\x00", "\x1b[31m",
         "n" * 81, "ⅷ", "é", "[red]", "=1", "../../x", "kind", "title", " ", '"', "\\"]  # fmt: skip
NUMBERS = [0, -1, 1, 2, 3, 2**31, 2**63, 2**64, 10**400, 0.0, -0.0, 1e-320, 1e-300, 1e-12, 0.5, 1e9,
           1e30, 1e300, math.inf, -math.inf, math.nan, 1.0000000000000002]  # fmt: skip
OTHERS = [True, False, [], {}, [[]], [1], ["x"], [0.0, 0.0], [1.0, -1.0, 1.0], {"x": 1},
          datetime.date(2024, 2, 29), datetime.time(12, 30),
          datetime.datetime(2024, 2, 29, 12)]  # fmt: skip

CHOICES = {
    "scheme": ["hht", "newmark", "generalized-alpha", "average-acceleration", "implicit-euler",
               "central-difference", "static",
               "euler", "devogelaere", "adaptive-order2", "rk32", "rk54", "exact"],
    "impact": ["implicit", "velocity", "stabilized", "redistributed-mass"],
    "method": ["lagrangian", "penalty", "augmented-lagrangian", "continuous"],
    "element": ["tri3", "tri6", "quad4", "quad8"],
    "plane": ["strain", "stress"],
    "mass_matrix": ["consistent", "lumped"],
    "solver": ["auto", "mumps", "cholesky"],
}  # fmt: skip
FACTORS = [0.0, -1.0, 0.01, 0.1, 0.5, 0.9, 1.1, 2.0, 3.0, 10.0, 100.0, 1e4, 1e-4, 1e8, 1e-8]


def mutant(seed: int) -> tuple[str, Table]:
    """The name of a valid study and what has become of it."""
    rng = random.Random(seed)
    source = rng.choice(SOURCES)
    study = copy.deepcopy(resolve(source))
    mesh = study.get("mesh", {})
    if "file" in mesh:
        mesh["file"] = str(Path(mesh["file"]).absolute())
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 5])):
        everywhere = list(places(study))
        if everywhere and seed % 2 == 0:
            _change(rng, study, everywhere, rng.choice(everywhere))
        elif everywhere:
            _tune(rng, study, everywhere)
    return source.stem, study


def places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The keys of all entries of nested tables and lists."""
    entries: Any = ()
    if isinstance(value, dict):
        entries = value.items()
    elif isinstance(value, list):
        entries = enumerate(value)
    for key, inner in entries:
        yield (*path, key)
        yield from places(inner, (*path, key))


def _change(rng: random.Random, study: Table, everywhere: list[tuple], path: tuple) -> None:
    """Delete, rename, replace, scale, nest, copy or repeat one entry."""
    inside, last = _at(study, path[:-1]), path[-1]
    value = inside[last]
    how = rng.choice(["delete", "rename", "scalar", "scale", "scale", "scale", "other", "nest",
                      "copy", "copy", "many"])  # fmt: skip
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if how == "scale" and number:
        inside[last] = type(value)(value * rng.choice(FACTORS))
    elif how == "copy":
        inside[last] = copy.deepcopy(_at(study, rng.choice(everywhere)))
    elif how == "nest":
        inside[last] = rng.choice([[value], {"x": value}, [[value]], {}, []])
    elif how == "other":
        inside[last] = rng.choice(OTHERS)
    elif how == "many" and isinstance(inside, dict):
        inside |= {f"{last}{i}": copy.deepcopy(value) for i in range(rng.choice([3, 50, 2000]))}
    elif how == "rename" and isinstance(inside, dict):
        del inside[last]
        inside[rng.choice(NAMES)] = value
    elif how == "delete":
        del inside[last]
    else:
        inside[last] = rng.choice(NUMBERS if number else NAMES)


def _tune(rng: random.Random, study: Table, everywhere: list[tuple]) -> None:
    """Scale a number or choose otherwise."""
    chosen = [path for path in everywhere if path[-1] in CHOICES]
    numbers = [path for path in everywhere if type(_at(study, path)) in (int, float)]
    path = rng.choice(chosen if chosen and rng.random() < 0.4 else numbers or everywhere)
    inside, value = _at(study, path[:-1]), _at(study, path)
    if path in chosen:
        inside[path[-1]] = rng.choice(CHOICES[path[-1]])
        for key in ("alpha", "modified_equilibrium", "normal_penalty", "tangential_penalty"):
            inside.pop(key, None)
    elif path in numbers:
        inside[path[-1]] = type(value)(value * rng.choice(FACTORS))


def _at(value: Any, path: tuple) -> Any:
    for key in path:
        value = value[key]
    return value


def in_file(table: Table) -> str:
    """A study as the text of a file."""
    return "".join(f"{_text(key)} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(k)} = {_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else str(value)


def _text(text: str) -> str:
    return in_toml(text.replace("\\", "\\\\").replace('"', '\\"'), 10**6)


def shortened(path: Path, table: Table) -> Table | None:
    """A valid mutant with a few steps only, without checks that it does not reach; None if
    even that would be long."""
    study: AnyStudy = load(path)
    if study.sweep is not None:
        return None
    if not isinstance(study, LumpedStudy):
        shapes = study.mesh.shapes.values()
        counts = [math.prod(getattr(shape, "cells", None) or (MAX_CELLS,)) for shape in shapes]
        if sum(counts) > MAX_CELLS:
            return None
    short = {key: value for key, value in table.items() if key not in ("checks", "variants")}
    if isinstance(study, LumpedStudy):
        step = getattr(study.time, "step", None) or study.time.end / STEPS
    else:
        step = study.time.longest
        short["time"] = short["time"] | {"required_times": []}
    return short | {"time": short["time"] | {"end": min(study.time.end, STEPS * step)}}


def peak_memory() -> float:
    """Peak memory of this program, MB; that of getrusage includes the process that started it."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return float(status.split("VmHWM:")[1].split()[0]) / 1024


def main(first: int, last: int, folder: Path) -> None:
    from commandline import fecontact

    for seed in range(first, last):
        name, study = mutant(seed)
        path = folder / f"{name}-{seed}.toml"
        path.write_text(in_file(study), encoding="utf-8")
        started = time.process_time()
        ended = fecontact("check", path)
        checked, ran = ended.code, "-"
        if ended.code == 0 and (short := shortened(path, study)) is not None:
            path.write_text(in_file(short), encoding="utf-8")
            out = folder / f"result-{seed}"
            ended = fecontact("run", path, "--no-report", "--out", out)
            ran = str(ended.code)
        seconds = time.process_time() - started
        memory = peak_memory()
        words = (ended.err.splitlines() or [""])[-1]
        print(seed, checked, ran, f"{seconds:.1f}", f"{memory:.0f}", words, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
