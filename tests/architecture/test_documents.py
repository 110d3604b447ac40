"""Files and options that the documents name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sources import PACKAGE, PROJECT

DOCUMENTS = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
SOURCE = r"`([\w./-]+/[\w.-]+\.(?:py|sh|txt|md|toml))`"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_files_that_a_document_names_exist(document: Path) -> None:
    """Paths are given from the top of the clone, or from the package."""
    named = re.findall(SOURCE, document.read_text(encoding="utf-8"))
    absent = [
        name
        for name in named
        if not (PROJECT / name).exists() and not (PROJECT / PACKAGE / name).exists()
    ]
    assert absent == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_links_of_a_document_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8"))
    absent = [link for link in links if "://" not in link and not (document.parent / link).exists()]
    assert absent == []
