"""Write the generated tables of docs/verification.md and docs/verification/*.md.

Run `docker/run python docs/figures/verification.py` after a study has changed; a test compares the
tables with the studies. The tables list compared quantities and references, not
computed values; `fecontact verify --out FOLDER` writes the computed values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from fecontact.study import load
from fecontact.study.common import Check
from fecontact.study.library import file_of
from fecontact.study.load import resolve

DOCS = Path(__file__).parents[1]
GROUPS = {
    "static-contact": (
        "Static contact",
        "Patch tests, Hertz contact, punches, shrink fits, supports, foundations, rigid "
        "tools, bolt preload, fluid pressure, jumps of a static analysis",
        "patch-test mixed-cells hertz-rigid hertz-block hertz-tool hertz-sphere hertz-sphere-block "
        "flat-punch thick-cylinder hollow-sphere shrink-fit ring-sector press-fit offset-table "
        "rounded-block foundation inclined-roller wedge driven-wedge tool-force pretension "
        "joint-diagram fluid-block floating-block pushed-block snapping-roof self-contact "
        "general-contact limit-point snap-hook-force",
    ),
    "friction": (
        "Friction",
        "Stick and slip, friction laws, partial slip, cohesion, bonding, rupture",
        "incline incline-mesh belt belt-tool belt-lumped belt-law belt-law-lumped incline-law "
        "incline-law-lumped rate-state-lumped slip-patch rupture glued-block glued-block-lumped "
        "pulled-block pulled-block-dynamic cattaneo-mindlin mindlin-loop lap-joint punch-slip "
        "round-punch-slip wavy-runner oval-casing",
    ),
    "impact": (
        "Impact",
        "Waves in bars, repeated impact, Hertz impact, absorbing boundaries",
        "bar-impact two-bars bouncing-rod sphere-impact round-bar absorbing-edge",
    ),
    "rolling-and-rotation": (
        "Rolling and rotation",
        "Rolling contact, corotational bodies, hinges, rocking, collisions of discs",
        "carter carter-wheel tyred-wheel rolling-disc thrown-disc rolling-tool wheel-over-bump "
        "colliding-discs "
        "pendulum spring-orbit following-pressure spinning-disc rocking-block tumbling-block",
    ),
    "finite-strain-and-plasticity": (
        "Finite strain and plasticity",
        "Hyperelastic bodies at rest and in motion, elastoplastic bodies",
        "uniform-strain rubber-laws elastica shallow-arch inflated-tube blown-up-tube "
        "inflated-sector lever-and-strip squashed-block pulsing-tube swinging-rod thrown-rubber "
        "rubber-bounce "
        "snap-hook snap-hook-dynamic uniform-yield yielding-tube yield-onset prandtl-punch "
        "shakedown plastic-impact",
    ),
    "viscoelasticity": (
        "Viscoelasticity",
        "Relaxation, creep, hysteresis, contact and rolling on a viscoelastic half plane",
        "standard-solid creep sheared-rubber lee-radok hunter",
    ),
    "modes": (
        "Modes",
        "Natural frequencies, rigid-body modes, complex modes of steady sliding",
        "brake-squeal hulten-brake mode-coupling "
        "mode-coupling-lumped modes-beam modes-ring modes-rod",
    ),
    "periodic-response": (
        "Periodic response",
        "Frequency response under harmonic load, nonlinear normal modes, stability",
        "response-linear response-stop friction-beam sdnd122-branch sdnd123",
    ),
    "reduced-bodies": (
        "Reduced bodies",
        "Component mode synthesis with contact against full models and exact solutions",
        "bar-impact-reduced bouncing-rod-reduced sliding-shoe",
    ),
    "wear": (
        "Wear",
        "Archard's law, wear with gap update, worn obstacles",
        "wear-shoe wear-shoe-lumped wear-flat wear-both wear-circle worn-slot worn-slider",
    ),
    "lumped": (
        "Lumped masses",
        "Restitution, force tables, yielding stops and springs",
        "bouncing-ball buffer dented-stop yielding-spring",
    ),
    "code-aster-and-nafems": (
        "code_aster and NAFEMS",
        "Published cases of the code_aster validation manual and of NAFEMS",
        "sdnv104a sdnv104b sdnv104c sdnv104d sdnv104e sdnd100a sdnd100b sdnd100c sdnd100d "
        "sdnd104-0.99 sdnd104-1.01 sdnd104-1.5 sdnd104-15 sdnd121 sdnd121-adaptive sdnd121-exact "
        "sdnd101 sdnd102 sdnd102ab sdnd105 sdnd106 sdnd107 sdnd108 sdnd108b sdnd122 sdnd125 "
        "sdnl104 sdnl104c sdnl105 sdnl32 sdnl111 sdnl111a "
        "sdnl140 sdnv100 sdnv100f ssna122 ssnp121 ssnp153 ssnp154 ssnp167 ssnp170 ssnp173 "
        "ssnp501 ssnp502 ssnp503 ssnp503-fine ssnp504 ssnv104 ssnv128 ssnv128a ssnv503 zzzz237",
    ),
}
"""Page → title, contents, studies."""

MARK = re.compile(r"<!-- generated: (\S+) -->\n.*?<!-- end -->\n", re.DOTALL)


def studies(group: str) -> list[str]:
    """Return the names of the studies of a group."""
    return GROUPS[group][2].split()


def cases_table(group: str) -> str:
    """Return the table of the studies of a group: problem, compared quantities, references."""
    lines = ["| study | problem | compared | reference | tolerance |", "|---|---|---|---|---|"]
    for name in studies(group):
        study = load(file_of(name))
        checks = list(study.checks.values())
        proving = [check for check in checks if not is_regression_check(check)] or checks
        quantities = dict.fromkeys(f"`{check.quantity}`" for check in proving)
        sources = dict.fromkeys(_kind(check.source) for check in proving)
        lines.append(
            f"| `{name}` | {_cell(study.title)} | {_few(list(quantities), 5)} "
            f"| {_few(list(sources), 3)} | {_range(proving)} |"
        )
    return "\n".join(lines)


def index_table() -> str:
    """Return the table of the pages: contents, number of studies, runs and checks."""
    lines = ["| page | contents | studies | runs | checks |", "|---|---|---|---|---|"]
    for group, (title, contents, names) in GROUPS.items():
        runs = [run for name in names.split() for run in _runs(name)]
        checks = sum(len(load(file_of(name), variant=variant).checks) for name, variant in runs)
        lines.append(
            f"| [{title}](verification/{group}.md) | {contents} | {len(names.split())} "
            f"| {len(runs)} | {checks} |"
        )
    return "\n".join(lines)


def deviations_table() -> str:
    """Return the table of all regression checks: study, quantity, reference, tolerance."""
    lines = ["| study | quantity | reference | tolerance |", "|---|---|---|---|"]
    for name in (name for group in GROUPS for name in studies(group)):
        found: dict[tuple[str, str, str], list[str]] = {}
        for _, variant in _runs(name):
            for check in load(file_of(name), variant=variant).checks.values():
                if is_regression_check(check):
                    key = check.quantity, _cell(check.source), _tolerance(check)
                    found.setdefault(key, []).append(variant or "")
        for (quantity, source, tolerance), variants in found.items():
            shown = _few([f"`{v}`" for v in variants if v], 3)
            of = f": {shown}" if shown and "" not in variants else ""
            lines.append(f"| `{name}`{of} | `{quantity}` | {source} | {tolerance} |")
    return "\n".join(lines)


def orders_table() -> str:
    """Return the table of all refinement series: study, quantity, parameter, expected order."""
    lines = ["| study | error of | refined | expected order | reason |", "|---|---|---|---|---|"]
    for name in (name for group in GROUPS for name in studies(group)):
        study = load(file_of(name))
        for series in study.refinements.values():
            quantity = study.checks[series.check].quantity
            lines.append(
                f"| `{name}` | `{quantity}` | {series.parameter} | {series.order:.2g} "
                f"± {series.tolerance:.2g} | {_cell(series.source)} |"
            )
    return "\n".join(lines)


def _runs(name: str) -> Iterator[tuple[str, str | None]]:
    """Yield the study itself and each of its variants."""
    yield name, None
    for variant in resolve(file_of(name)).get("variants", {}):
        yield name, variant


def is_regression_check(check: Check) -> bool:
    """Return True if a check does not verify the result (see docs/verification.md)."""
    return check.regression_only or (check.reference != 0.0 and _relative(check) > 0.1)


def _relative(check: Check) -> float:
    """Return the tolerance relative to the reference; absolute if the reference is 0."""
    return check.tolerance / (1.0 if check.relative else abs(check.reference) or 1.0)


def _tolerance(check: Check) -> str:
    return _percent(_relative(check)) if check.reference else f"{check.tolerance:.1g}"


def _percent(size: float) -> str:
    return f"{100 * size:.2g} %" if size >= 1e-4 else f"{size:.0e}".replace("e-0", "e-")


def _range(checks: list[Check]) -> str:
    """Return the smallest and the largest tolerance relative to its reference."""
    found = sorted(_relative(check) for check in checks if check.reference)
    if not found:
        return f"{min(check.tolerance for check in checks):.0e} absolute".replace("e-0", "e-")
    ends = dict.fromkeys(_percent(size) for size in (found[0], found[-1]))
    return " to ".join(ends)


def _kind(source: str) -> str:
    """Return the source without its comment."""
    return _cell(re.split(r"[:;,(]", source)[0].strip())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").strip()


def _few(words: list[str], most: int) -> str:
    more = len(words) - most
    return ", ".join(words[:most]) + (f" and {more} more" if more > 0 else "")


TABLES = {
    "index": index_table,
    "deviations": deviations_table,
    "orders": orders_table,
} | {group: lambda group=group: cases_table(group) for group in GROUPS}


def with_tables(text: str) -> str:
    """Return a page with its generated tables updated."""
    return MARK.sub(
        lambda found: f"<!-- generated: {found[1]} -->\n\n{TABLES[found[1]]()}\n\n<!-- end -->\n",
        text,
    )


def pages() -> list[Path]:
    """Return the pages with generated tables."""
    return [DOCS / "verification.md", *sorted((DOCS / "verification").glob("*.md"))]


if __name__ == "__main__":
    for page in pages():
        page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
