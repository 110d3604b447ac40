"""Cached kernels belong to the current sources and to the current user."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fecontact
from fecontact.kernel_cache import MARKER, MAX_FOLDERS, Sources, cache_folder, prune

PACKAGE = Path(fecontact.__file__).parent
IMPACTS = """
import fecontact
study = fecontact.load("sdnd121", {"time.end": 1.0, "checks": None, "references": None})
print(fecontact.run(study).record.scalars["stop.impacts"].value)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A small package with a kernel that reads a constant through another module."""
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    for name, text in {
        "__init__": "from package import apart",
        "kernel": "from package.inner import (\n    columns,\n)",
        "inner/__init__": "",
        "inner/columns": "from package.constants import COLUMN",
        "constants": "COLUMN = 3",
        "apart": "import package.kernel",
    }.items():
        (package / f"{name}.py").write_text(text)
    return package


def kernel_folder(base: Path, package: Path) -> Path:
    return cache_folder(base, Sources(package), "package.kernel")


def test_a_change_of_any_source_within_reach_leads_to_another_folder(
    tmp_path: Path, package: Path
) -> None:
    first = kernel_folder(tmp_path / "cache", package)
    (package / "apart.py").write_text("ELSEWHERE = 1")
    assert kernel_folder(tmp_path / "cache", package) == first
    seen = {first}
    for name in ("kernel", "inner/columns", "constants"):
        with (package / f"{name}.py").open("a") as source:
            source.write("\nCOLUMN = 4")
        seen.add(kernel_folder(tmp_path / "cache", package))
    assert len(seen) == 4


def test_a_module_that_moves_leads_to_another_folder(tmp_path: Path, package: Path) -> None:
    """A kernel on disk names the modules of its argument types, which may be out of its reach."""
    first = kernel_folder(tmp_path / "cache", package)
    (package / "apart.py").rename(package / "inner" / "apart.py")
    assert kernel_folder(tmp_path / "cache", package) != first


@pytest.mark.parametrize(
    "name", ["contact.local.delassus", "contact.local.friction", "lumped.stepping"]
)
def test_every_kernel_that_a_module_can_call_is_within_its_reach(name: str) -> None:
    module = importlib.import_module(f"fecontact.{name}")
    reach = Sources(PACKAGE).reach(module.__name__)
    kernels = [value for value in vars(module).values() if hasattr(value, "py_func")]
    assert kernels
    for value in kernels:
        assert value.py_func.__code__.co_filename in reach
    parts = {Path(path).relative_to(PACKAGE).parts[0] for path in reach}
    assert not parts & {"results", "cli", "simulation"}


@pytest.mark.slow
def test_a_constant_moved_in_another_module_gives_no_stale_kernel(tmp_path: Path) -> None:
    """Two columns of lumped/state exchanged: with the kernels of before, impacts are miscounted."""
    shutil.copytree(PACKAGE.parent / "studies", tmp_path / "studies")
    shutil.copytree(PACKAGE, tmp_path / "fecontact")
    state = tmp_path / "fecontact" / "lumped" / "state.py"

    def impacts() -> str:
        variables = {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command, environment = [sys.executable, "-c", IMPACTS], os.environ | variables
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    before = impacts()
    text = state.read_text()
    exchanged = text.replace("IMPACTS = 3", "IMPACTS = 4").replace("IMPULSE = 4", "IMPULSE = 3")
    assert exchanged != text
    state.write_text(exchanged)
    assert impacts() == before


def test_only_folders_that_fecontact_made_are_removed_and_the_last_used_stay(
    tmp_path: Path, package: Path
) -> None:
    base = tmp_path / "cache"
    for number in range(MAX_FOLDERS + 3):
        old = base / f"kernels-{number:016d}"
        old.mkdir(parents=True)
        (old / MARKER).touch()
        os.utime(old, (number, number))
    foreign = base / "kernels-notes"
    foreign.mkdir()
    os.utime(foreign, (0, 0))
    folder = kernel_folder(base, package)
    prune(base)
    left = sorted(path.name for path in base.iterdir())
    assert foreign.name in left
    assert folder.name in left
    assert len(left) == MAX_FOLDERS + 1
    assert f"kernels-{MAX_FOLDERS + 2:016d}" in left
    assert f"kernels-{0:016d}" not in left


@pytest.mark.parametrize("trap", ["world-writable", "link", "base world-writable", "file"])
def test_a_folder_that_others_could_have_filled_is_not_used(
    tmp_path: Path, package: Path, trap: str
) -> None:
    base = tmp_path / "cache"
    folder = kernel_folder(base, package)
    if trap == "world-writable":
        folder.chmod(0o777)
    elif trap == "base world-writable":
        base.chmod(0o777)
    else:
        shutil.rmtree(folder)
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        folder.symlink_to(elsewhere) if trap == "link" else folder.write_text("")
    with pytest.warns(UserWarning, match="Set NUMBA_CACHE_DIR"):
        used = kernel_folder(base, package)
    assert used.stat().st_mode & 0o077 == 0
    assert not used.is_relative_to(tmp_path / "cache")


def test_a_base_that_cannot_be_written_is_reported_once_for_all_modules(
    tmp_path: Path, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rejected(folder: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    (tmp_path / "cache").mkdir()
    monkeypatch.setattr(Path, "mkdir", rejected)
    sources = Sources(package)
    with pytest.warns(UserWarning, match="Permission denied") as messages:
        used = {
            cache_folder(tmp_path / "cache", sources, f"package.{name}")
            for name in ("kernel", "apart", "constants")
        }
    assert (len(messages), len(used)) == (1, 1)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another user")
def test_a_folder_of_another_user_is_not_used(tmp_path: Path, package: Path) -> None:
    folder = kernel_folder(tmp_path / "cache", package)
    try:
        os.chown(folder, 12345, 12345)
    except OSError:
        pytest.skip("there is one user only in this namespace")
    with pytest.warns(UserWarning, match="belongs to another user"):
        assert kernel_folder(tmp_path / "cache", package) != folder
