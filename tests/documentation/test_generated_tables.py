"""Generated tables of the documentation agree with the studies, and list each of them once."""

from __future__ import annotations

import runpy
from collections import Counter
from pathlib import Path

import pytest

from fecontact.study.library import file_of, names
from fecontact.study.load import resolve

DOCS = Path(__file__).parents[2] / "docs"
TABLES = runpy.run_path(str(DOCS / "figures" / "verification.py"))


@pytest.mark.parametrize("page", TABLES["pages"](), ids=lambda page: page.stem)
def test_the_tables_of_a_verification_page_are_those_of_the_studies(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "<!-- generated:" in text
    assert TABLES["with_tables"](text) == text, "run docs/figures/verification.py"


def test_every_study_with_checks_is_in_one_group() -> None:
    listed = Counter(name for group in TABLES["GROUPS"] for name in TABLES["studies"](group))
    data = {name: resolve(file_of(name)) for name in names()}
    checked = {name for name, keys in data.items() if keys.get("checks") and not keys.get("sweep")}
    assert listed == Counter(checked)


@pytest.mark.parametrize("page", ["architecture.md", "choosing.md", "performance.md"])
def test_measured_tables_have_version_and_date(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    tables = text.split("<!-- generated: ")[1:]
    assert tables
    for table in tables:
        measured = table.split("<!-- end -->")[0]
        assert "*fecontact 0." in measured and ", 20" in measured, table.splitlines()[0]
