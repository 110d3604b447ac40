"""How a command ends: its exit code says what happened."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

BLOCK = """
title = "a block pressed on the ground"
kind = "lumped"
[masses.block]
mass = 1.0
[springs.ground]
between = ["block", "ground"]
stiffness = [100.0, 0.0, 0.0]
[time]
integrator = "central-differences"
step = 1e-3
end = 0.1
[watch.x]
type = "displacement"
at = "block"
component = "x"
[checks.rest]
quantity = "x"
measure = "final"
reference = {reference}
source = "a mass at rest stays at rest"
tolerance = 1e-12
"""


def fecontact(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fecontact", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("reference", "code"), [("0.0", 0), ("1.0", 1)])
def test_verify_fails_if_a_check_fails(tmp_path: Path, reference: str, code: int) -> None:
    (tmp_path / "block.toml").write_text(BLOCK.format(reference=reference))
    done = fecontact("verify", "block.toml", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert ("0 failed" in done.stdout) == (code == 0)


def test_wrong_input_ends_with_code_2_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "block.toml").write_text(BLOCK.format(reference="'one'"))
    done = fecontact("run", "block.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["block.toml"]


def test_a_reader_who_goes_away_hears_no_complaint(tmp_path: Path) -> None:
    pytest.importorskip("dolfinx")
    command = [sys.executable, "-m", "fecontact", "run", "--no-report", "--set", "time.end=0.1"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.close()
    _, complaint = process.communicate()
    assert "PETSC ERROR" not in complaint
    assert "Traceback" not in complaint
