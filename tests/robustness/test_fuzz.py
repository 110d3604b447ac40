"""Random study files are valid or rejected with messages."""

from __future__ import annotations

import copy
import datetime
import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from corpus import HERE, VALID
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutants import in_file, mutant, peak_memory, places

from fecontact.study import StudyError, load, study_from_dict
from fecontact.study.library import directory
from fecontact.study.toml.layers import parse_override

SOURCES = [*VALID.values(), *sorted(directory().glob("*/sdn*[a-d].toml"))]
STUDIES = [tomllib.loads(path.read_text(encoding="utf-8")) for path in SOURCES]
SHORT = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
LONG = settings(SHORT, max_examples=20_000)

names = st.one_of(
    st.sampled_from(["x", "type", "on", "auto", "ground", "sole", "ramp", "", "a.b", "🦶", "\x00"]),
    st.text(max_size=90),
)
scalars = st.one_of(
    st.sampled_from([0, -1, 1, 2**63, 10**400, 0.0, -0.0, 1e-320, 1e30, 1e308]),
    st.floats(),
    st.integers(),
    st.booleans(),
    names,
    st.just(datetime.date(2024, 2, 29)),
    st.just(datetime.time(12, 30)),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """A valid study with up to four entries deleted, renamed, moved or replaced."""
    study = copy.deepcopy(draw(st.sampled_from(STUDIES)))
    for _ in range(draw(st.integers(1, 4))):
        everywhere = list(places(study))
        if not everywhere:
            break
        *path, last = draw(st.sampled_from(everywhere))
        inside: Any = study
        for key in path:
            inside = inside[key]
        how = draw(st.sampled_from(["delete", "rename", "replace", "nest", "copy"]))
        value = inside[last]
        if how == "replace":
            inside[last] = draw(values)
        elif how == "nest":
            inside[last] = draw(st.sampled_from([[value], {"x": value}, [[value]], {}, []]))
        elif how == "copy":
            inside[last] = copy.deepcopy(_at(study, draw(st.sampled_from(everywhere))))
        else:
            del inside[last]
            if how == "rename" and isinstance(inside, dict):
                inside[draw(names)] = value
    return study


def _at(value: Any, path: tuple) -> Any:
    for key in path:
        value = value[key]
    return value


def assert_valid_or_reported(data: dict[str, Any]) -> None:
    try:
        study_from_dict(data, where="study.toml")
    except StudyError as error:
        assert error.messages
        for message in error.messages:
            assert message.startswith("study.toml: ")
            assert len(message.splitlines()) == 1
            assert len(message) < 2000


@SHORT
@given(mutated())
def test_a_mutated_study_is_valid_or_reported(data: dict[str, Any]) -> None:
    assert_valid_or_reported(data)


@pytest.mark.slow
@LONG
@given(mutated())
def test_many_mutated_studies_are_valid_or_reported(data: dict[str, Any]) -> None:
    assert_valid_or_reported(data)


@SHORT
@given(st.text(), st.text() | values.map(str))
def test_any_override_is_a_table_or_reported(key: str, value: str) -> None:
    for text in (key, f"{key}={value}", f"contact.sole={value}"):
        try:
            assert isinstance(parse_override(text), dict)
        except StudyError as error:
            assert len(error.messages) == 1


@SHORT
@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_file_is_reported(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "random.toml"
    path.write_bytes(content)
    with pytest.raises(StudyError):
        load(path)


@pytest.mark.slow
@settings(SHORT, max_examples=2_000)
@given(st.data())
def test_a_study_file_with_other_bytes_is_valid_or_reported(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(VALID["block"].read_bytes())
    for _ in range(data.draw(st.integers(1, 5))):
        start = data.draw(st.integers(0, len(content)))
        stop = start + data.draw(st.integers(0, 20))
        content[start:stop] = data.draw(st.binary(max_size=10))
    path = tmp_path_factory.getbasetemp() / "damaged.toml"
    path.write_bytes(content)
    try:
        load(path)
    except StudyError as error:
        assert error.messages


@pytest.mark.parametrize("seed", [0, 1, pytest.param(2, marks=pytest.mark.slow)])
def test_the_command_line_reports_random_bytes(seed: int, tmp_path: Path) -> None:
    import random

    path = tmp_path / "random.toml"
    path.write_bytes(random.Random(seed).randbytes(400))
    done = subprocess.run(
        [sys.executable, "-m", "fecontact", "run", path],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(HERE.parents[1])},
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == [path]


# ---- campaigns: by seed, which the message of a failed assertion shows ----

IN_PROCESS = range(6000)
RUN = range(10_000, 10_400)  # through the command line, in batches of one process each
BATCH = 20
REPORTED_BY_THE_MODEL = (
    re.compile(  # what only the mesh or the assembled system can tell, exit code 2
        r": (mesh|springs|constraints|references|supports|contact|bodies|loads)\.|unstable with"
    )
)
SECONDS, MEMORY = 60.0, 1024.0  # CPU s and MB, at most, of each mutant


@pytest.mark.slow
@pytest.mark.parametrize("first", IN_PROCESS[::500])
def test_mutants_are_valid_or_reported(first: int, tmp_path: Path) -> None:
    before = peak_memory()  # other tests of this process may have needed more
    for seed in range(first, first + 500):
        name, study = mutant(seed)
        path = tmp_path / f"{name}.toml"
        path.write_text(in_file(study), encoding="utf-8")
        started, messages = time.process_time(), []
        try:
            load(path)
        except StudyError as error:
            messages = error.messages
        assert time.process_time() - started < SECONDS, (seed, name)
        assert len(messages) <= 31, (seed, name)
        for message in messages:
            assert len(message) < 2000 and message.isprintable(), (seed, name, message)
    assert peak_memory() - before < MEMORY


@pytest.mark.slow
@pytest.mark.parametrize("first", RUN[::BATCH])
def test_what_check_accepts_runs(first: int, tmp_path: Path) -> None:
    pytest.importorskip("dolfinx")
    last = first + BATCH
    done = subprocess.run(
        [sys.executable, HERE / "mutants.py", str(first), str(last), tmp_path],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(HERE.parents[1])},
        timeout=SECONDS * BATCH,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    for line in done.stdout.splitlines():
        seed, checked, ran, seconds, memory, words = line.split(" ", 5)
        assert checked in ("0", "2"), line
        assert ran in ("-", "0", "1", "3", "4") or REPORTED_BY_THE_MODEL.search(words), line
        assert float(seconds) < SECONDS and float(memory) < MEMORY, line
    assert int(seed) == last - 1
