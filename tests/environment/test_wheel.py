"""The package as it is installed: every command works from a wheel, far from the clone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import PROJECT

BUILD = "from setuptools import build_meta; build_meta.build_wheel('wheel')"
STUDY = """
kind = "lumped"
title = "a mass on a spring"

[masses.m]
mass = 1.0
directions = ["x"]
position = [0.0, 0.0, 0.0]
displacement = [1.0, 0.0, 0.0]

[springs.s]
between = ["m", "ground"]
stiffness = [1.0, 0.0, 0.0]

[time]
step = 0.1
end = 1.0

[watch.x]
type = "displacement"
at = "m"
component = "x"
"""
Command = Callable[..., str]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the content of the wheel, which is what pip would put beside other packages."""
    pytest.importorskip("setuptools", "77")
    source = tmp_path_factory.mktemp("source")
    for name in ("fecontact", "studies"):
        shutil.copytree(PROJECT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "LICENSE.GPL"):
        shutil.copy(PROJECT / name, source)
    subprocess.run([sys.executable, "-c", BUILD], cwd=source, check=True, capture_output=True)
    (wheel,) = (source / "wheel").glob("*.whl")
    folder = tmp_path_factory.mktemp("site-packages")
    zipfile.ZipFile(wheel).extractall(folder)
    shutil.rmtree(source)
    return folder


@pytest.fixture
def command(installed: Path, tmp_path: Path) -> Command:
    """Calls the installed command in an empty folder; it need not compile for these few steps."""
    environment = os.environ | {"PYTHONPATH": str(installed), "NUMBA_DISABLE_JIT": "1"}

    def call(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "fecontact", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def files(folder: Path) -> set[str]:
    return {
        file.relative_to(folder).as_posix()
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def test_the_wheel_holds_all_sources_pages_studies_and_licences(installed: Path) -> None:
    wanted = {f"fecontact/{name}" for name in files(PROJECT / "fecontact")}
    wanted |= {f"fecontact/studies/{name}" for name in files(PROJECT / "studies")}
    found = files(installed)
    assert {name for name in found if name.startswith("fecontact/")} == wanted
    (licences,) = installed.glob("*.dist-info/licenses")
    assert files(licences) == {"LICENSE", "LICENSE.GPL"}


def test_the_wheel_installs_the_command(installed: Path) -> None:
    scripts = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    (entry_points,) = installed.glob("*.dist-info/entry_points.txt")
    assert f"fecontact = {scripts['project']['scripts']['fecontact']}" in entry_points.read_text()


def test_the_installed_package_and_no_other_is_used(command: Command, installed: Path) -> None:
    assert "fecontact 0." in command("--version")
    code = "import fecontact; print(fecontact.__file__)"
    said = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=os.environ | {"PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(said.stdout.strip()).is_relative_to(installed)


def test_commands_that_compute_nothing_work_far_from_the_clone(command: Command) -> None:
    assert "Commands" in command("--help")
    assert "sdnv104a" in command("list")
    assert "--peers" in command("bench", "--help")
    assert "contact.NAME" in command("schema")


def test_a_new_study_is_written_checked_and_meshed(command: Command, tmp_path: Path) -> None:
    command("new", "mine")
    assert "mine.toml: valid" in command("check", "mine.toml")
    command("mesh", "incline-mesh", "--out", "mesh")
    assert files(tmp_path / "mesh") == {"mesh.msh", "mesh.png", "mesh.svg"}


def test_a_study_is_run_and_reported(command: Command, tmp_path: Path) -> None:
    (tmp_path / "spring.toml").write_text(STUDY, encoding="utf-8")
    command("run", "spring.toml", "--out", "result")
    page = tmp_path / "result" / "report.html"
    page.unlink()
    command("report", "result")
    assert "a mass on a spring" in page.read_text(encoding="utf-8")
