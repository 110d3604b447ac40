"""Write the tables of docs/performance.md from a benchmark: `… performance.py results/bench`.

`benchmarks/run` measures and writes the folder; `--peers` adds other programs.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
Bench = dict[str, Any]


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def steps(bench: Bench) -> str:
    """Return the cost of a step for each size and solver."""
    columns = (
        "n", "dofs", "contact dofs", "solver", "step, ms", "step / back-substitution",
        "compliance, share of the loop", "memory, MB",
    )  # fmt: skip
    rows = [
        (
            str(m["cells"]), str(m["dofs"]), str(m["contact_dofs"]), f"`{m['solver']}`",
            f"{1e3 * m['step']:.2g}", f"{m['step'] / m['back_substitution']:.1f}",
            f"{100 * m['compliance'] / m['loop']:.1f} %", f"{m['memory']:.0f}",
        )
        for m in bench["sizes"]
    ]  # fmt: skip
    return _table(columns, rows)


MASTERS = {
    "fixed": "rigid strip",
    "matching": "deformable strip, matching mesh",
    "other-mesh": "deformable strip, non-matching mesh",
    "joint": "joint of two blocks",
}


def two_bodies(bench: Bench) -> str:
    """Return the cost of a step with a deformable master."""
    rows = [
        (
            MASTERS[m["case"]], str(m["cells"]), str(m["dofs"]), str(m["contact_dofs"]),
            f"{1e3 * m['step']:.2g}", f"{m['pairings']:.1f}", f"{m['iterations']:.1f}",
        )
        for m in bench["two_bodies"]
    ]  # fmt: skip
    columns = (
        "master",
        "n",
        "dofs",
        "contact dofs",
        "step, ms",
        "searches / step",
        "iterations / step",
    )
    return _table(columns, rows)


def finite_strain(bench: Bench) -> str:
    """Return the cost of an iteration at finite strain."""
    rows = [
        (
            str(m["cells"]), str(m["dofs"]), str(m["contact_dofs"]), str(m["iterations"]),
            str(m["factorisations"]),
            f"{1e3 * m['assembly']:.2g} + {1e3 * m['factor']:.2g} + {1e3 * m['solve']:.2g}",
            f"{m['loop'] / m['iterations'] / (m['assembly'] + m['factor'] + m['solve']):.2f}",
        )
        for m in bench["ironing"]
    ]  # fmt: skip
    columns = (
        "n", "dofs", "contact dofs", "iterations", "factorisations",
        "assembly + factorisation + solution, ms", "iteration / their sum",
    )  # fmt: skip
    return _table(columns, rows)


def rolling(bench: Bench) -> str:
    """Return the cost of a step of a corotational disc."""
    rows = [
        (
            f"`{m['scheme']}`", str(m["dofs"]), str(m["contact_dofs"]), str(m["factorisations"]),
            f"{m['iterations']:.1f}", f"{m['substitutions']:.1f}", f"{1e3 * m['step']:.2g}",
        )
        for m in bench["rolling"]
    ]  # fmt: skip
    columns = (
        "scheme", "dofs", "contact dofs", "factorisations", "iterations / step",
        "back-substitutions / step", "step, ms",
    )  # fmt: skip
    return _table(columns, rows)


def long_joints(bench: Bench) -> str:
    """Return the cost of bolted lap joints."""
    rows = [
        (
            str(m["cells"]), str(m["dofs"]), str(m["contact_dofs"]), f"{m['total']:.2g}",
            _rounded(1e3 * m["step"]), f"{m['iterations']:.1f}", f"{m['memory']:.0f}",
        )
        for m in bench["long_joints"]
    ]  # fmt: skip
    columns = (
        "n", "dofs", "contact dofs", "run, s", "step, ms", "iterations / step", "memory, MB",
    )  # fmt: skip
    return _table(columns, rows)


def reduced(bench: Bench) -> str:
    """Return the cost of a step of full and reduced models."""
    rows = []
    for m in bench["reduced"]:
        saved = m["full_step"] - m["step"]
        pays = f"{m['set_up'] / saved:.0f}" if saved > 0.0 else "–"
        steps = f"{1e3 * m['full_step']:.2g}", f"{1e3 * m['step']:.2g}"
        rows.append((str(m["cells"]), str(m["dofs"]), str(m["coordinates"]), *steps, pays))
    columns = (
        "n",
        "dofs",
        "coordinates",
        "full step, ms",
        "reduced step, ms",
        "steps to break even",
    )
    table = _table(columns, rows)
    million = bench["million_steps"]
    if million is None:
        return table
    text = f"10⁶ steps of the reduced 5×5 shoe in the lumped study `sliding-shoe`: {million:.2g} s."
    return f"{table}\n\n{text}"


def peers(bench: Bench) -> str:
    """Return the time of other programs relative to fecontact, from the same run."""
    rows = [*_fixed_strip(bench), *_deformable_strip(bench), *_ironing(bench), *_rolling(bench)]
    if not rows:
        return "This benchmark was run without other programs; `benchmarks/run --peers` adds them."
    return _table(
        ("program", "case", "n", "CPU time, s", "fecontact, s", "ratio"),
        [
            (*names, f"{other:.2g}", f"{own:.2g}", f"{other / own:.2g}")
            for *names, other, own in rows
        ],
    )


def _fixed_strip(bench: Bench) -> Iterator[tuple[str, str, str, float, float]]:
    for peer, answers in bench["peers"].items():
        for cells, answer in answers.items():
            if "skipped" not in answer:
                own = min(m["loop"] for m in bench["sizes"] if str(m["cells"]) == str(cells))
                yield (
                    f"{peer} {answer['version']}".strip(),
                    "SDNV104",
                    cells,
                    answer["seconds"],
                    own,
                )


def _deformable_strip(bench: Bench) -> Iterator[tuple[str, str, str, float, float]]:
    own = {str(m["cells"]): m["loop"] for m in bench["two_bodies"] if m["case"] == "matching"}
    for peer, answers in bench["on_strip"].items():
        for cells, answer in answers.items():
            if "seconds" in answer and cells in own:
                name = f"{peer} {answer['version']}".strip()
                yield name, "SDNV104, deformable strip", cells, answer["seconds"], own[cells]


def _ironing(bench: Bench) -> Iterator[tuple[str, str, str, float, float]]:
    for m in bench["ironing"]:
        answer = bench["ironed"].get(str(m["cells"]), {})
        if "cpu" in answer:
            name = f"NGSolve {answer.get('version', '')}".strip()
            yield name, "finite strain", str(m["cells"]), answer["cpu"], m["loop"]


def _rolling(bench: Bench) -> Iterator[tuple[str, str, str, float, float]]:
    answer = bench["rolling_peer"]
    for m in bench["rolling"] if "step" in answer else ():
        case = f"one step of the rolling disc, `{m['scheme']}`"
        yield f"NGSolve {answer['version']}", case, "–", answer["step"], m["step"]


def _rounded(value: float) -> str:
    """Return a number with two digits, without an exponent."""
    return f"{float(f'{value:.2g}'):g}"


def _error(value: float) -> str:
    """Return an error with one digit, or a dash if it was not measured."""
    return f"{value:.0e}" if value == value else "–"


def lumped(bench: Bench) -> str:
    """Return the time of the integrators for SDND121."""
    rows = [
        (f"{t['name']}", _rounded(1e3 * t["seconds"]), _error(t["error"]))
        for t in bench["lumped"]["timings"]
    ]
    return _table(("scheme", "CPU time, ms", "error of the contact times, s"), rows)


def start_up(bench: Bench) -> str:
    """Return the time from the command to the written result."""
    meaning = {
        "dolfinx": '`python -c "import dolfinx"`',
        "report": "with report, all caches filled",
        "warm": "without report, all caches filled",
        "cold": "without report, forms to be compiled",
        "first": "without report, forms and kernels to be compiled (once after installation)",
    }
    times, unit = bench["start_up"], bench["start_up"]["dolfinx"][1]
    rows = [
        (text, f"{times[name][0]:.1f}", f"{times[name][1]:.1f}", f"{times[name][1] / unit:.1f}")
        for name, text in meaning.items()
    ]
    return _table(("start", "wall time, s", "CPU time, s", "CPU time / import dolfinx"), rows)


TABLES: dict[str, Callable[[Bench], str]] = {
    "steps": steps,
    "two-bodies": two_bodies,
    "finite-strain": finite_strain,
    "rolling": rolling,
    "long-joints": long_joints,
    "reduced": reduced,
    "peers": peers,
    "lumped": lumped,
    "start-up": start_up,
}


def main(folder: Path) -> None:
    """Replace all tables of the page, and its figure."""
    bench = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
    origin = bench["origin"]
    made = (
        f"fecontact {bench['versions']['fecontact']}, commit {origin.get('commit', 'unknown')}, "
        f"{origin['date']}, {origin['machine']}, load average {origin['load']}"
    )
    page = DOCS / "performance.md"
    text = page.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        block = f"<!-- generated: {name} -->\n\n{table(bench)}\n\n*{made}*\n\n<!-- end -->\n"
        pattern = rf"<!-- generated: {name} -->\n.*?<!-- end -->\n"
        text = re.sub(pattern, lambda _, block=block: block, text, flags=re.DOTALL)
    page.write_text(text, encoding="utf-8")
    shutil.copy(folder / "cost.png", DOCS / "pictures" / "cost.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
