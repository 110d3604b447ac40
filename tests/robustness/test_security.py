"""Study files and result folders from strangers are data."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from corpus import HERE, VALID

from fecontact.study import load

SOURCES = sorted((HERE.parents[1] / "fecontact").rglob("*.py"))
EVALUATORS = {"eval", "exec", "compile", "__import__"}
UNSAFE = {"pickle", "shelve", "marshal", "dill"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_nothing_is_evaluated_and_nothing_is_unpickled(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in EVALUATORS
        if isinstance(node, ast.Import):
            assert not UNSAFE & {name.name.partition(".")[0] for name in node.names}
        if isinstance(node, ast.ImportFrom):
            assert (node.module or "").partition(".")[0] not in UNSAFE
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            assert isinstance(node.value, ast.Constant) and node.value.value is False


def test_text_of_a_study_that_looks_like_code_stays_text(tmp_path: Path) -> None:
    code = "__import__('os').mkdir('made')"
    study = load(VALID["block"], [f"title={code}", f"description={code}"])
    assert (study.title, study.description) == (code, code)
    assert not Path("made").exists()


def test_names_that_lead_elsewhere_stay_names_and_write_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    load(VALID["block"], ["watch.'../../outside'={type='displacement',at='heel'}"])
    assert not list(tmp_path.iterdir())
