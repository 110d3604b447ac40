"""An error on one rank ends all ranks with one message and its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch import on_ranks

SCRIPT = Path(__file__).with_name("failing.py")
CODES = {"InputError": 2, "RunError": 3, "MemoryError": 70}
BROKEN = """
title = "a block"
kind = "finite-element"
mesh.file = "broken.msh"
materials.steel = { young = 2e11, poisson = 0.3, density = 7800.0 }
bodies.block.material = "steel"
time = { step = 0.1, end = 1.0 }
"""


@pytest.mark.parametrize(
    ("rank", "where", "error"),
    [(1, "assembly", "InputError"), (0, "step", "RunError"), (1, "factor", "MemoryError")],
)
def test_one_failing_rank_ends_all(rank: int, where: str, error: str, tmp_path: Path) -> None:
    arguments = [str(rank), where, error, "run", "sdnv104a", "--no-report", "--quiet", "--out"]
    done = on_ranks(2, [SCRIPT, *arguments, tmp_path / "result"])
    assert done.returncode == CODES[error], done.stderr
    assert done.stderr.count(f"rank {rank} fails on purpose") == 1, done.stderr
    assert "Traceback" not in done.stderr


def test_bad_input_is_reported_once(tmp_path: Path) -> None:
    command = ["-m", "fecontact", "run", "sdnv104a", "--set", "contact.sole.friction=-0.3"]
    done = on_ranks(3, [*command, "--out", tmp_path / "result"])
    assert done.returncode == 2
    assert done.stderr.count("fecontact: error:") == 1, done.stderr


def test_mesh_that_rank_0_cannot_read_ends_all(tmp_path: Path) -> None:
    (tmp_path / "broken.msh").write_text("$MeshFormat\nnonsense\n", encoding="utf-8")
    (tmp_path / "study.toml").write_text(BROKEN, encoding="utf-8")
    command = ["-m", "fecontact", "run", tmp_path / "study.toml", "--quiet"]
    done = on_ranks(2, [*command, "--out", tmp_path / "result"])
    assert done.returncode == 2
    assert done.stderr.count("broken.msh") == 1, done.stderr
