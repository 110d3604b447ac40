"""Processes started by a launcher: one MPI run, or an error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fecontact.cli import ranks

PROJECT = Path(__file__).parents[3]
LAUNCHED = ("OMPI_", "PMI", "SLURM_")


def fecontact(variables: dict[str, str], *arguments: str, cwd: Path) -> tuple[int, str]:
    own = {k: v for k, v in os.environ.items() if not k.startswith(LAUNCHED)}
    done = subprocess.run(
        [sys.executable, "-m", "fecontact", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        env=own | {"PYTHONPATH": str(PROJECT)} | variables,
    )
    return done.returncode, done.stderr


@pytest.fixture
def no_launcher(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in [name for name in os.environ if name.startswith(LAUNCHED)]:
        monkeypatch.delenv(name)
    return monkeypatch


def test_singletons_of_slurm_stop_before_each_computes_everything(tmp_path: Path) -> None:
    for rank in ("0", "1"):
        slurm = {"SLURM_PROCID": rank, "SLURM_STEP_NUM_TASKS": "2"}
        code, said = fecontact(slurm, "run", "sdnd108", cwd=tmp_path)
        assert code == 2
        assert ("Slurm started 2 processes, but MPI sees 1" in said) == (rank == "0")
    assert not list(tmp_path.iterdir())


def test_a_batch_script_of_slurm_is_one_process(no_launcher: pytest.MonkeyPatch) -> None:
    no_launcher.setenv("SLURM_PROCID", "0")
    no_launcher.setenv("SLURM_NTASKS", "8")
    assert (ranks.rank(), ranks.size()) == (0, 1)


@pytest.mark.parametrize(
    "variables",
    [
        {"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4"},
        {"PMI_RANK": "3", "PMI_SIZE": "4"},
        {"SLURM_PROCID": "3", "SLURM_STEP_NUM_TASKS": "4"},
    ],
)
def test_rank_and_size_come_from_the_launcher(
    no_launcher: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    for name, value in variables.items():
        no_launcher.setenv(name, value)
    assert (ranks.rank(), ranks.size()) == (3, 4)


def test_without_a_launcher_there_is_one_process(no_launcher: pytest.MonkeyPatch) -> None:
    assert (ranks.rank(), ranks.size()) == (0, 1)
    ranks.require_one_world()
