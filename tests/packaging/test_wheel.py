"""The installed package: every command works from a wheel, outside the clone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from clones import PROJECT

import fecontact

BUILD = "from setuptools import build_meta; build_meta.build_{0}('{0}')"
FOLDERS = (".ci", ".github", "benchmarks", "conda.recipe", "docker", "docs", "examples",
           "fecontact", "studies", "tests")  # fmt: skip
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "LICENSE.GPL",
         "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "mkdocs.yml",
         ".pre-commit-config.yaml")  # fmt: skip
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
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the content of the sdist."""
    pytest.importorskip("setuptools", "77")
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("sdist")
    for name in FOLDERS:
        shutil.copytree(PROJECT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(PROJECT / name, source)
    built(source, "sdist")
    (archive,) = (source / "sdist").glob("*.tar.gz")
    with tarfile.open(archive) as content:
        content.extractall(folder, filter="data")
    shutil.rmtree(source)
    (inside,) = folder.iterdir()
    return inside


@pytest.fixture(scope="module")
def installed(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the content of the wheel made from the sdist: what pip would put beside other
    packages."""
    source = tmp_path_factory.mktemp("unpacked") / "fecontact"
    shutil.copytree(sdist, source)
    built(source, "wheel")
    (wheel,) = (source / "wheel").glob("*.whl")
    folder = tmp_path_factory.mktemp("site-packages")
    zipfile.ZipFile(wheel).extractall(folder)
    shutil.rmtree(source)
    return folder


def built(source: Path, kind: str) -> None:
    command = [sys.executable, "-c", BUILD.format(kind)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)


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
    wanted |= {f"fecontact/gallery/{name}" for name in files(PROJECT / "docs" / "gallery")}
    found = files(installed)
    assert {name for name in found if name.startswith("fecontact/")} == wanted
    (licences,) = installed.glob("*.dist-info/licenses")
    assert files(licences) == {"LICENSE", "LICENSE.GPL"}


def test_the_sdist_holds_tests_documentation_examples_and_recipes(sdist: Path) -> None:
    found = files(sdist)
    wanted = {f"{folder}/{name}" for folder in FOLDERS for name in files(PROJECT / folder)}
    assert wanted | set(FILES) <= found


def test_all_recipes_name_one_version_and_the_same_dependencies() -> None:
    yaml = pytest.importorskip("yaml")
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    recipe = yaml.safe_load((PROJECT / "conda.recipe" / "recipe.yaml").read_text(encoding="utf-8"))
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == citation["version"] == fecontact.__version__
    assert f"## {fecontact.__version__} " in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    other_names = {"gmsh": "python-gmsh", "matplotlib": "matplotlib-base"}
    wanted = {f"python {project['requires-python']}", "fenics-dolfinx >=0.9,<0.12"}
    for dependency in project["dependencies"]:
        name, sign, rest = dependency.partition(">=")
        wanted.add(f"{other_names.get(name, name)} {sign}{rest}")
    assert set(recipe["requirements"]["run"]) == wanted


def test_hosted_ci_runs_the_same_command() -> None:
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load((PROJECT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))[
        "jobs"
    ]
    assert [step["run"] for step in jobs["all"]["steps"] if "run" in step] == [".ci/run"]
    for file in (PROJECT / ".github" / "ISSUE_TEMPLATE").iterdir():
        assert {"name", "description", "body"} <= set(yaml.safe_load(file.read_text()))


@pytest.mark.parametrize("name", ["ci", "nightly"])
def test_commands_and_files_of_a_workflow_exist(name: str) -> None:
    """Hosted CI lints its workflows with actionlint, which cannot see a file that was moved."""
    yaml = pytest.importorskip("yaml")
    text = (PROJECT / f".github/workflows/{name}.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    for job in jobs.values():
        assert job["timeout-minutes"] <= 360  # the limit of hosted runners
        matrix = job.get("strategy", {}).get("matrix", {})
        commands += matrix.get("command", []) + [
            row["command"] for row in matrix.get("include", [])
        ]
    words = {word for command in commands for word in command.split()}
    files = {word for word in words if "/" in word and "results/" not in word and word[0] != "-"}
    assert files & {".ci/run", "benchmarks/run"}
    assert [file for file in sorted(files) if not (PROJECT / file).exists()] == []


def test_the_debian_recipe_has_every_package_that_a_run_needs() -> None:
    page = (PROJECT / "docs" / "installation.md").read_text(encoding="utf-8")
    recipe = page[page.index("apt install") :].partition("python3 -m venv")[0]
    listed = (
        (PROJECT / "docker" / "packages.txt").read_text(encoding="utf-8").partition("# Tests")[0]
    )
    packages = {line for line in listed.splitlines() if line and not line.startswith("#")}
    not_needed = {"python-is-python3", "python3-meshio"}
    assert packages - not_needed <= set(recipe.replace("\\", " ").split())
    assert "python3-venv" in recipe


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
    assert "contact.NAME" in command("schema")
    assert "friction" in command("schema", "contact")
    assert '"$schema"' in command("schema", "--json")


def test_a_new_study_is_written_checked_and_meshed(command: Command, tmp_path: Path) -> None:
    command("new", "mine")
    assert "mine.toml: valid" in command("check", "mine.toml")
    command("mesh", "incline-mesh", "--out", "mesh")
    assert files(tmp_path / "mesh") == {"mesh.msh", "mesh.png", "mesh.svg"}


def test_a_model_of_another_program_and_a_study_of_the_gallery_are_taken(
    command: Command, tmp_path: Path
) -> None:
    shutil.copy(PROJECT / "tests" / "unit" / "convert" / "press.inp", tmp_path)
    shutil.copy(PROJECT / "docs" / "gallery" / "snap-hook.toml", tmp_path)
    command("convert", "press.inp", "--units", "mm")
    assert files(tmp_path) >= {"press.toml", "press.msh"}
    assert "press.toml: valid" in command("check", "press.toml")
    assert "snap-hook.toml: valid" in command("check", "snap-hook.toml")
    command("new", "sphere", "--template", "hertz-sphere")
    assert "sphere.toml: valid" in command("check", "sphere.toml")


def test_a_study_is_run_and_reported(command: Command, tmp_path: Path) -> None:
    (tmp_path / "spring.toml").write_text(STUDY, encoding="utf-8")
    command("run", "spring.toml", "--out", "result")
    page = tmp_path / "result" / "report.html"
    page.unlink()
    command("report", "result")
    assert "on a spring" in page.read_text(encoding="utf-8")
