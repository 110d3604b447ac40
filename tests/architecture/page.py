"""The tables of docs/architecture.md, as data."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sources import PROJECT

PAGE = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")


def names(cell: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def rows(header: str) -> Iterator[list[str]]:
    """The cells of the rows of the table whose header line matches a pattern."""
    table = re.search(rf"^\| {header} \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.MULTILINE)
    assert table, f"docs/architecture.md has no table headed {header!r}"
    for line in table[1].splitlines():
        yield [cell.strip() for cell in line.strip("|").split("|")]


def parts() -> dict[str, set[str]]:
    """The parts of the package, in the order of their rows → what each does not import."""
    return {names(row[0])[0]: set(names(row[2])) for row in rows("part")}


def packages() -> list[str]:
    """Return the packages inside the parts that the page lists."""
    return [name for row in rows("package") for name in names(row[0])]
