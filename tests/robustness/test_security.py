"""Untrusted study files and result folders are treated as data."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from commandline import changed, fecontact
from corpus import HERE, VALID

from fecontact.record import History, SweepRecord
from fecontact.results.folder import tabular
from fecontact.study import StudyError, load
from fecontact.study.errors import printable

SOURCES = sorted((HERE.parents[1] / "fecontact").rglob("*.py"))
EVALUATORS = {"eval", "exec", "compile", "__import__"}
UNSAFE = {"pickle", "shelve", "marshal", "dill"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_nothing_is_evaluated_and_nothing_is_unpickled(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    assert isinstance(nodes[0], ast.Module)
    for node in nodes:
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


SECRET = "the secret of another user"
STEERING = "\x1b[31mred\x07\x9b2J\u202e\u2028"


@pytest.mark.parametrize("name", ["secret", "secret.toml"])
def test_a_file_that_is_extended_is_not_shown(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(f"{SECRET}\n")
    study = tmp_path / "study.toml"
    study.write_text(f"extends = '{name}'\n")
    with pytest.raises(StudyError) as caught:
        load(study)
    assert len(caught.value.messages) == 1
    assert "the secret" not in str(caught.value)


@pytest.mark.parametrize("link", ["plots/model.svg", "history.csv", "result.json", "fields/x"])
@pytest.mark.parametrize("command", ["report", "plot"])
def test_a_link_out_of_a_result_folder_is_rejected(command: str, link: str, tmp_path: Path) -> None:
    secret, folder = tmp_path / "secret", tmp_path / "result"
    secret.write_text(SECRET)
    done = fecontact("run", VALID["oscillator"], "--out", folder, "--no-report")
    (folder / link).parent.mkdir(exist_ok=True)
    (folder / link).unlink(missing_ok=True)
    (folder / link).symlink_to(secret)
    done = fecontact(command, folder)
    assert done.code == 2
    assert "the result folder" in done.message
    assert not (folder / "report.html").exists()


def test_a_history_that_is_none_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "history.csv").write_text(f"time [s]\n{SECRET}\n")
    with pytest.raises(Exception, match="table of numbers") as caught:
        tabular.read_history(tmp_path / "history.csv")
    assert SECRET not in str(caught.value)


def test_what_steers_a_terminal_is_made_visible() -> None:
    assert printable(STEERING) == r"\u001B[31mred\u0007\u009B2J\u202E\u2028"
    assert printable("µ = 0,3 → ∞ \N{SNOWMAN}") == "µ = 0,3 → ∞ ☃"


@pytest.mark.parametrize("key", ["title", "case", "watch.{}.at", "materials.{}.young", "kind"])
def test_text_of_a_study_does_not_reach_the_terminal_as_it_is(key: str, tmp_path: Path) -> None:
    escaped = "".join(f"\\u{ord(c):04x}" for c in STEERING)
    key = key.format(f'"{escaped}"')
    study = tmp_path / "study.toml"
    study.write_text(f"""extends = '{VALID["block"]}'\n{key} = "{escaped}"\n""")
    done = fecontact("check", study)
    assert done.code == 2
    assert printable(done.err.replace("\n", "")) == done.err.replace("\n", "")


def test_names_of_files_and_arguments_do_not_reach_it_either(tmp_path: Path) -> None:
    study = tmp_path / f"{STEERING}.toml"
    study.write_text(f"extends = '{VALID['block']}'\n")
    reported = [
        fecontact("check", study),
        fecontact("check", tmp_path / f"no-{STEERING}"),
        fecontact("check", study, *changed(f"{STEERING}=1")),
        fecontact("check", study, "--variant", STEERING),
        fecontact(STEERING),
        fecontact("run", "--no-such-option" + STEERING),
    ]
    assert [ended.code for ended in reported] == [0, 2, 2, 2, 2, 2]
    for ended in reported:
        for line in (ended.out + ended.err).rstrip("\n").split("\n"):
            assert printable(line) == line


def test_a_name_is_no_formula_of_a_spreadsheet(tmp_path: Path) -> None:
    names = ["=1+1", "+x", "-x", "@x", "'x", "'=x", "x"]
    history = History(np.arange(2.0), {n: -np.ones(2) for n in names}, dict.fromkeys(names, "m"))
    tabular.write_history(tmp_path / "history.csv", history)
    header = (tmp_path / "history.csv").read_text().splitlines()[0].split(",")
    assert [cell for cell in header if cell.startswith(("=", "+", "-", "@"))] == []
    assert list(tabular.read_history(tmp_path / "history.csv").columns) == names


def test_a_swept_word_is_no_formula_of_a_spreadsheet(tmp_path: Path) -> None:
    axes: dict[str, list[float | str]] = {"a": ["=1+1", "x"], "b": [-1.0]}
    record = SweepRecord(axes, {"@r": np.array([[-1.0], [2.0]])}, {"@r": "m"})
    tabular.write_sweep(tmp_path / "sweep.csv", record)
    lines = (tmp_path / "sweep.csv").read_text().splitlines()
    assert lines == ["a,b,'@r [m]", "'=1+1,-1.0,-1.0", "x,-1.0,2.0"]
    read = tabular.read_sweep(tmp_path / "sweep.csv", axes, ["@r"])
    assert read.results["@r"].tolist() == [[-1.0], [2.0]]
