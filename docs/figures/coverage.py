"""Write the tables of tests and coverage of docs/architecture.md.

`docker/run --extra browser pytest -m 'not slow' --cov --cov-config pyproject.toml --cov-report
json:results/coverage.json --junitxml=results/tests.xml` writes the measurements to the folder
`results`. `docker/run python3 docs/figures/coverage.py results` reads them.
"""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import fecontact
from fecontact.versions import commit

PAGE = Path(__file__).parents[1] / "architecture.md"


def coverage_table(measured: dict[str, dict[str, dict[str, int]]]) -> str:
    """Return statements and covered statements of each package; measured: by file."""
    statements, covered = Counter[str](), Counter[str]()
    for path, file in measured.items():
        parts = Path(path).parts
        package = parts[1] if len(parts) > 2 else "modules of the package itself"
        statements[package] += file["summary"]["num_statements"]
        covered[package] += file["summary"]["covered_lines"]
    rows = [
        (name, str(count), f"{100 * covered[name] / count:.1f} %")
        for name, count in sorted(statements.items())
        if count
    ]
    share = 100 * covered.total() / statements.total()
    rows.append(("all", str(statements.total()), f"{share:.1f} %"))
    return _table(("package", "statements", "executed by a test"), rows)


def times_table(tests: ET.Element) -> str:
    """Return the number of tests of each folder and the sum of their times."""
    count, seconds = Counter[str](), Counter[str]()
    for case in tests.iter("testcase"):
        name = case.get("classname", "").split(".")
        folder = "/".join(name[1:3] if name[1] in ("unit", "mechanics") else name[1:2])
        count[folder] += 1
        seconds[folder] += round(1e3 * float(case.get("time", 0)))
    rows = [(name, str(n), f"{1e-3 * seconds[name]:.0f}") for name, n in sorted(count.items())]
    rows.append(("all", str(count.total()), f"{1e-3 * seconds.total():.0f}"))
    return _table(("folder of tests", "tests", "time, s"), rows)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def main(folder: Path) -> None:
    """Replace both tables of the page."""
    measured = json.loads((folder / "coverage.json").read_text(encoding="utf-8"))
    tests = ET.parse(folder / "tests.xml").getroot()
    date = measured["meta"]["timestamp"][:10]
    made = f"fecontact {fecontact.__version__}, commit {commit()}, {date}"
    text = PAGE.read_text(encoding="utf-8")
    for name, table in (
        ("coverage", coverage_table(measured["files"])),
        ("tests", times_table(tests)),
    ):
        block = f"<!-- generated: {name} -->\n\n{table}\n\n*{made}*\n\n<!-- end -->\n"
        pattern = rf"<!-- generated: {name} -->\n.*?<!-- end -->\n"
        text = re.sub(pattern, lambda _, block=block: block, text, flags=re.DOTALL)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
