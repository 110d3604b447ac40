"""Exit codes of the commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fecontact.results.checks.evaluation import EXIT_CODES

BLOCK = """
title = "a block pressed on the ground"
kind = "lumped"
[masses.block]
mass = 1.0
[springs.ground]
between = ["block", "ground"]
stiffness = [100.0, 0.0, 0.0]
[time]
scheme = "central-difference"
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


@pytest.mark.parametrize(("reference", "code"), [("0.0", 0), ("1.0", 5)])
def test_verify_fails_if_a_check_fails(tmp_path: Path, reference: str, code: int) -> None:
    (tmp_path / "block.toml").write_text(BLOCK.format(reference=reference))
    done = fecontact("verify", "block.toml", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert ("0 failed" in done.stdout) == (code == 0)


@pytest.mark.parametrize(("reference", "code"), [("0.0", 0), ("1.0", 5)])
def test_run_fails_if_a_check_fails_and_reports_whether_it_is_trusted(
    tmp_path: Path, reference: str, code: int
) -> None:
    (tmp_path / "block.toml").write_text(BLOCK.format(reference=reference))
    done = fecontact("run", "block.toml", "--no-report", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    said = "trusted: " if code == 0 else "not trusted: the check of final x"
    assert any(line.startswith(said) for line in done.stdout.splitlines())


def test_a_quiet_run_reports_failed_checks_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "block.toml").write_text(BLOCK.format(reference="1.0"))
    done = fecontact("run", "block.toml", "--no-report", "--quiet", cwd=tmp_path)
    assert done.stdout == ""
    assert done.stderr.startswith("failed: final x is 0, not 1")
    assert len(done.stderr.splitlines()) == 1


def test_a_check_that_the_run_cannot_answer_fails_with_its_reason(tmp_path: Path) -> None:
    wall = """
[obstacles.wall]
type = "plane"
on = "block"
normal = [-1.0, 0.0, 0.0]
generator = [0.0, 1.0, 0.0]
gap = 1.0
normal_stiffness = 1e6
[checks.hit]
quantity = "wall.contact_start.1"
measure = "scalar"
reference = 0.05
source = "it never comes there"
tolerance = 1e-3
"""
    (tmp_path / "block.toml").write_text(BLOCK.format(reference="0.0") + wall)
    done = fecontact("run", "block.toml", "--no-report", cwd=tmp_path)
    assert done.returncode == 5, done.stderr
    assert "scalar 'wall.contact_start.1' not found" in done.stdout
    assert (tmp_path / "results" / "block" / "history.csv").is_file()


def test_a_run_beyond_a_limit_ends_with_code_4_even_if_a_check_fails_too(tmp_path: Path) -> None:
    pytest.importorskip("dolfinx")
    assert fecontact("new", "soft", cwd=tmp_path).returncode == 0
    soft = ["contact.sole.method=penalty", "contact.sole.normal_penalty=1e6", "time.end=0.02"]
    options = [text for key in (*soft, "checks.stop.reference=9.0") for text in ("--set", key)]
    done = fecontact("run", "soft.toml", "--no-report", *options, cwd=tmp_path)
    assert done.returncode == 4, done.stderr
    said = "not trusted: contact.sole: the penetration reaches"
    assert any(line.startswith(said) for line in done.stdout.splitlines())


def test_a_sweep_with_holes_ends_with_code_3(tmp_path: Path) -> None:
    sweep = """
[sweep.axes]
"time.step" = { values = [1e-3, 0.09] }
[sweep.results.x]
quantity = "x"
measure = "final"
"""
    stiff = BLOCK.replace("[100.0, 0.0, 0.0]", "[1e6, 0.0, 0.0]").format(reference="0.0")
    (tmp_path / "block.toml").write_text(stiff + sweep)
    done = fecontact("run", "block.toml", "--no-report", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert "1 of 2 points have no result" in done.stdout


def test_exit_code_1_has_no_meaning() -> None:
    """mpirun ends with it on SIGTERM, for any exit code of its processes, and so does Python."""
    assert 1 not in EXIT_CODES.values()


def test_help_lists_the_exit_codes(tmp_path: Path) -> None:
    messages = " ".join(fecontact("--help", cwd=tmp_path).stdout.split())
    assert "0 completed and trusted, 2 invalid input" in messages
    assert "4 completed but not trusted" in messages


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
