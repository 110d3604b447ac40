"""The repository contains only files of the product."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from sources import PROJECT

ALLOWED = """.ci .github .gitignore .pre-commit-config.yaml CHANGELOG.md CITATION.cff
CONTRIBUTING.md LICENSE LICENSE.GPL MANIFEST.in README.md benchmarks conda.recipe docker docs
examples fecontact mkdocs.yml pyproject.toml setup.py studies tests"""
MAX_BINARY = 300_000  # bytes
MAX_PICTURES = 2_500_000  # bytes in docs/pictures; docs/figures/pictures.py reduces new ones
# Folders that exist on one machine only; environments and tests use some of them inside a sandbox.
MACHINE = re.compile(r"(?<![\w.])/(?:root|Users|work|home/(?!user\b)\w+|tmp/\w+/\w+)/")


def index_of(clone: Path) -> Path:
    """Return the path of a clone's git index; a worktree's .git is a file that names its folder."""
    git = clone / ".git"
    if git.is_file():
        git = Path(git.read_text(encoding="utf-8").partition("gitdir:")[2].strip())
    return git / "index"


@pytest.fixture(scope="module")
def tracked() -> list[str]:
    """Read the tracked files from the index (version 2): the environment has no git."""
    index = index_of(PROJECT)
    if not index.is_file():
        pytest.skip("not a git clone")
    data = index.read_bytes()
    signature, version, count = struct.unpack(">4sLL", data[:12])
    if signature != b"DIRC" or version != 2:
        pytest.skip(f"git index of version {version}")
    names, at = [], 12
    for _ in range(count):
        end = data.index(b"\0", at + 62)
        names.append(data[at + 62 : end].decode())
        at += (end - at) // 8 * 8 + 8
    assert len(names) > 500
    return [name for name in names if (PROJECT / name).is_file()]


def test_the_root_has_no_other_files(tracked: list[str]) -> None:
    assert {name.partition("/")[0] for name in tracked} <= set(ALLOWED.split())


def test_no_text_names_a_folder_of_one_machine(tracked: list[str]) -> None:
    found, texts = [], 0
    for name in tracked:
        content = (PROJECT / name).read_bytes()
        if b"\0" not in content[:8000]:  # git's rule for a text
            text, texts = content.decode(errors="ignore"), texts + 1
            found += [f"{name}: {match.group()}" for match in MACHINE.finditer(text)]
    assert found == [] and texts > 0.9 * len(tracked)


def test_no_file_is_large(tracked: list[str]) -> None:
    assert [name for name in tracked if (PROJECT / name).stat().st_size > MAX_BINARY] == []


def test_the_pictures_of_the_pages_are_small(tracked: list[str]) -> None:
    pictures = [PROJECT / name for name in tracked if name.startswith("docs/pictures/")]
    assert pictures
    assert sum(path.stat().st_size for path in pictures) < MAX_PICTURES
