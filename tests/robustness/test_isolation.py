"""Files in the working directory do not affect a run unless the user names them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from corpus import HERE, VALID

from benchmarks.measure.children import run_child
from fecontact.isolation import python
from fecontact.study.library import directory

pytest.importorskip("dolfinx")

SHORT = ("--set", "time.end=0.02", "--out", "result", "--overwrite")
MODULES = ("click", "numpy", "scipy", "rich", "pydantic", "numba", "dolfinx", "gmsh", "matplotlib")
SETTINGS = {  # all that `strace -f -e trace=file` shows to be looked for there, and some more
    ".petscrc": "-options_view\n",
    "petscrc": "-options_view\n",
    "petsc.cfg": "[petsc]\npetsc_dir = nowhere\n",
    "matplotlibrc": "no_such_key: 1\n",  # matplotlib complains about it
    "dolfinx_jit_options.json": "{",  # not JSON
    "ffcx_options.json": "{",
    ".numba_config.yaml": "cache_dir: numba-cache\ndump_bytecode: 1\n",
    # UCX starts its debugger, here a command of the folder, at the first message it prints.
    "ucx.conf": "UCX_LOG_LEVEL=trace\nUCX_LOG_LEVEL_TRIGGER=trace\nUCX_HANDLE_ERRORS=debug\n"
    "UCX_GDB_COMMAND=./debugger\n",
    "debugger": "#!/bin/sh\ntouch from-ucx\n",
    "untitled.geo": 'SystemCall "touch from-gmsh";\n',
    ".gmshrc": "General.Terminal = 1;\n",
    "setup.cfg": "[build_ext]\ncompiler = no-such-compiler\n",
    "pydistutils.cfg": "[build_ext]\ncompiler = no-such-compiler\n",
}


def plant(folder: Path) -> set[str]:
    """Put settings and modules into a folder; the names of the files."""
    folder.mkdir()
    for name, text in SETTINGS.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    for name in MODULES:
        (folder / f"{name}.py").write_text(f"raise SystemExit('this is {name} of the folder')\n")
    return {path.name for path in folder.iterdir()}


def started(folder: Path, *command: str) -> tuple[int, str, str, set[str]]:
    """Exit code, output and the files there are after a command was started in a folder."""
    environment = os.environ | {"PYTHONPATH": str(HERE.parents[1])}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout, done.stderr, {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(("study", "flags"), [("block", ["-P"]), ("oscillator", [])])
def test_a_run_in_a_folder_of_settings_is_that_in_an_empty_one(
    study: str, flags: list[str], tmp_path: Path
) -> None:
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.mkdir()
    planted = plant(full)
    command = [sys.executable, *flags, "-m", "fecontact", "run", str(VALID[study]), *SHORT]
    code, out, err, files = started(empty, *command)
    assert files == {"result"}
    assert started(full, *command) == (code, out, err, files | planted)


def test_so_is_a_run_on_two_ranks(tmp_path: Path) -> None:
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.mkdir()
    planted = plant(full)
    run = ["-m", "fecontact", "run", str(VALID["block"]), *SHORT, "--no-report"]
    command = ["mpirun", "-n", "2", "--oversubscribe", sys.executable, "-P", *run]
    code, out, _, files = started(empty, *command)
    assert files == {"result"}
    again = started(full, *command)
    assert (again[0], again[1], again[3]) == (code, out, files | planted)
    assert "UCX" not in again[2]


def test_paths_are_those_of_the_folder_in_which_the_command_is_called(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(VALID["oscillator"].read_text())
    (tmp_path / "buffer").mkdir()  # the name of a bundled study, too
    run = [sys.executable, "-m", "fecontact", "run"]
    code, out, _, files = started(tmp_path, *run, "own.toml", "--no-report")
    assert (code, "results: results/own\n" in out) == (0, True)
    assert files == {"own.toml", "buffer", "results"}
    code, out, _, _ = started(tmp_path, *run, "buffer", "--no-report")
    assert (code, "results: results/buffer\n" in out) == (0, True)
    code, _, err, _ = started(tmp_path, *run, "./other.toml")
    assert (code, err) == (2, "fecontact: error: other.toml: file not found\n")


def test_so_are_those_that_the_processes_of_a_sweep_read(tmp_path: Path) -> None:
    """A mesh file among the values of an axis is relative to the folder of the command."""
    for name in ("incline.msh", "incline-mesh.toml"):
        shutil.copy(directory() / "friction" / name, tmp_path)
    shutil.copy(tmp_path / "incline.msh", tmp_path / "other.msh")
    (tmp_path / "swept.toml").write_text(
        'extends = "incline-mesh.toml"\n[sweep.axes."mesh.file"]\n'
        'values = ["incline.msh", "other.msh"]\n[sweep.results.x]\nquantity = "energy.kinetic"\n'
        'measure = "maximum"\n'
    )
    run = [sys.executable, "-m", "fecontact", "run", "swept.toml", "--no-report"]
    code, out, err, _ = started(tmp_path, *run)
    assert (code, "have no result" in out + err) == (0, False), out + err


def test_a_working_directory_that_is_gone_is_reported(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f"rmdir {gone}; {sys.executable} -P -m fecontact list"
    code, out, err, _ = started(tmp_path, "sh", "-c", f"cd {gone} && {command}")
    assert (code, out) == (2, "")
    assert "working directory" in err


def test_the_ranks_of_a_comparison_are_as_isolated(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    # With one solver for both: those of one and of several ranks differ by more than is asked here.
    study.write_text(f"extends = '{VALID['block']}'\nsolver = 'mumps'\n[time]\nend = 0.02\n")
    plant(tmp_path / "full")
    command = python("-m", "fecontact", "verify", str(study), "--ranks", "1,2")
    code, out, err, _ = started(tmp_path / "full", *command)
    assert (code, err) == (0, "")
    assert "study: 1 and 2 ranks" in out


def test_what_the_benchmark_starts_is_as_isolated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path / "full")
    monkeypatch.chdir(tmp_path / "full")
    assert run_child(python("-m", "benchmarks.measure.finite_element", "2", "lu"))["cells"] == 2


def test_a_run_leaves_nothing_in_the_home_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    command = [sys.executable, "-m", "fecontact", "run", "hertz-tool", "--out", tmp_path / "out"]
    settings = {"HOME": str(home), "MPLCONFIGDIR": str(tmp_path / "matplotlib")}
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert list(home.iterdir()) == []
