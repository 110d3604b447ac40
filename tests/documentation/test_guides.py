"""Guides and reference: their studies run, their fragments are valid, their prose keeps to the
language guide, and the generated pages are those of the program."""

from __future__ import annotations

import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from pydantic import ValidationError

import fecontact
from fecontact.cli.main import cli
from fecontact.study.kinds import KINDS
from fecontact.study.library import names
from fecontact.study.lumped_scalars import is_possible
from fecontact.study.toml.quantities import in_si

from prose import ELEMENT_CODE, banned, literals, paragraphs, prose  # isort: skip
from prose import sentences, words  # isort: skip

DOCS = Path(__file__).parents[2] / "docs"
GUIDES = sorted((DOCS / "guide").glob("*.md"))
PAGES = sorted(page for page in DOCS.rglob("*.md"))
MAX_WORDS, MAX_SENTENCES = 25, 5


def blocks(page: Path, language: str) -> list[str]:
    """Return the code blocks of a page in a language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def complete(text: str) -> bool:
    """Return True if a block is a whole study."""
    return "\nkind = " in text


WHOLE = [(page.stem, text) for page in GUIDES for text in blocks(page, "toml") if complete(text)]


def test_most_guides_have_a_complete_study() -> None:
    assert len({page for page, _ in WHOLE}) > len(GUIDES) / 2


@pytest.mark.parametrize(("page", "text"), WHOLE, ids=[page for page, _ in WHOLE])
def test_a_complete_study_of_a_guide_runs_and_is_trusted(page: str, text: str) -> None:
    result = fecontact.run(fecontact.define(tomllib.loads(text)))
    assert result.passed and not result.record.failure, result
    assert not result.record.warnings


def wrong_in(data: dict[str, Any]) -> Iterator[str]:
    """Yield the errors of a partial study; missing keys are not errors."""
    own = {
        key: value for key, value in data.items() if key not in ("extends", "stages", "variants")
    }
    kind = "lumped" if {"masses", "obstacles", "anchors"} & set(own) else "finite-element"
    model = KINDS[data.get("kind", kind)]
    try:
        model.model_validate(in_si(own, model))
    except ValidationError as error:
        for one in error.errors():
            if one["type"] != "missing" and "has neither" not in one["msg"]:
                yield f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
    for table in ("stages", "variants"):
        for part in data.get(table, {}).values():
            yield from wrong_in(part)


@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.stem)
def test_the_fragments_of_a_guide_are_valid(page: Path) -> None:
    found = {text: list(wrong_in(tomllib.loads(text))) for text in blocks(page, "toml")}
    assert not any(found.values()), found


def test_a_wrong_fragment_is_found() -> None:
    assert list(wrong_in({"tools": {"t": {"type": "circle", "centre": [0.0, 0.0]}}}))
    assert list(wrong_in({"materials": {"m": {"young": "210 mm"}}}))
    assert not list(wrong_in({"contact": {"c": {"friction": 0.3}}}))


def test_the_studies_to_start_from_are_bundled() -> None:
    page = (DOCS / "guide" / "study-files.md").read_text(encoding="utf-8")
    table = page.split("## Where to start\n")[1].split("\n## ")[0]
    named = re.findall(r"`([\w-]+)`", "".join(re.findall(r"^\| .* \|(.*)\|$", table, re.M)))
    assert len(named) > 20
    assert set(named) <= set(names())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_has_no_banned_phrase(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not list(banned(text)) and not re.findall(ELEMENT_CODE, prose(text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_sentences_and_paragraphs_are_short(page: Path) -> None:
    found = [sentences(paragraph) for paragraph in paragraphs(page.read_text(encoding="utf-8"))]
    assert [paragraph for paragraph in found if len(paragraph) > MAX_SENTENCES] == []
    assert [one for paragraph in found for one in paragraph if words(one) > MAX_WORDS] == []


def test_long_sentences_and_banned_phrases_are_found() -> None:
    assert list(banned("The node is held.")) and list(banned("about some 60 steps"))
    assert not list(banned("Use `held` as the name."))
    assert words(" ".join(["word"] * 26)) == 26
    assert len(sentences("One. Two. fecontact warns. See 1.5 m. Five. Six.")) == 6


def test_the_key_reference_is_that_of_the_models() -> None:
    made = runpy.run_path(str(DOCS / "figures" / "reference.py"))["pages"]()
    made["histories.md"] = runpy.run_path(str(DOCS / "figures" / "outputs.py"))["page"]()
    for name, text in made.items():
        page = (DOCS / "reference" / name).read_text(encoding="utf-8")
        assert page == text, "run docs/figures/reference.py and docs/figures/outputs.py"
    assert {page.name for page in (DOCS / "reference").glob("*.md")} == set(made)


@pytest.mark.parametrize(
    "wrong",
    (
        {"step = 2e-3": "step = 0.0", "master =": "mastr ="},
        {'material = "steel"': 'material = "stel"'},
    ),
)
def test_the_messages_of_the_guide_are_those_of_the_program(wrong: dict, tmp_path: Path) -> None:
    guide = DOCS / "guide" / "study-files.md"
    study, *_ = blocks(guide, "toml")
    for right, changed in wrong.items():
        study = study.replace(right, changed)
    (tmp_path / "block.toml").write_text(study, encoding="utf-8")
    with pytest.raises(fecontact.StudyError) as error:
        fecontact.load(tmp_path / "block.toml")
    printed = guide.read_text(encoding="utf-8").splitlines()
    messages = str(error.value).replace(f"{tmp_path}/", "").splitlines()
    assert {f"fecontact: error: {message}" for message in messages} <= set(printed), messages


def test_the_messages_to_look_up_are_those_of_the_program() -> None:
    sources = (DOCS.parent / "fecontact").rglob("*.py")
    printed = "\n".join(text for path in sources for text in literals(path.read_text("utf-8")))
    page = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")
    missing = [
        part
        for table in re.findall(r"^\| (?:message|reason|warning) \|.*\n((?:\|.*\n)+)", page, re.M)
        for message in re.findall(r"^\| (?!-)(.*?) \|", table, re.M)
        for part in re.split(r"…|\b[NM]\b|\bNAME\b|\bA and B\b|`|\(s\)", message)
        if " " in part.strip(" .,:;()") and part.strip(" .,:;()") not in printed
    ]
    assert not missing


def listed() -> Iterator[re.Pattern[str]]:
    """Yield a pattern for every name on the page of histories and scalars."""
    page = (DOCS / "reference" / "histories.md").read_text(encoding="utf-8")
    for name in re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE):
        parts = dict.fromkeys(("PAIR", "TOOL", "WATCH", "BODY", "SUPPORT"), r"[\w-]+") | {
            "N": r"(\d+|last)"
        }
        parts["OBSTACLE"] = r"([\w-]+\.)?[\w-]+"  # after the name of a [statistics] interval
        yield re.compile(r"\.".join(parts.get(p, re.escape(p)) for p in name.split(".")))


@pytest.mark.parametrize(
    ("study", "changes"),
    (
        ("sdnv104a", {"time.end": 0.02}),
        ("rolling-tool", {"time.end": 0.02}),
        ("yielding-tube", {}),
        ("wear-flat", {}),
        ("sdnd101", {}),
        ("belt-lumped", {}),
        ("dented-stop", {}),
        ("worn-slot", {}),
    ),
)
def test_every_history_and_scalar_of_a_run_is_listed(study: str, changes: dict) -> None:
    loaded = fecontact.changed(fecontact.load(study), changes)
    record = fecontact.run(loaded).record
    patterns = list(listed())
    produced = {*record.history.columns, *record.scalars} - set(loaded.watch)
    missing = {name for name in produced if not any(p.fullmatch(name) for p in patterns)}
    assert not missing


def test_the_listed_names_of_events_are_accepted() -> None:
    examples = runpy.run_path(str(DOCS / "figures" / "outputs.py"))["EXAMPLES"]
    study = fecontact.load("sdnd101")
    obstacle = next(iter(study.obstacles))
    found = [name.replace("stop.", f"{obstacle}.", 1) for name in examples.values()]
    assert found and [name for name in found if not is_possible(study, name)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_pictures_and_pages_that_a_page_links_to_exist(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text)
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_links_to_sections_exist() -> None:
    links = {
        page: re.findall(r"\]\(([^)#:\s]*)#([^)]*)\)", page.read_text("utf-8")) for page in PAGES
    }
    assert sum(map(len, links.values())) > 20
    for page, found in links.items():
        for target, anchor in found:
            other = page if not target else page.parent / target
            headings = re.findall(r"^#+ (.*)$", other.read_text(encoding="utf-8"), re.M)
            assert anchor in {slug(heading) for heading in headings}, (page.name, target, anchor)


def slug(heading: str) -> str:
    """Return the anchor of a heading, as MkDocs makes it."""
    plain = re.sub(r"[^\w\s-]", "", heading.lower()).strip()
    return re.sub(r"[\s]+", "-", plain)


def commands() -> Iterator[tuple[str, str]]:
    """Yield page and words of every fecontact command in code blocks and in the text."""
    for page in (DOCS.parent / "README.md", *PAGES):
        text = page.read_text(encoding="utf-8")
        lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
        inline = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        lines += re.findall(r"`((?:docker/run )?fecontact [^`]+)`", inline)
        for line in lines:
            found = re.search(r"(?:^|\s)fecontact ([a-z].*)", line.split("#")[0])
            if found is not None:
                yield page.name, found[1].strip()


def test_commands_and_their_options_exist() -> None:
    found = list(commands())
    assert len(found) > 20
    context = click.Context(cli)
    for page, line in found:
        name, *rest = line.split()
        command = cli.get_command(context, name)
        assert command is not None, (page, line)
        known = {option for one in command.params for option in one.opts}
        assert {word.split("=")[0] for word in rest if word.startswith("--")} <= known, (page, line)
