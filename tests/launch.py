"""Start of scripts and commands on several ranks, with a time limit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

LIMIT = 300.0  # s: a run that takes longer hangs
NOT_STARTED = 213  # exit code of an mpirun that fails before it starts a rank (PRTE_ERR_SILENT)
TWO_HOSTS = Path(__file__).parent / "parallel" / "two_hosts"


def on_two_hosts(folder: Path, arguments: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments on a rank on each of two hosts, which share no memory."""
    # docker/run keeps ranks on one machine from networks; on several it leaves that to Open MPI.
    variables = {name: value for name, value in os.environ.items() if name != "OMPI_MCA_btl"}
    mpirun = ["mpirun", "--host", "alpha:1,beta:1", "-n", "2"]
    return _run([TWO_HOSTS, folder, *mpirun, sys.executable, *map(str, arguments)], variables)


def on_ranks(ranks: int, arguments: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments on `ranks` ranks; return its outcome and what it printed.

    Open MPI 5 rarely fails to start on a busy machine, without a message: it gets a second try.
    """
    mpirun = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    command = [*mpirun, sys.executable, *map(str, arguments)]
    done = _run(command, os.environ)
    if done.returncode == NOT_STARTED and not done.stdout + done.stderr:
        done = _run(command, os.environ)
    return done


def _run(
    command: Sequence[str | Path], variables: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command; if it hangs, end it by SIGTERM, which mpirun passes on to its ranks."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=variables, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            out, errors = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.terminate()
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, errors)
