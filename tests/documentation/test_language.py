"""Docstrings, comments, messages and study files keep to the language guide."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prose import ELEMENT_CODE, banned, banned_names, not_imperative  # isort: skip
from prose import texts_of_script, texts_of_source, texts_of_study  # isort: skip

PROJECT = Path(__file__).parents[2]
FOLDERS = sorted(
    folder
    for root in ("fecontact", "examples", "benchmarks", "docs/figures", "studies")
    for folder in (PROJECT / root, *(PROJECT / root).rglob("*"))
    if folder.is_dir() and any(folder.glob("*.py"))
)
TESTS = sorted(
    folder
    for folder in (PROJECT / "tests").rglob("*")
    if folder.is_dir() and any(folder.glob("*.py")) and folder.name != "documentation"
)
PAGES = (
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(PROJECT / name for name in ("docker/README.md", "benchmarks/README.md")),
)
# A changed comment in these would rebuild every environment (docker/run).
RECIPE = {"finish", "standins", "build", "apt.sh", "unpack"}
SCRIPTS = sorted(
    path
    for folder in ("docker", "fecontact/results/page")
    for path in (PROJECT / folder).rglob("*")
    if path.suffix in (".js", ".html", ".sh", "") and path.is_file() and path.name not in RECIPE
)
STUDIES = sorted(
    folder
    for folder in (
        *(PROJECT / "studies").iterdir(),
        PROJECT / "docs" / "gallery",
        PROJECT / "fecontact" / "cli",
    )
    if folder.is_dir() and any(folder.glob("*.toml"))
)


def name(folder: Path) -> str:
    """Return the folder relative to the project."""
    return str(folder.relative_to(PROJECT))


@pytest.mark.parametrize("folder", FOLDERS + TESTS, ids=name)
def test_sources_have_no_banned_phrase(folder: Path) -> None:
    found = [
        f"{path.name}:{line} {phrase}"
        for path in folder.glob("*.py")
        for line, text in texts_of_source(path.read_text(encoding="utf-8"))
        for phrase in banned(text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS, ids=name)
def test_docstrings_of_functions_start_with_a_verb(folder: Path) -> None:
    found = [
        f"{path.name}:{function}"
        for path in folder.glob("*.py")
        for function in not_imperative(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("folder", FOLDERS + TESTS, ids=name)
def test_names_have_no_banned_word(folder: Path) -> None:
    found = [
        f"{path.name}: {identifier}"
        for path in folder.glob("*.py")
        for identifier in banned_names(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pages_beside_the_site_have_no_banned_phrase(page: Path) -> None:
    assert not list(banned(page.read_text(encoding="utf-8")))


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_scripts_and_pages_of_results_have_no_banned_phrase(script: Path) -> None:
    texts = texts_of_script(script.read_text(encoding="utf-8"), script.suffix)
    assert not [phrase for text in texts for phrase in banned(text)]


@pytest.mark.parametrize("folder", STUDIES, ids=name)
def test_studies_have_no_banned_phrase(folder: Path) -> None:
    found = [
        f"{path.name}: {phrase}"
        for path in folder.glob("*.toml")
        for text in texts_of_study(path.read_text(encoding="utf-8"))
        for phrase in (*banned(text), *re.findall(ELEMENT_CODE, text))
    ]
    assert not found, "\n".join(found)


def test_wrong_texts_are_found() -> None:
    source = 'x = 1  # at once\n\n\ndef f():\n    """The node."""\n    raise E("it is told")\n'
    assert sorted(line for line, text in texts_of_source(source) if list(banned(text))) == [1, 6]
    assert list(not_imperative(source))
    assert list(banned_names("def refuse_it(held_dofs):\n    told = 1\n")) == [
        "held_dofs",
        "refuse_it",
        "told",
    ]
    for noun in ("Whether it moves.", "Nodes of an edge.", "x = 1.", "(n, 2) points."):
        assert list(not_imperative(f'def f():\n    """{noun}"""\n'))
    for verb in ("Return the nodes.", "Press it.", "Raise InputError."):
        assert not list(not_imperative(f'def f():\n    """{verb}"""\n'))
    page = "<p>One result proves it.</p>"
    assert [list(banned(text)) for text in texts_of_script(page, ".html")] != [[]]
    script = 'show("stress, whatever it is");  // a step\n'
    assert any(list(banned(text)) for text in texts_of_script(script, ".js"))
    study = 'title = "A bond is torn off"  # at once\nheld = 1.0\n'
    assert len([text for text in texts_of_study(study) if list(banned(text))]) == 2
