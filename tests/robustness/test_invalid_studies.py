"""Every rule of study files, violated once, with the complete messages."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from corpus import HERE, VALID, Rule, rules

from fecontact.study import StudyError, load, study_from_dict

FILES = HERE / "invalid" / "files"
RULES = [rule for study in VALID for rule in rules(study)]
IN_FILES = rules("files")


@pytest.mark.parametrize("path", VALID.values(), ids=VALID)
def test_the_studies_that_the_corpus_breaks_are_valid(path: Path) -> None:
    study = load(path)
    for variant in study.variants:
        load(path, variant=variant)


def test_the_corpus_holds_at_least_150_rules_each_with_its_sentences() -> None:
    assert len(RULES) + len(IN_FILES) >= 150
    assert all(rule.sentences for rule in RULES + IN_FILES)
    assert len({(rule.study, rule.name) for rule in RULES}) == len(RULES)
    assert {rule.name for rule in IN_FILES} == {path.name for path in FILES.iterdir()}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.study}: {rule.name}")
def test_a_broken_rule_is_reported(rule: Rule) -> None:
    with pytest.raises(StudyError) as caught:
        study_from_dict(rule.data(), where="study.toml")
    assert rule.reported_by(caught.value.messages, "study.toml: "), caught.value.messages


@pytest.mark.parametrize("rule", IN_FILES, ids=lambda rule: rule.name)
def test_a_broken_file_is_reported(rule: Rule, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FILES)
    with pytest.raises(StudyError) as caught:
        load(rule.name)
    assert rule.reported_by(caught.value.messages), caught.value.messages


def sample(count: int) -> list[Rule]:
    """Rules spread over the corpus, of those that can be written as a file of their own."""
    writable = [rule for rule in RULES if not rule.dropped]
    return writable[:: len(writable) // count][:count]


@pytest.mark.parametrize(
    ("command", "rule"),
    [(("check", "run")[i % 2], rule) for i, rule in enumerate(sample(6))],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_the_command_line_reports_it_and_leaves_nothing_behind(
    command: str, rule: Rule, tmp_path: Path
) -> None:
    study, elsewhere = rule.write(tmp_path / "study.toml"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "fecontact", command, study],
        cwd=elsewhere,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(HERE.parents[1])},
    )
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == len(rule.sentences)
    for line, sentence in zip(lines, rule.sentences, strict=True):
        assert line.startswith("fecontact: error: ")
        assert f": {sentence.rstrip('…')}" in line
    assert not list(elsewhere.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "study.toml"]


def test_an_error_names_the_file_and_line_that_its_key_comes_from(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text(VALID["block"].read_text() + "\n[output.x]\n")
    study = tmp_path / "study.toml"
    study.write_text(
        '# over the base\nextends = "base.toml"\n\n'
        'description = """\ntime.step = 3\n"""\n'
        "[time]\nstep = 0\n[variants.odd]\ntime.cutback_factor = 0\n"
    )
    with pytest.raises(StudyError) as caught:
        load(study, ["time.end=-1"], variant="odd")
    places = {m.partition(": key `")[2].partition("`")[0]: m for m in caught.value.messages}
    base_lines = (tmp_path / "base.toml").read_text().splitlines()
    header = base_lines.index("[output.x]") + 1
    assert places["output.x"].startswith(f"{tmp_path}/base.toml:{header}: ")
    assert places["time.step"].startswith(f"{study}:8: ")
    assert places["time.cutback_factor"].startswith(f"{study}:10: ")
    assert places["time.end"].startswith("--set time.end=-1: ")


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        (
            "solver",
            '--set "solver": invalid. Use KEY=VALUE, for example contact.sole.friction=0.2.',
        ),
        ("=lu", '--set "=lu": invalid. Use KEY=VALUE, for example contact.sole.friction=0.2.'),
        (
            "solver=",
            '--set "solver=": invalid. Use KEY=VALUE, for example contact.sole.friction=0.2.',
        ),
        (
            "a..b=1",
            '--set "a..b=1": invalid. Use KEY=VALUE, for example contact.sole.friction=0.2.',
        ),
        (
            "contact.sole=0.2",
            "--set contact.sole=0.2: key `contact.sole` is 0.2; it must be a table",
        ),
        ("solvr=lu", "--set solvr=lu: key `solvr` is unknown: did you mean `solver`?"),
        (
            "time.step=1e-3x",
            '--set time.step=1e-3x: key `time.step` is "1e-3x"; it must be a number > 0 or '
            '"auto", in s: unknown unit "x"',
        ),
        (
            "title=a\ntime=3",
            '--set "title=a\\u000Atime=3": invalid. Use KEY=VALUE, for example '
            "contact.sole.friction=0.2.",
        ),
    ],
)
def test_a_wrong_override_is_reported(override: str, expected: str) -> None:
    with pytest.raises(StudyError) as caught:
        load(VALID["block"], [override])
    assert caught.value.messages == [expected]


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("sliprey", 'is "sliprey"; variant not found: did you mean "slippery"?'),
        ("wet", 'is "wet"; variant not found. Available: "slippery"'),
    ],
)
def test_a_variant_that_does_not_exist_is_reported(variant: str, expected: str) -> None:
    with pytest.raises(StudyError) as caught:
        load(VALID["block"], variant=variant)
    assert caught.value.messages == [f"{VALID['block']}: --variant {expected}"]


@pytest.mark.parametrize(
    ("axis", "says"),
    [
        (
            '"contact.sole.frction" = {values = [0.1]}',
            "cannot be 0.1: key `contact.sole.frction` is unknown: did you mean `friction`?",
        ),
        (
            '"contact.sole.friction" = {start = 0.0, stop = 20.0, count = 3}',
            "cannot be 20.0: key `contact.sole.friction` is 20.0; it must be a number ≥ 0 and ≤ 10",
        ),
        (
            '"time.scheme" = {values = ["hht", "euler"]}',
            'cannot be "euler": key `time.scheme` is "euler"; it must be "hht" or "newmark" or '
            '"generalized-alpha" or "wbz-alpha" or "average-acceleration" or '
            '"energy-momentum" or "implicit-euler" or '
            '"central-difference" or "static"',
        ),
        (
            '"a b" = {values = [1]}',
            'cannot be 1: --set "a b=1": invalid. Use KEY=VALUE, for example '
            "contact.sole.friction=0.2.",
        ),
    ],
)
def test_a_sweep_over_invalid_values_is_reported(axis: str, says: str, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(
        f"extends = '{VALID['block']}'\n[sweep]\nresults.x = {{quantity = 'x', measure = 'final'}}"
        f"\n[sweep.axes]\n{axis}\n"
    )
    with pytest.raises(StudyError) as caught:
        load(study)
    key = axis.partition(" = ")[0]
    assert caught.value.messages == [f"{study}:5: key `sweep.axes.{key}` {says}"]


def test_a_mesh_file_that_does_not_exist_is_reported_before_anything_is_computed(
    tmp_path: Path,
) -> None:
    study = tmp_path / "study.toml"
    text = VALID["block"].read_text()
    start, end = text.index("[mesh.shapes.block]"), text.index("[mesh.points]")
    study.write_text(f'{text[:start]}[mesh]\nfile = "none.msh"\n{text[end:]}')
    with pytest.raises(StudyError) as caught:
        load(study)
    (lines,) = caught.value.messages
    assert lines.endswith(f'key `mesh.file` is "{tmp_path / "none.msh"}"; file not found'[-60:])


@pytest.mark.parametrize(
    ("name", "says"),
    [("none.toml", "file not found"), (".", "is a folder. Give a study file (.toml).")],
)
def test_a_study_that_is_no_file_is_reported(name: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(StudyError) as caught:
        load(tmp_path / name)
    assert caught.value.messages == [f"{tmp_path / name}: {says}"]


def test_a_byte_order_mark_is_not_an_error(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_bytes(b"\xef\xbb\xbf" + VALID["block"].read_bytes())
    assert load(study).title == "block on a table"


BLOCK = VALID["block"].read_text(encoding="utf-8")
LONG_NAME = f"[watch.{'x' * 1_000_000}]\ntype = 'velocity'\nat = 'heel'\n"
WATCH = "[watch.w{}]\ntype = 'displacement'\nat = 'nowhere'\n"


@pytest.mark.parametrize(
    ("text", "lines", "last"),
    [
        ("".join(f"k{i} = 1\n" for i in range(200_000)) + BLOCK, 1, "has 200096 keys"),
        ("".join(f"k{i} = 1\n" for i in range(3_000)) + BLOCK, 31, "2970 more errors not shown"),
        (BLOCK + "".join(map(WATCH.format, range(2_000))), 31, "more errors not shown"),
        (".".join(["a"] * 50_000) + " = 1\n" + BLOCK, 1, "is nested too deeply"),
        (BLOCK + "[" + ".".join(['"a"'] * 50_000) + "]\n", 1, "is nested too deeply"),
        ("x = " + "{a = " * 50_000 + "1" + "}" * 50_000, 1, "is nested too deeply"),
        (BLOCK + LONG_NAME, 1, "has an invalid name"),
        (BLOCK.replace("block on a table", "x" * 5_000_000), 1, "must be text of 1 to 200"),
    ],
    ids=["keys", "errors", "problems", "dotted key", "header", "inline", "name", "text"],
)
def test_a_huge_file_is_rejected_immediately(
    text: str, lines: int, last: str, tmp_path: Path
) -> None:
    study = tmp_path / "study.toml"
    study.write_text(text, encoding="utf-8")
    started = time.process_time()
    with pytest.raises(StudyError) as caught:
        load(study)
    assert time.process_time() - started < 20.0
    assert len(caught.value.messages) == lines
    assert last in caught.value.messages[-1]
    assert all(len(message) < 1000 for message in caught.value.messages)
