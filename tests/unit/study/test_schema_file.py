"""The JSON Schema for editors: shipped with the studies, and named in their first lines."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from fecontact.study.library import directory, files, gallery
from fecontact.study.schema import FILE, LINE, json_schema, with_schema_line

BUNDLED = [*files(), *sorted(gallery().glob("*.toml"))]


def test_the_shipped_schema_is_that_of_the_models() -> None:
    shipped = json.loads((directory() / FILE).read_text(encoding="utf-8"))
    assert shipped == json_schema(), f"run `fecontact schema --json > studies/{FILE}`"


@pytest.mark.parametrize("study", BUNDLED, ids=lambda path: path.stem)
def test_the_first_line_of_a_study_names_the_schema(study: Path) -> None:
    with study.open(encoding="utf-8") as file:
        word, name = file.readline().split()
    assert word == LINE
    # Inside the folders that are packed into the wheel: the path is the same when installed.
    named = study.parent / name
    assert named.parent.resolve() in (directory().resolve(), gallery().resolve())
    assert json.loads(named.read_text(encoding="utf-8"))["title"] == "fecontact study"


def test_a_copy_names_the_schema_in_its_own_folder() -> None:
    own = f"{LINE} ./{FILE}\ntitle = 1\n"
    for text in ("title = 1\n", f"{LINE} ../{FILE}\ntitle = 1\n", own):
        assert with_schema_line(text) == own


@pytest.mark.skipif(shutil.which("taplo") is None, reason="taplo is not installed")
@pytest.mark.parametrize(("old", "new", "code"), [("", "", 0), ("[time]", "[time]\nstepp = 1", 1)])
def test_a_language_server_marks_a_wrong_key(old: str, new: str, code: int, tmp_path: Path) -> None:
    text = with_schema_line((directory() / "sdnv104" / "sdnv104a.toml").read_text("utf-8"))
    (tmp_path / "mine.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    shutil.copy(directory() / FILE, tmp_path)
    done = subprocess.run(
        ["taplo", "lint", "mine.toml"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert ("'stepp' was unexpected" in done.stderr) == bool(code)
