"""Compute the tables of docs/choosing.md: `docker/run python docs/figures/choosing.py`.

The contact methods are compared by the error of the pressure distribution, the impact schemes by
an elastic bar that impacts a rigid wall. About ten minutes on one core, most of it for the fine
meshes of `hertz-block`.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

import fecontact

PAGE = Path(__file__).parents[1] / "choosing.md"
METHODS = ("lagrangian", "penalty", "continuous")
PRESSURES = {
    "patch test, `quad4`, coarser side as slave": "patch-test joint lagrangian penalty .",
    "patch test, `quad4`, finer side as slave": "patch-test joint lagrangian-swapped - swapped",
    "patch test, `quad8`, coarser side as slave": "patch-test joint quad8-lagrangian - quad8",
    "cylinder on a rigid plane, `quad4`": "hertz-rigid sole . penalty continuous",
    "cylinder on a rigid plane, `quad8`": "hertz-rigid sole quad8 quad8-penalty quad8-continuous",
    "cylinder on an elastic block, `quad4`": "hertz-block sole . penalty continuous",
    "cylinder on an elastic block, `quad8`": (
        "hertz-block sole quad8 quad8-penalty quad8-continuous"
    ),
}
"""Row → study, contact pair, variants in the order of METHODS (".": the study itself, "-": not
computed)."""

FORCE, SPEED, ENERGY = 4.0e6, 1.0, 400.0  # ρ c v A in N/m, m/s, J/m of `bar-impact`
SCHEMES: list[tuple[str, str, dict[str, object]]] = [
    ("average-acceleration", "redistributed-mass", {}),
    ("average-acceleration", "stabilized", {}),
    ("generalized-alpha", "implicit", {"time.rho_infinity": 0.8}),
    ("hht", "implicit", {"time.alpha": -0.3}),
    ("hht", "velocity", {"time.alpha": -0.3}),
    ("implicit-euler", "implicit", {}),
    ("average-acceleration", "implicit", {}),
    ("average-acceleration", "velocity", {}),
]


def methods_table() -> str:
    """Return the relative error of the pressure distribution for each case and method."""
    head = " | ".join(f"`{method}`" for method in METHODS)
    lines = [f"| pressure distribution, relative error | {head} |", "|---|---|---|---|"]
    for label, words in PRESSURES.items():
        study, pair, *variants = words.split()
        cells = []
        for variant in variants:
            if variant == "-":
                cells.append("–")
                continue
            chosen = None if variant == "." else variant
            result = fecontact.run(fecontact.load(study, variant=chosen))
            (row,) = (row for row in result.rows if row.quantity == f"{pair}.pressure.error")
            cells.append(_size(row.value))
        lines.append(f"| {label} | {' | '.join(cells)} |")
    return "\n".join(lines)


def impact_table() -> str:
    """Return peak force, force in contact, rebound velocity and energy for each scheme."""
    lines = [
        "| `time.scheme` | `time.impact` | peak force | rms force | rebound velocity | energy |",
        "|---|---|---|---|---|---|",
    ]
    for scheme, impact, more in SCHEMES:
        study = fecontact.load("bar-impact")
        changes = {"time.scheme": scheme, "time.impact": impact} | more
        result = fecontact.run(fecontact.changed(study, changes))
        force, energy = result["force"] / FORCE, result["energy.kinetic"] + result["energy.strain"]
        inside = (result.time >= 1.4e-4) & (result.time <= 4.6e-4)
        rms = np.sqrt(np.mean(force[inside] ** 2))
        speed, kept = abs(result["v"][-1]) / SPEED, energy[-1] / ENERGY
        lines.append(
            f"| `{scheme}` | `{impact}` | {force.max():.2f} | {rms:.3f} | {speed:.3f} "
            f"| {100 * kept:.1f} % |"
        )
    return "\n".join(lines)


def _size(value: float) -> str:
    return f"{100 * value:.2g} %" if value > 1e-5 else "round-off"


def main(wanted: list[str]) -> None:
    """Replace the wanted tables (default: both) in the page."""
    made = f"fecontact {fecontact.__version__}, {datetime.now(UTC):%Y-%m-%d}"
    for name, table in (("methods", methods_table), ("impact", impact_table)):
        if not wanted or name in wanted:
            block = f"<!-- generated: {name} -->\n\n{table()}\n\n*{made}*\n\n<!-- end -->\n"
            pattern = rf"<!-- generated: {name} -->\n.*?<!-- end -->\n"
            text = PAGE.read_text(encoding="utf-8")
            text = re.sub(pattern, lambda _, block=block: block, text, flags=re.DOTALL)
            PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
