"""Remains of an interrupted compilation of forms are removed, unless another run compiles."""

from __future__ import annotations

import fcntl
import os
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("dolfinx")

from dolfinx import jit
from mpi4py import MPI

from fecontact.simulation import form_cache
from fecontact.simulation.form_cache import ABANDONED, LOCK, protect_forms


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache with one incomplete and one complete form."""
    monkeypatch.setattr(jit, "get_options", lambda: {"cache_dir": tmp_path})
    monkeypatch.setattr(form_cache, "RECENT", 0.3)
    for name in ("libffcx_forms_1.c", "libffcx_forms_2.c", "libffcx_forms_2.c.cached"):
        (tmp_path / name).touch()
    return tmp_path


def test_incomplete_forms_are_removed_before_a_run_compiles(folder: Path) -> None:
    protect_forms(MPI.COMM_SELF)
    assert not (folder / "libffcx_forms_1.c").exists()
    assert (folder / "libffcx_forms_2.c").exists()


def test_a_script_completes_the_form_that_it_compiles_at_present(folder: Path) -> None:
    """Its C file was removed, and every later compilation of the form failed."""
    source = folder / "libffcx_forms_1.c"
    os.utime(source, (0, time.time() + 60.0))
    complete = threading.Timer(0.2, source.with_suffix(".c.cached").touch)
    complete.start()
    protect_forms(MPI.COMM_SELF)
    complete.join()
    assert source.exists()


def test_a_mark_without_its_c_file_is_removed(folder: Path) -> None:
    """FFCx leaves it after a failed compilation and fails again."""
    (folder / "libffcx_forms_2.c").unlink()
    protect_forms(MPI.COMM_SELF)
    assert not (folder / "libffcx_forms_2.c.cached").exists()


def test_forms_that_another_run_compiles_stay(folder: Path) -> None:
    abandoned = folder / "libffcx_forms_4.c"
    abandoned.touch()
    os.utime(abandoned, (0, time.time() - 2 * ABANDONED))
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
    (folder / "libffcx_forms_3.c").touch()
    protect_forms(MPI.COMM_SELF)
    assert not (folder / "libffcx_forms_3.c").exists()
