"""Remains of an interrupted compilation of forms are removed, unless another run compiles."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

import pytest

pytest.importorskip("dolfinx")

from dolfinx import jit
from mpi4py import MPI

from fecontact.simulation import form_cache
from fecontact.simulation.form_cache import ABANDONED, COMPILED, LOCK, protect_forms


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache with one incomplete and one complete form."""
    monkeypatch.setattr(jit, "get_options", lambda: {"cache_dir": tmp_path})
    for name in ("libffcx_forms_1.c", "libffcx_forms_2.c", "libffcx_forms_2.c.cached"):
        (tmp_path / name).touch()
    make_old(tmp_path / "libffcx_forms_1.c", 2 * COMPILED)
    return tmp_path


def make_old(file: Path, age: float) -> None:
    file.touch()
    os.utime(file, (0, time.time() - age))


def test_incomplete_forms_are_removed_before_a_run_compiles(folder: Path) -> None:
    protect_forms(MPI.COMM_SELF)
    assert not (folder / "libffcx_forms_1.c").exists()
    assert (folder / "libffcx_forms_2.c").exists()


def test_forms_that_another_run_compiles_stay(folder: Path) -> None:
    abandoned = folder / "libffcx_forms_4.c"
    make_old(abandoned, 2 * ABANDONED)
    with (folder / LOCK).open("w") as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        protect_forms(MPI.COMM_SELF)
        assert (folder / "libffcx_forms_1.c").exists()
        assert not abandoned.exists()


def test_forms_that_a_run_compiles_after_its_start_are_protected(folder: Path) -> None:
    """Stresses are compiled when they are first computed; another run removed their C file."""
    protect_forms(MPI.COMM_SELF)
    with (folder / LOCK).open("w") as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_run_that_has_compiled_does_not_hinder_the_next(folder: Path) -> None:
    protect_forms(MPI.COMM_SELF)
    make_old(folder / "libffcx_forms_3.c", 2 * COMPILED)
    protect_forms(MPI.COMM_SELF)
    assert not (folder / "libffcx_forms_3.c").exists()


def test_forms_that_a_script_compiles_without_the_lock_are_awaited(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    young = folder / "libffcx_forms_5.c"
    young.touch()
    monkeypatch.setattr(form_cache.time, "sleep", lambda _: young.with_suffix(".c.cached").touch())
    protect_forms(MPI.COMM_SELF)
    assert young.exists()
