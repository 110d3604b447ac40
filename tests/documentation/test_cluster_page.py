"""The batch scripts of docs/clusters.md run, with a stand-in for Slurm's srun."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from fecontact.study.library import file_of

PAGE = Path(__file__).parents[2] / "docs" / "clusters.md"
SCRIPTS = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
SRUN = """#!/bin/sh
[ "$1" = --mpi=pmix ] || exit 9
shift
exec mpirun --oversubscribe -n 2 "$@"
"""
SWEEP = """
extends = "SDND108"
[sweep.axes]
"obstacles.floor.normal_stiffness" = { values = [1e5, 2e5, 4e5] }
[sweep.results.top]
quantity = "z"
measure = "maximum"
"""


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    """Return a folder with docker/run, a study and a sweep, and srun in its folder bin."""
    for name, text in (("bin/srun", SRUN), ("docker/run", '#!/bin/sh\nexec "$@"\n')):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    study = f'extends = "{file_of("sdnv104a")}"\ntime.end = 3.5\n'
    (tmp_path / "study.toml").write_text(study)
    (tmp_path / "sweep.toml").write_text(SWEEP.replace("SDND108", str(file_of("sdnd108"))))
    return tmp_path


def submit(script: str, folder: Path, **variables: str) -> None:
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=os.environ | {"PATH": path} | variables,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_batch_script_runs_on_the_ranks_of_srun(cluster: Path) -> None:
    submit(SCRIPTS[0], cluster)
    assert (cluster / "results" / "study" / "history.csv").exists()


def test_the_tasks_of_a_job_array_are_merged(cluster: Path) -> None:
    for task in ("1", "2", "3"):
        submit(SCRIPTS[1].replace("/8", "/3"), cluster, SLURM_ARRAY_TASK_ID=task)
    submit(SCRIPTS[2], cluster)
    rows = (cluster / "results" / "sweep" / "sweep.csv").read_text().splitlines()
    assert len(rows) == 4
