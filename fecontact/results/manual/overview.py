"""Validation manual written by `fecontact verify --out`: an overview and a page for each case.

    index.html           cases ranked by error; requirements with their verification
    cases/CASE.html      problem, pictures, references, checks, convergence, cost

All pages are generated from the studies and their runs, are self-contained and have no scripts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote, unquote

from fecontact.results.checks.convergence import Convergence
from fecontact.results.checks.evaluation import all_passed, nearer_than_aster, tally
from fecontact.results.folder.files import slug, write_text
from fecontact.results.folder.ownership import PAGES, PRINTED, SUMMARY, begin, check_ownership
from fecontact.results.manual.case_page import as_sentence, case_page
from fecontact.results.manual.entry import Entry
from fecontact.results.manual.matrix import ranking, requirements
from fecontact.results.report import html
from fecontact.results.report.pdf import write_pdf
from fecontact.versions import commit, used_versions, versions


def check_manual_ownership(folder: Path) -> None:
    """Raise InputError if the overview would replace a user's page in the folder."""
    check_ownership(folder / SUMMARY, folder)


def make_manual(folder: Path, entries: Sequence[Entry], series: Sequence[Convergence] = ()) -> Path:
    """Write the manual of these runs and refinement series."""
    cases: dict[str, list[Entry]] = {}
    for entry in entries:
        cases.setdefault(entry.study.case or "other", []).append(entry)
    files = _files(cases)
    links = {name: f"{PAGES}/{quote(file)}" for name, file in files.items()}
    rows = [row for entry in entries for row in entry.rows] + [one.row for one in series]
    used = used_versions() | {k: v for k, v in versions().items() if k in ("PETSc", "MUMPS")}
    stated = ", ".join(f"{name} {version}" for name, version in used.items())
    date = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    begin(folder)
    for name, group in cases.items():
        mine = [one for one in series if (one.study.case or "other") == name]
        page = case_page(name, group, mine)
        write_text(folder / PAGES / files[name], page)
    overview = html.page(
        "manual.html",
        style=html.asset("style.css"),
        kind="passed" if all_passed(rows) else "failed",
        verdict=tally(rows),
        code_aster=html.text(as_sentence(nearer_than_aster(rows))),
        ranking=ranking(cases, links),
        requirements=requirements(cases, links),
        date=html.text(date),
        commit=html.text(commit()),
        versions=html.text(stated),
    )
    write_text(folder / SUMMARY, overview)
    return folder / SUMMARY


def print_manual(folder: Path) -> Path:
    """Print the manual of a folder, overview and all cases, to one PDF with page numbers."""
    with TemporaryDirectory() as scratch:
        page = Path(scratch) / "manual.html"
        page.write_text(_one_page(folder), encoding="utf-8")
        return write_pdf(page, folder / PRINTED)


def _one_page(folder: Path) -> str:
    """Return the overview followed by all its cases; links refer to the cases within the page."""
    overview = (folder / SUMMARY).read_text(encoding="utf-8")
    files = dict.fromkeys(re.findall(rf'href="{PAGES}/([^"#]+)"', overview))
    chapters = []
    for number, file in enumerate(files):
        text = (folder / PAGES / unquote(file)).read_text(encoding="utf-8")
        title, main = _inner(text, "h1"), _inner(text, "main")
        chapters.append(
            f'<section class="case" id="case-{number}"><h1>{title}</h1>{main}</section>'
        )
        overview = overview.replace(f'href="{PAGES}/{file}"', f'href="#case-{number}"')
    return overview.replace("</main>", "".join(chapters) + "</main>", 1)


def _inner(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].rpartition(f"</{tag}>")[0]


def _files(cases: Mapping[str, object]) -> dict[str, str]:
    """Return a file for each case; names with the same file name get a number."""
    files: dict[str, str] = {}
    for name in cases:
        stem, number = slug(name), 2
        while f"{stem}.html".lower() in (file.lower() for file in files.values()):
            stem, number = f"{slug(name)}-{number}", number + 1
        files[name] = f"{stem}.html"
    return files
