"""Studies defined in Python: same keys and errors as in a study file."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import fecontact
from fecontact.study import load as load_file
from fecontact.study.library import file_of

SHOE = file_of("sdnv104a")


def test_importing_fecontact_imports_no_library() -> None:
    heavy = "numpy", "pydantic", "dolfinx", "matplotlib"
    code = f"import fecontact, sys; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    for name in fecontact.__all__:
        reported = getattr(fecontact, name).__doc__
        assert reported, name
        assert ">>> " in reported or "::\n" in reported, f"{name} has no example"
    with pytest.raises(AttributeError):
        fecontact.no_such_name  # noqa: B018


def test_a_file_and_a_dictionary_of_its_keys_are_the_same_study() -> None:
    data = tomllib.loads(SHOE.read_text(encoding="utf-8"))
    assert fecontact.define(data) == load_file(SHOE)


def test_dotted_keys_are_tables() -> None:
    data = tomllib.loads(SHOE.read_text(encoding="utf-8"))
    data["contact.sole.friction"] = 0.1
    assert fecontact.define(data).contact["sole"].friction == 0.1


def test_a_study_is_found_by_its_name_and_changed_without_touching_the_first() -> None:
    study = fecontact.load("sdnv104a")
    slippery = fecontact.changed(study, {"contact.sole.friction": np.float64(0.2)})
    assert (study.contact["sole"].friction, slippery.contact["sole"].friction) == (0.3, 0.2)
    assert slippery == fecontact.load("sdnv104a", {"contact.sole.friction": 0.2})
    assert fecontact.load("sdnv104a", variant="lu").solver == "cholesky"


def test_arrays_and_paths_are_taken_as_what_they_hold(tmp_path: Path) -> None:
    points = np.array([1.0, 2.0])
    study = fecontact.load("sdnv104a", {"mesh.points.P": points, "output.fields_at": points})
    assert study.mesh.points["P"] == (1.0, 2.0)
    assert study.output.fields_at == (1.0, 2.0)
    with pytest.raises(fecontact.StudyError, match="file not found"):
        fecontact.load("sdnv104a", {"mesh.shapes": None, "mesh.file": tmp_path / "none.med"})


def test_none_takes_a_key_away() -> None:
    study = fecontact.load("sdnv104a", {"time.end": 0.5, "checks": None, "time.alpha": None})
    assert study.checks == {}
    assert study.time.alpha == -0.1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("time.step", -1.0),
        ("contact.sole.friktion", 0.2),
        ("contact.sole.slave", "shoe.botom"),
        ("solver", "luu"),
        ("loads.weight.function", "rmp"),
    ],
)
def test_a_script_gets_the_sentence_of_the_command_line(key: str, value: float | str) -> None:
    with pytest.raises(fecontact.StudyError) as by_file:
        load_file(SHOE, [f"{key}={value}"])
    with pytest.raises(fecontact.StudyError) as by_script:
        fecontact.load(SHOE, {key: value})
    of_file, of_script = ([m.partition(": ")[2] for m in e.value.messages]
                          for e in (by_file, by_script))  # fmt: skip
    assert of_script == of_file


@pytest.mark.parametrize("key", ["", "a b", "a = 1\nb", "contact..sole"])
def test_unknown_keys_are_rejected(key: str) -> None:
    with pytest.raises(fecontact.StudyError, match="is not a key"):
        fecontact.load("sdnv104a", {key: 1})
