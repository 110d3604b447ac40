"""Read-only folders and full disks: one message, no incomplete files."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from commandline import Ended, changed, fecontact
from corpus import VALID

pytest.importorskip("dolfinx")

from test_resume import assert_same

from fecontact.results import load_folder
from fecontact.study.library import file_of

BLOCK, OSCILLATOR = VALID["block"], VALID["oscillator"]
SMALL = 40_000  # bytes: room for the checkpoints of the first steps only


@pytest.fixture(scope="module", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Everything imported and compiled: only what a run itself writes is to fail."""
    folder, end = tmp_path_factory.mktemp("first"), changed("time.end=0.02")
    for study in (BLOCK, OSCILLATOR):
        options = ["--out", folder / study.stem, "--no-report", *end]
        assert fecontact("run", study, *options).code == 0


@contextmanager
def no_larger_files_than(size: int) -> Iterator[None]:
    """Writing beyond `size` bytes fails, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """The folder can be read and not written."""
    mode = folder.stat().st_mode
    folder.chmod(0o555)
    try:
        yield
    finally:
        folder.chmod(mode)


def fecontact_bound_by_permissions(*arguments: str | Path) -> Ended:
    """Run `fecontact ARGUMENTS` in a process that may not write where permissions forbid it.

    Root may, and so may an ordinary user whom docker/run calls root in a namespace of his own: the
    process gives that capability up.
    """
    dropped = "-dac_override,-dac_read_search"
    bound = ["setpriv", f"--inh-caps={dropped}", f"--bounding-set={dropped}"]
    done = subprocess.run(
        [*(bound if os.geteuid() == 0 else []), sys.executable, "-m", "fecontact", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def assert_nothing_half_written(folder: Path) -> None:
    """No temporary file is left, and every file under its final name is whole."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not [path for path in files if path.suffix in (".part", ".partial")]
    assert not [path for path in files if ".part." in path.name]
    for path in files:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as content:
                assert [content[name] for name in content.files]


def test_a_full_disk_leaves_the_last_checkpoint_to_resume_from(
    tmp_path: Path,
) -> None:
    keys = ["time.end=0.15", "output.checkpoint_every=1", "output.fields_every=1"]
    out, options = tmp_path / "out", [*changed(*keys), "--no-report"]
    with no_larger_files_than(SMALL):
        done = fecontact("run", BLOCK, "--out", out, *options)
    assert done.code == 2  # the results cannot be written either
    assert "warning: " in done.err
    assert "(File too large); the previous one is intact. The run continues" in done.err
    assert "arrays.npz: cannot be written: File too large" in done.err
    assert len(list((out / "checkpoints").iterdir())) == 2
    assert_nothing_half_written(out)
    assert not (out / "result.json").exists()

    assert fecontact("run", BLOCK, "--out", out, *options, "--resume").code == 0
    assert fecontact("run", BLOCK, "--out", tmp_path / "whole", *options).code == 0
    assert_same(tmp_path / "whole", out)


@pytest.mark.parametrize(("room", "missing"), [(3_000, "arrays.npz"), (130_000, "report.html")])
def test_a_full_disk_at_the_end_leaves_no_half_result(
    tmp_path: Path, room: int, missing: str
) -> None:
    out = tmp_path / "out"
    with no_larger_files_than(room):
        done = fecontact("run", BLOCK, "--out", out, *changed("time.end=0.05"))
    assert done.code == 2
    assert "cannot be written: File too large" in done.message
    assert not (out / missing).exists()
    assert_nothing_half_written(out)
    if missing == "report.html":
        assert "numerical results" in done.message
        assert len(load_folder(out).record.history.time) == 6


def test_a_read_only_place_is_reported_before_anything_is_computed(tmp_path: Path) -> None:
    tmp_path.joinpath("archive").mkdir()
    with read_only(tmp_path / "archive"):
        out = tmp_path / "archive" / "out"
        done = fecontact_bound_by_permissions("run", OSCILLATOR, "--out", out)
    assert done.code == 2
    assert done.message.endswith("archive/out: cannot be written: Permission denied")
    assert not list((tmp_path / "archive").iterdir())


def test_a_folder_that_becomes_read_only_keeps_its_checkpoints(tmp_path: Path) -> None:
    out, options = tmp_path / "out", changed("output.checkpoint_every=100")
    with no_larger_files_than(2 * SMALL):
        assert fecontact("run", OSCILLATOR, "--out", out, *options).code == 2
    before = sorted((out / "checkpoints").iterdir())
    assert before
    with read_only(out / "checkpoints"):
        done = fecontact_bound_by_permissions("run", OSCILLATOR, "--out", out, *options, "--resume")
    assert done.code == 0
    assert "(Permission denied); the previous one is intact. The run continues" in done.err
    (warning,) = load_folder(out).record.warnings
    assert warning.endswith(
        "(Permission denied); the previous one is intact. The run continued without it."
    )
    assert sorted((out / "checkpoints").iterdir()) == before
    assert_nothing_half_written(out)


def test_checkpoints_of_a_killed_run_are_not_overwritten_unasked(tmp_path: Path) -> None:
    out, options = tmp_path / "out", ["--no-report", *changed("time.end=0.05")]
    (out / "checkpoints").mkdir(parents=True)
    left = out / "checkpoints" / "step-000000000099.npz"
    left.write_bytes(b"all that is left of a run")
    done = fecontact("run", BLOCK, "--out", out, *options)
    assert done.code == 2
    assert "--overwrite" in done.message
    assert left.exists()
    assert fecontact("run", BLOCK, "--out", out, *options, "--overwrite").code == 0
    assert not left.exists()


def test_what_a_kill_has_left_half_written_goes_with_the_next_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "plots").mkdir(parents=True)
    left = [out / ".arrays.123.part.npz", out / "plots" / ".x-A.77.part.png"]
    mine = [out / ".notes.123.part.txt", out / ".arrays.npz", out / "plots" / "mine.png"]
    for path in (*left, *mine):
        path.write_text("x")
    options = ["--out", out, "--no-report", *changed("time.end=0.02")]
    assert fecontact("run", OSCILLATOR, *options).code == 0
    assert not [path for path in left if path.exists()]
    assert all(path.read_text() == "x" for path in mine)


def test_a_full_temporary_folder_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = file_of("incline-mesh")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with no_larger_files_than(1000):
        done = fecontact("run", study, "--out", tmp_path / "out")
    assert done.code == 2
    assert f"{tmp_path}: the temporary folder is full. Make room in it" in done.message


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("ImportError", "/c/f/a.so: failed to map segment from shared object", "/c/f: the file"),
        ("VerificationError", "command 'gcc' failed", "kernels cannot be compiled"),
    ],
)
def test_a_cache_in_which_kernels_cannot_be_compiled_or_executed_is_reported(
    name: str, text: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise type(name, (ImportError,), {})(text)

    monkeypatch.setattr(import_module("fecontact.cli.main").cli, "main", fail)
    done = fecontact("list")
    assert (done.code, done.message.startswith(f"fecontact: error: {said}")) == (2, True)
    assert "FECONTACT_CACHE" in done.message
