"""Checks as a table in a page of the documentation, between two marks of the page.

<!-- verify: sdnv104 -->
… the table, replaced each time …
<!-- end -->
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from fecontact import __version__
from fecontact.results.checks.evaluation import CheckRow
from fecontact.results.checks.tables import check_cells
from fecontact.results.manual.case_page import beside_aster
from fecontact.study.errors import InputError
from fecontact.versions import commit

_MARKED = re.compile(r"(<!-- verify: ([^>]*) -->\n).*?(<!-- end -->)", re.DOTALL)
_COLUMNS = {
    "model": "model",
    "variant": "variant",
    "quantity": "quantity",
    "reference": "reference",
    "code_aster": "code_aster",
    "fecontact": "fecontact",
    "error": "error",
    "tolerance": "tolerance",
}


def check_page(path: Path) -> None:
    """Raise InputError unless a page has marks between which a table can be written."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"--page {path}: cannot be read: {error.strerror}") from None
    if not _MARKED.search(text):
        raise InputError(
            f"--page {path}: has no place for the table. Write a line `<!-- verify: CASE -->` and "
            "below it a line `<!-- end -->`."
        )


def write_page_table(path: Path, rows: Sequence[CheckRow]) -> None:
    """Replace the tables of a page by the rows of the cases that their marks name."""

    def table(found: re.Match[str]) -> str:
        case = found[2].strip()
        own = [row for row in rows if row.case.lower() == case.lower()]
        return f"{found[1]}{_table(own, case)}{found[3]}"

    path.write_text(_MARKED.sub(table, path.read_text(encoding="utf-8")), encoding="utf-8")


def _table(rows: Sequence[CheckRow], case: str) -> str:
    """Return rows as a Markdown table with the command, version and date that they are from."""
    cells = [check_cells(row) | {"beside": beside_aster(row), "source": row.source} for row in rows]
    names = [name for name in (*_COLUMNS, "beside", "source") if any(cell[name] for cell in cells)]
    titles = {**_COLUMNS, "beside": "error compared with code_aster"}
    heads = [titles.get(name, name) for name in names]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(names)}"]
    lines += [f"| {' | '.join(_plain(cell[name]) for name in names)} |" for cell in cells]
    date = datetime.now(UTC).strftime("%Y-%m-%d")
    command = f"`fecontact verify {case.lower()} --page …`"
    made = f"Computed by {command}, version {__version__}, commit {commit()}, {date}."
    return "\n".join(["", *lines, "", made, "", ""])


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
