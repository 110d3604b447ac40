"""Without dolfinx: commands that do not need it work, others report it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys(("dolfinx", "basix", "ufl", "ffcx", "mpi4py", "petsc4py")))
from fecontact.__main__ import main
main()
"""


def fecontact(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(PROJECT), "NUMBA_DISABLE_JIT": "1"},
    )


def test_lumped_studies_run_and_studies_are_checked_and_meshed(tmp_path: Path) -> None:
    for command in (
        ("--version",),
        ("new", "mine"),
        ("check", "mine.toml"),
        ("mesh", "mine.toml", "--out", "mesh"),
        ("run", "sdnd108", "--set", "time.end=0.05", "--no-report", "--out", "lumped"),
        ("report", "lumped"),
        ("compare", "lumped", "lumped"),
        ("schema", "contact"),
    ):
        done = fecontact(*command, cwd=tmp_path)
        assert done.returncode == 0, (command, done.stderr)


@pytest.mark.parametrize("command", (("run", "hertz-rigid"),))
def test_finite_elements_are_rejected(command: tuple[str, ...], tmp_path: Path) -> None:
    done = fecontact(*command, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "finite-element studies need dolfinx" in done.stderr
    assert "work without it" in done.stderr
    assert not list(tmp_path.rglob("*.json"))
