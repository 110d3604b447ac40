"""The site of the documentation: built without a network, without broken links."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from chromium import BROWSER, Browser

import fecontact

PROJECT = Path(__file__).parents[2]
PAGES = sorted(p.relative_to(PROJECT / "docs") for p in (PROJECT / "docs").rglob("*.md"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs", reason="no MkDocs: docker/run --extra browser has it")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=PROJECT,
        env=os.environ | {"PYTHONPATH": str(PROJECT), "http_proxy": "", "https_proxy": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_built_and_stands_in_the_navigation(site: Path) -> None:
    front = (site / "index.html").read_text(encoding="utf-8")
    for page in PAGES:
        assert (site / page.with_suffix(".html")).exists()
        assert f'href="{page.with_suffix(".html").as_posix()}"' in front


def test_the_reference_has_every_public_name_with_its_docstring(site: Path) -> None:
    page = (site / "api.html").read_text(encoding="utf-8")
    for name in fecontact.__all__:
        assert f"fecontact.{name}" in page
    assert "Run a study; " in page and "Result.edge_csv" in page


@pytest.mark.skipif(BROWSER is None, reason="no browser: docker/run --extra browser has one")
def test_formulas_are_set(site: Path, tmp_path: Path) -> None:
    with Browser(tmp_path) as browser:
        page = browser.open(site / "theory.html")
        page.wait_for("document.querySelectorAll('.katex').length > 100")
        assert page.evaluate("document.querySelectorAll('.katex-error').length") == 0
        left = "document.querySelector('article').innerText.includes('\\\\(')"
        assert page.evaluate(left) is False


WORDS = [
    *("torque", "seal", "gasket", "bolt preload", "interference", "automatic time stepping"),
    *("press fit", "clearance", "squeal", "fretting", "mesh size", "moment"),
]


@pytest.mark.skipif(BROWSER is None, reason="no browser: docker/run --extra browser has one")
@pytest.mark.parametrize("page", ["index.html", "guide/contact.html"])
def test_search_works_from_a_folder(page: str, site: Path, tmp_path: Path) -> None:
    """The words that people type are found on pages opened without a server."""
    marked = "[...document.querySelectorAll('.md-search-result__list mark')]"
    with Browser(tmp_path) as browser:
        opened = browser.open(site / page)
        opened.wait_for("document.querySelector('.md-search__input') !== null")
        assert opened.evaluate("location.protocol") == "file:"
        opened.evaluate("document.querySelector('.md-search__input').focus()")
        for word in WORDS:
            opened.evaluate(
                f"(b => {{ b.value = {word!r}; b.dispatchEvent(new Event('keyup'));"
                "b.dispatchEvent(new Event('input')); })"
                "(document.querySelector('.md-search__input'))"
            )
            start = f"m => m.textContent.toLowerCase().startsWith('{word[:4]}')"
            opened.wait_for(f"{marked}.some({start})", 60.0)


def test_nothing_is_loaded_from_a_network(site: Path) -> None:
    loaded = r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]*)"'
    pages = list(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        found = re.findall(loaded, page.read_text(encoding="utf-8"))
        assert not found, (page.name, found)
