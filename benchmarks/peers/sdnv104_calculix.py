"""SDNV104 with CalculiX (`ccx`): CPE4 shoe, node-to-surface penalty contact, *DYNAMIC.

CalculiX needs two measures that are not obvious:

- Its check of the energy balance mistakes the friction loss for divergence and stops. The loss is
  compared with the largest energy in the model, so a detached heavy brick in free flight, without
  contact, makes the check harmless.
- The support must be as long as the sliding distance. It is meshed like the lower edge of the shoe,
  which converges best, and all its nodes are fixed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import sdnv104 as case

NORMAL, TANGENTIAL = 1e11, 1e10  # penalties, Pa/m
BALLAST = 1e9  # density of the brick, kg/m³


def grid(first: int, columns: int, rows: int) -> list[tuple[int, int, int, int]]:
    """Return the elements of a structured grid whose nodes are numbered row by row from `first`."""
    cells = []
    for j in range(rows):
        for i in range(columns):
            corner = first + i + j * (columns + 1)
            above = corner + columns + 1
            cells.append((corner, corner + 1, above + 1, above))
    return cells


def table(rows: list[tuple[float, ...]], first: int) -> list[str]:
    """Return the numbered lines of a data block."""
    return [",".join(map(repr, (first + k, *row))) for k, row in enumerate(rows)]


def deck(n: int, steps: int) -> str:
    """Return the text of the input file."""
    left, right, depth = case.SUPPORT
    length = int(right - left)
    columns = length * n
    shoe_nodes = [(i / n, j / n, 0.0) for j in range(n + 1) for i in range(n + 1)]
    strip_nodes = [
        (left + length * i / columns, -depth + depth * j, 0.0)
        for j in range(2)
        for i in range(columns + 1)
    ]
    brick_nodes = [
        (float(x), 50.0 + y, float(z))
        for z in range(2)
        for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))
    ]
    strip = 1 + len(shoe_nodes)
    brick = strip + len(strip_nodes)
    shoe_cells, strip_cells = grid(1, n, n), grid(strip, columns, 1)
    springs = len(shoe_cells) + len(strip_cells) + 1
    corner, upper = n + 1, (n + 1) ** 2
    lines = [
        "*NODE, NSET=SHOE", *table(shoe_nodes, 1),
        "*NODE, NSET=STRIP", *table(strip_nodes, strip),
        "*NODE, NSET=BRICK", *table(brick_nodes, brick),
        "*NSET, NSET=WATCHED", str(upper),
        "*ELEMENT, TYPE=CPE4, ELSET=SHOE", *table(shoe_cells, 1),
        "*ELEMENT, TYPE=CPE4, ELSET=STRIP", *table(strip_cells, 1 + len(shoe_cells)),
        "*ELEMENT, TYPE=SPRING1, ELSET=SPRINGS", f"{springs},{corner}", f"{springs + 1},{upper}",
        "*ELEMENT, TYPE=C3D8, ELSET=BRICK",
        ",".join(map(str, [springs + 2, *range(brick, brick + 8)])),
        "*ELSET, ELSET=BOTTOM, GENERATE", f"1,{n},1",
        "*ELSET, ELSET=TOP, GENERATE", f"{n * (n - 1) + 1},{n * n},1",
        "*ELSET, ELSET=LEFT, GENERATE", f"1,{n * (n - 1) + 1},{n}",
        "*SPRING, ELSET=SPRINGS", "1", repr(case.SPRING),
        "*MATERIAL, NAME=SHOE", "*ELASTIC", f"{case.YOUNG},0.", "*DENSITY", repr(case.DENSITY),
        "*MATERIAL, NAME=STRIP", "*ELASTIC", "1e11,0.", "*DENSITY", "1e-3",
        "*MATERIAL, NAME=BRICK", "*ELASTIC", "2.1e11,0.", "*DENSITY", repr(BALLAST),
        "*SOLID SECTION, ELSET=SHOE, MATERIAL=SHOE", "1.",
        "*SOLID SECTION, ELSET=STRIP, MATERIAL=STRIP", "1.",
        "*SOLID SECTION, ELSET=BRICK, MATERIAL=BRICK",
        "*INITIAL CONDITIONS, TYPE=VELOCITY", "BRICK,2,1.",
        "*BOUNDARY", "STRIP,1,2",
        "*SURFACE, NAME=SLAVE, TYPE=ELEMENT", "BOTTOM,S1",
        "*SURFACE, NAME=MASTER, TYPE=ELEMENT", "STRIP,S3",
        "*SURFACE INTERACTION, NAME=SOLE", "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR",
        f"{NORMAL},1e3",
        "*FRICTION", f"{case.FRICTION},{TANGENTIAL}",
        "*CONTACT PAIR, INTERACTION=SOLE, TYPE=NODE TO SURFACE", "SLAVE,MASTER",
        "*AMPLITUDE, NAME=RAMP", f"0.,0.,{case.RAMP},1.,100.,1.",
        "*STEP, NLGEOM, INC=100000",
        f"*DYNAMIC, DIRECT, ALPHA={case.ALPHA}", f"{case.STEP},{steps * case.STEP:.12g}",
        "*DLOAD, AMPLITUDE=RAMP", f"TOP,P3,{case.WEIGHT}", f"LEFT,P4,{case.PUSH}",
        "*NODE PRINT, NSET=WATCHED, FREQUENCY=1", "U",
        "*END STEP",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def main() -> None:
    if shutil.which("ccx") is None:
        case.skip("ccx not found on PATH (Debian 12 has it as calculix-ccx)")
    n, steps = case.arguments()
    if case.deformable():
        case.skip("CalculiX: the script supports only the fixed strip")
    with tempfile.TemporaryDirectory(prefix="sdnv104-ccx-") as folder:
        job = Path(folder, "job.inp")
        job.write_text(deck(n, steps))
        watch = case.Stopwatch(children=True)
        done = subprocess.run(
            ["ccx", "job"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
        )
        spent = watch.read()
        printed = job.with_suffix(".dat").read_text() if job.with_suffix(".dat").exists() else ""
    node = str((n + 1) ** 2)
    rows = [line.split() for line in printed.splitlines()]
    displacement = [0.0, *(float(row[1]) for row in rows if row and row[0] == node)]
    if done.returncode != 0 or len(displacement) != steps + 1:
        errors = re.findall(r"\*ERROR[^\n]*", done.stdout) or done.stdout.splitlines()[-3:]
        case.skip(f"ccx stopped after {len(displacement) - 1} steps: {' / '.join(errors)}")
    version = re.search(r"Version ([\d.]+)", done.stdout)
    iterations = len(re.findall(r"^ iteration \d+", done.stdout, re.MULTILINE))
    case.report(version.group(1) if version else "?", displacement, spent, iterations)


if __name__ == "__main__":
    main()
