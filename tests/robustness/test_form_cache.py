"""Remains of an interrupted compilation of forms are removed, unless another run or another program
compiles at present.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

import pytest

pytest.importorskip("dolfinx")

from dolfinx import jit
from mpi4py import MPI

from fecontact.simulation.form_cache import LOCK, MARK, OLD, compiling


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache with one incomplete and one complete form, both new."""
    monkeypatch.setattr(jit, "get_options", lambda: {"cache_dir": tmp_path})
    for name in ("libffcx_forms_1.c", "libffcx_forms_2.c", "libffcx_forms_2.c.cached"):
        (tmp_path / name).touch()
    return tmp_path


def has_form(folder: Path, number: int) -> bool:
    return (folder / f"libffcx_forms_{number}.c").exists()


def test_incomplete_forms_of_an_interrupted_run_are_removed_before_the_next_compiles(
    folder: Path,
) -> None:
    with pytest.raises(KeyboardInterrupt), compiling(MPI.COMM_SELF):
        (folder / "libffcx_forms_3.c").touch()
        raise KeyboardInterrupt
    with compiling(MPI.COMM_SELF):
        assert not has_form(folder, 3)
        assert has_form(folder, 1)  # of another program, before that run
        assert has_form(folder, 2)
    assert list(folder.glob(MARK)) == []


def test_an_old_incomplete_form_is_removed(folder: Path) -> None:
    past = time.time() - OLD - 10.0
    os.utime(folder / "libffcx_forms_1.c", (past, past))
    with compiling(MPI.COMM_SELF):
        assert not has_form(folder, 1)


def test_forms_that_another_program_compiles_stay(folder: Path) -> None:
    with compiling(MPI.COMM_SELF):
        (folder / "libffcx_forms_3.c").touch()
    with compiling(MPI.COMM_SELF):
        assert has_form(folder, 1) and has_form(folder, 3)


def test_forms_that_another_run_compiles_stay(folder: Path) -> None:
    (folder / MARK.replace("*", "1")).touch()
    (folder / "libffcx_forms_3.c").touch()
    with (folder / LOCK).open("w") as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        with compiling(MPI.COMM_SELF):
            assert has_form(folder, 3)
