"""Untrusted names, studies and result folders: no writing outside the result folder."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commandline import changed, fecontact
from corpus import VALID

pytest.importorskip("dolfinx")

NAMES = """
extends = '{block}'
title = "../../title/<script>"
time.end = 0.05
output.fields_every = 1
[watch."../../../outside"]
type = "displacement"
at = "heel"
[watch."/tmp/absolute"]
type = "contact-force"
at = "../sole"
[contact."../sole"]
slave = "block.bottom"
master = "table.top"
[checks."../check"]
quantity = "../../../outside"
measure = "final"
reference = 0.0
source = "../source"
tolerance = 1e9
[variants."../../../variant"]
time.end = 0.03
"""


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sound result folder."""
    out = tmp_path_factory.mktemp("sound") / "out"
    keys = changed("time.end=0.03", "output.fields_every=1")
    assert fecontact("run", VALID["block"], "--out", out, "--no-report", *keys).code == 0
    return out


@pytest.mark.parametrize("options", [[], ["--variant", "../../../variant", "--no-report"]])
def test_names_that_lead_elsewhere_write_nothing_outside_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    study = deep / "study.toml"
    text = NAMES.format(block=VALID["block"])
    study.write_text(text, encoding="utf-8")
    monkeypatch.chdir(deep)
    done = fecontact("run", study, *options)
    assert done.code == 5, done.err  # it ends before the block has stopped
    assert {path.name for path in deep.iterdir()} == {"study.toml", "results"}
    (out,) = (deep / "results").iterdir()
    assert (out / "result.json").exists()
    assert list(tmp_path.rglob("*outside*")) == [*out.rglob("*outside*")]
    assert not Path("/tmp/absolute").exists()
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_control_characters_in_names_are_rejected(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    watch = '[watch."a\\u0000b\\u001b[2J"]\ntype = "displacement"\nat = "heel"\n'
    study.write_text(f"extends = '{VALID['block']}'\n{watch}", encoding="utf-8")
    done = fecontact("run", study, "--out", tmp_path / "out")
    assert done.code == 2
    assert "\x1b" not in done.err and "\x00" not in done.err
    assert not (tmp_path / "out").exists()


def rewrite_json(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    def corrupt(folder: Path) -> None:
        content = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        changed_content = change(content)
        text = json.dumps(content if changed_content is None else changed_content)
        (folder / "result.json").write_text(text, encoding="utf-8")

    return corrupt


def rewrite_arrays(**changes: Any) -> Callable[[Path], None]:
    """Replace arrays (None removes one)."""

    def corrupt(folder: Path) -> None:
        with np.load(folder / "arrays.npz", allow_pickle=False) as file:
            content = {name: file[name] for name in file.files}
        for name, value in changes.items():
            content[name] = value(content[name]) if callable(value) else value
        content = {name: value for name, value in content.items() if value is not None}
        np.savez(folder / "arrays.npz", allow_pickle=True, **content)

    return corrupt


def replace_file(name: str, content: bytes | None) -> Callable[[Path], None]:
    def corrupt(folder: Path) -> None:
        if content is None:
            (folder / name).unlink()
        else:
            (folder / name).write_bytes(content)

    return corrupt


def cut_in_half(name: str) -> Callable[[Path], None]:
    def corrupt(folder: Path) -> None:
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(whole[: len(whole) // 2])

    return corrupt


def giant_array(folder: Path) -> None:
    """An array whose header promises more than any memory."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)}
    )
    with zipfile.ZipFile(folder / "arrays.npz", "w") as file:
        file.writestr("surfaces.npy", header.getvalue())


CORRUPTIONS: dict[str, Callable[[Path], None]] = {
    "no result.json": replace_file("result.json", None),
    "half a result.json": cut_in_half("result.json"),
    "a result.json of another encoding": replace_file("result.json", b"\xff\xfe\x00{"),
    "a list as result.json": replace_file("result.json", b"[1, 2]"),
    "a deeply nested result.json": replace_file("result.json", b"[" * 100_000),
    "a result.json of the future": rewrite_json(lambda c: c.update(format=99)),
    "an unknown key in the study": rewrite_json(lambda c: c["study"].update(evil=1)),
    "a study of another kind": rewrite_json(lambda c: c["study"].update(kind="lumped")),
    "checks without a value": rewrite_json(lambda c: c["checks"][0].pop("value")),
    "scalars as text": rewrite_json(lambda c: c.update(scalars="many")),
    "a scalar without unit": rewrite_json(lambda c: c["scalars"]["penetration"].pop("unit")),
    "timings as text": rewrite_json(lambda c: c["timings"].update(mesh="long")),
    "warnings as a number": rewrite_json(lambda c: c.update(warnings=7)),
    "no history": replace_file("history.csv", None),
    "a history of words": replace_file("history.csv", b"time [s],x [m]\none,two\n"),
    "a history of bytes": replace_file("history.csv", bytes(range(256))),
    "rows of different lengths": replace_file("history.csv", b"time [s],x [m]\n1,2\n3\n"),
    "an empty history": replace_file("history.csv", b""),
    "no arrays": replace_file("arrays.npz", None),
    "half of the arrays": cut_in_half("arrays.npz"),
    "text as arrays": replace_file("arrays.npz", b"arrays"),
    "an array larger than memory": giant_array,
    "a pickle among the arrays": rewrite_arrays(**{"mesh.points": np.array([{"a": 1}], object)}),
    "cells of nodes that are not there": rewrite_arrays(**{"mesh.cells": lambda a: a + 10_000}),
    "cells of negative nodes": rewrite_arrays(**{"mesh.cells": lambda a: a - 5}),
    "cells as real numbers": rewrite_arrays(**{"mesh.cells": lambda a: a + 0.5}),
    "points in space": rewrite_arrays(**{"mesh.points": lambda a: np.c_[a, a]}),
    "points as text": rewrite_arrays(**{"mesh.points": lambda a: a.astype(str)}),
    "fields of another mesh": rewrite_arrays(**{"fields.displacement": lambda a: a[:, :-1]}),
    "a missing stress": rewrite_arrays(**{"fields.stress": None}),
    "a surface without pressure": rewrite_arrays(**{"surface.0.pressure": None}),
    "a gap of other times": rewrite_arrays(**{"surface.0.gap": lambda a: a[1:]}),
    "intervals that do not pair": rewrite_arrays(**{"intervals.span": np.zeros((3, 2))}),
}


@pytest.mark.parametrize("corruption", CORRUPTIONS)
def test_a_corrupted_folder_is_reported_and_left_as_it_is(
    tmp_path: Path, result: Path, corruption: str
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(result, folder)
    CORRUPTIONS[corruption](folder)
    before = sorted(folder.rglob("*"))
    for command in ("plot", "report"):
        done = fecontact(command, folder)
        assert done.code == 2, done
        assert all(str(folder) in line for line in done.err.splitlines()), done.err
    assert sorted(folder.rglob("*")) == before
