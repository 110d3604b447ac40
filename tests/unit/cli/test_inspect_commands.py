"""Commands that compute nothing: check, list, new, schema; errors of the others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fecontact.cli.main import COMMANDS, SUMMARIES
from fecontact.study import load
from fecontact.study.library import (
    TOPICS,
    alike,
    directory,
    file_of,
    find,
    gallery_names,
    names,
    names_by_topic,
)
from fecontact.study.schema import FILE, json_schema

PROJECT = Path(__file__).parents[3]


def fecontact(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fecontact", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
    )


def test_check_reports_that_a_study_and_its_variants_are_valid(tmp_path: Path) -> None:
    done = fecontact("check", "sdnv104a", cwd=tmp_path)
    assert done.returncode == 0
    assert "valid, also in " in done.stdout
    assert "SDNV104 A" in done.stdout
    assert done.stderr == ""


def test_check_reports_the_errors_of_all_variants_together(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        f"extends = '{file_of('sdnv104a')}'\n"
        "[variants.a]\ntime.step = 0\n[variants.b]\nsolvr = 'lu'\n"
    )
    done = fecontact("check", "study.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "fecontact: error: study.toml:3: key `time.step` is 0; it must be a number > 0 or "
        '"auto", in s',
        "fecontact: error: study.toml:5: key `solvr` is unknown: did you mean `solver`?",
    ]


def test_list_has_one_line_for_each_study(tmp_path: Path) -> None:
    done = fecontact("list", cwd=tmp_path)
    lines = done.stdout.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(listed) == sorted([*names(), *gallery_names()])
    assert listed[0] == "sdnv104a"
    headings = [line.removesuffix(":") for line in lines if not line.startswith("  ")]
    assert headings == [*TOPICS.values(), "gallery, machine parts"]


def test_every_study_has_a_topic_and_a_name_of_its_own() -> None:
    found = {path.name for path in directory().iterdir() if path.name != "__pycache__"}
    assert found == {*TOPICS, FILE}
    assert len(set(names())) == len(names()) == sum(map(len, names_by_topic().values()))


def test_a_new_study_is_valid_and_is_not_overwritten(tmp_path: Path) -> None:
    assert fecontact("new", "mine", cwd=tmp_path).returncode == 0
    study = load(tmp_path / "mine.toml")
    assert study.title == "mine"
    again = fecontact("new", "mine", cwd=tmp_path)
    assert again.returncode == 2
    assert again.stderr == "fecontact: error: mine.toml: exists already. Choose another name.\n"
    assert load(tmp_path / "mine.toml") == study


def test_a_new_study_brings_the_schema_that_its_first_line_names(tmp_path: Path) -> None:
    assert fecontact("new", "mine", cwd=tmp_path).returncode == 0
    first = (tmp_path / "mine.toml").read_text(encoding="utf-8").splitlines()[0]
    assert first == "#:schema ./fecontact-schema.json"
    schema = json.loads((tmp_path / "fecontact-schema.json").read_text(encoding="utf-8"))
    assert schema == json_schema()
    (tmp_path / "fecontact-schema.json").write_text("mine", encoding="utf-8")
    fecontact("new", "other", cwd=tmp_path)
    assert (tmp_path / "fecontact-schema.json").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("word", "study"),
    [
        ("o-ring", "o-ring"),
        ("drum", "drum-brake"),
        ("bolt", "bolted-flange"),
        ("seal", "lip-seal"),
        ("torque", "drum-brake"),
    ],
)
def test_a_copy_is_found_by_words_and_brings_the_schema(
    word: str, study: str, tmp_path: Path
) -> None:
    done = fecontact("new", "mine", "--template", word, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "mine.toml").read_text(encoding="utf-8")
    assert text.startswith("#:schema ./fecontact-schema.json\n")
    assert text.partition("\n")[2] == file_of(study).read_text("utf-8").partition("\n")[2]
    assert (tmp_path / "fecontact-schema.json").is_file()


@pytest.mark.parametrize(
    ("words", "study"),
    [
        ("torque", "drum-brake"),
        ("seal", "o-ring"),
        ("bolt preload", "bolted-flange"),
        ("interference", "press-fit"),
        ("automatic time stepping", "bar-impact"),
        ("leak", "flange-leak"),
    ],
)
def test_words_that_people_type_find_a_study(words: str, study: str) -> None:
    assert study in alike(words)


def test_the_gallery_is_listed_and_each_of_it_is_found() -> None:
    assert len(gallery_names()) == 32
    assert all(file_of(name).is_file() for name in gallery_names())
    assert find("gallery/press-fit") != find("press-fit")


def test_the_reference_of_one_key_can_be_printed(tmp_path: Path) -> None:
    messages = fecontact("schema", "contact", "--kind", "finite-element", cwd=tmp_path).stdout
    keys = [line for line in messages.splitlines() if line and not line.startswith((" ", "#"))]
    assert len(keys) > 5 and all(key.startswith("contact") for key in keys)
    assert "time.step [s]" in fecontact("schema", "time.step", cwd=tmp_path).stdout
    wrong = fecontact("schema", "contcat", cwd=tmp_path)
    assert wrong.returncode == 2
    assert 'key "contcat" not found' in wrong.stderr


def test_a_new_study_in_a_folder_that_does_not_exist_is_rejected(tmp_path: Path) -> None:
    done = fecontact("new", "none/mine", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        'fecontact: error: "none/mine.toml": cannot be written: No such file or directory\n'
    )


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["rnu"], "unknown command 'rnu'; did you mean 'run'?"),
        (["solve"], f"unknown command 'solve'; one of: {', '.join(COMMANDS)}"),
        (["check"], "Missing argument 'STUDY'. See `fecontact check --help`"),
        (["check", "a", "b"], "Got unexpected extra argument (b)"),
        (["run", "--overwrit"], "No such option: --overwrit"),
        (["run", "--set"], "Option '--set' requires an argument"),
        (["--verbose"], "No such option: --verbose"),
        (["schema", "--kind", "solid"], "'solid' is not one of 'finite-element', 'lumped'"),
        (
            ["check", "sdnv104z"],
            "sdnv104e",
        ),
        (["new", ""], 'invalid study name ""'),
        (["schema", "adhesion"], 'key "adhesion" not found. Available: "contact.NAME.adhesion"'),
        (["check", "none.toml"], "none.toml: file not found"),
        (["run", "sdnv104a", "--variant", "full-ht"], 'did you mean "full-hht"?'),
        (
            ["mesh", "block.stl"],
            "block.stl: ",
        ),
    ],
)
def test_a_wrong_command_line_is_reported_in_one_line(
    arguments: list[str], expected: str, tmp_path: Path
) -> None:
    done = fecontact(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("fecontact: error: ")
    assert expected in line
    assert not list(tmp_path.iterdir())


def test_help_names_every_command_and_what_it_does(tmp_path: Path) -> None:
    done = fecontact("--help", cwd=tmp_path)
    assert done.returncode == 0
    for name, summary in SUMMARIES.items():
        assert name in done.stdout
        assert summary in " ".join(done.stdout.split())
    assert list(SUMMARIES) == list(COMMANDS)


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["--help"], []),
        (["list"], []),
        (["check", "sdnv104a"], ["numpy"]),  # its exact solution is asked for its quantities
        (["check", "wavy-runner"], []),
        (["schema"], []),
    ],
)
def test_quick_commands_import_nothing_heavy(
    arguments: list[str], needed: list[str], tmp_path: Path
) -> None:
    script = (
        "import sys, atexit\n"
        "heavy = {'dolfinx', 'petsc4py', 'mpi4py', 'gmsh', 'numba', 'numpy', 'scipy',"
        " 'matplotlib', 'h5py', 'meshio'}\n"
        "from fecontact.cli import main\n"
        f"sys.argv = ['fecontact', *{arguments!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
    )
    assert done.stderr == f"{needed}\n"


@pytest.mark.parametrize("study", ["hertz-sphere", "flat-punch", "hertz-block", "mixed-cells"])
def test_a_new_study_may_start_from_one_that_comes_along(study: str, tmp_path: Path) -> None:
    done = fecontact("new", "mine", "--template", study, cwd=tmp_path)
    assert done.returncode == 0
    assert fecontact("check", "mine.toml", cwd=tmp_path).returncode == 0
    needed = {
        "flat-punch": ["flat-punch.msh"],
        "hertz-block": ["hertz-rigid.toml"],
        "mixed-cells": ["mixed-cells.msh", "mixed-cells-quadratic.msh"],
    }.get(study, [])
    assert {p.name for p in tmp_path.iterdir()} == {"mine.toml", "fecontact-schema.json", *needed}


def test_version_lists_the_libraries_used(tmp_path: Path) -> None:
    pytest.importorskip("dolfinx")
    done = fecontact("--version", cwd=tmp_path)
    messages = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    for name in ("fecontact", "dolfinx", "PETSc", "MUMPS", "gmsh"):
        assert messages[name][0].isdigit()


def test_the_schema_as_markdown_is_a_table_for_each_kind(tmp_path: Path) -> None:
    printed = fecontact("schema", "time.end", "--markdown", cwd=tmp_path).stdout
    assert printed.count("| key | type | unit | default | meaning |") == 2
    assert printed.count("| `time.end` | number > 0 | s | required |") == 2


def test_the_json_schema_refers_only_to_what_it_defines() -> None:
    schema = json_schema()
    text = json.dumps(schema)
    referred = {part.split('"')[0] for part in text.split("#/$defs/")[1:]}
    assert referred <= set(schema["$defs"])


def test_the_json_schema_marks_the_wrong_key_and_not_the_table_around_it() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft7Validator(json_schema())
    data = tomllib.loads(file_of("sdnv104a").read_text(encoding="utf-8"))
    data["contact"]["sole"]["frictoin"] = data["contact"]["sole"].pop("friction")
    data["time"]["scheme"] = "newmrak"
    found = {".".join(error.absolute_path): error.message for error in validator.iter_errors(data)}
    assert set(found) == {"contact.sole", "time.scheme"}
    assert "'frictoin' was unexpected" in found["contact.sole"]
    lumped = {"extends": "sdnd121.toml", "obstacles": {"stop": {"stifness": 1.0}}}
    (error,) = validator.iter_errors(lumped)
    assert "'stifness' was unexpected" in error.message


def test_the_json_schema_accepts_the_studies_and_rejects_a_wrong_one() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft7Validator(json_schema())
    for name in names():
        data = tomllib.loads((file_of(name)).read_text(encoding="utf-8"))
        validator.validate(data)
        assert not validator.is_valid(data | {"solvr": "lu"})
        assert not validator.is_valid(data | {"title": 3})
    data["time"]["end"] = "20 ms"
    assert validator.is_valid(data)
    data["time"]["end"] = "soon"
    assert not validator.is_valid(data)


def test_the_mesh_of_a_study_is_shown_while_its_other_keys_are_wrong(tmp_path: Path) -> None:
    """When the names of groups are being looked up, they are not yet right in the study."""
    (tmp_path / "study.toml").write_text(
        'kind = "finite-element"\n[contact.sole]\nslave = "?"\n[mesh.shapes.block]\n'
        'type = "rectangle"\ncorner = [0.0, 0.0]\nsize = [1.0, 1.0]\ncells = [1, 1]\n'
    )
    done = fecontact("mesh", "study.toml", "--out", "out", cwd=tmp_path)
    assert done.returncode == 0
    assert "edge  block.bottom: 1 edges, 1 m" in done.stdout
    wrong = (tmp_path / "study.toml").read_text().replace("[1, 1]", "[0, 1]")
    (tmp_path / "study.toml").write_text(wrong)
    done = fecontact("mesh", "study.toml", "--out", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert "study.toml:8: key `mesh.shapes.block.cells` is [0, 1];" in done.stderr
