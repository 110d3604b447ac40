"""A copy of docker/ with replacement commands of the host."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
# Set by docker/run, in which these tests run too: a clone under test must not inherit them.
OUTER = (
    "MPLCONFIGDIR",
    "NUMBA_CACHE_DIR",
    "OMPI_MCA_btl",
    "OMP_NUM_THREADS",
    "TMPDIR",
    "XDG_CACHE_HOME",
)
YES, NO = "exit 0", "exit 1"


@dataclass
class Clone:
    """A project directory with docker/run, a cache directory, and a directory of fake commands.

    The fakes come first on PATH, so a test decides whether the host has a fit Python, a Docker
    engine, a mirror or enough disk, on any host.
    """

    folder: Path
    cache: Path
    commands: Path
    variables: dict[str, str] = field(default_factory=dict)
    sessions: list[int] = field(default_factory=list)

    def fake(self, name: str, script: str) -> None:
        """Put a command `name` on PATH that does what the shell script says."""
        self.commands.mkdir(exist_ok=True)
        command = self.commands / name
        command.write_text(f"#!/bin/bash\n{script}\n")
        command.chmod(0o755)

    def environment(self) -> dict[str, str]:
        path = f"{self.commands}:{os.environ['PATH']}"
        host = {name: value for name, value in os.environ.items() if name not in OUTER}
        return {**host, "PATH": path, "FECONTACT_CACHE": str(self.cache), **self.variables}

    def start(self, *arguments: str | Path, **options: object) -> subprocess.Popen[str]:
        """Start docker/run in a separate process group, as a terminal would."""
        process = subprocess.Popen(
            [self.folder / "docker" / "run", *arguments],
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=heed_signals,
            **options,  # type: ignore[call-overload]
        )
        self.sessions.append(process.pid)
        return process

    def end(self) -> None:
        """End all that was started and has not ended."""
        for leader in self.sessions:
            with suppress(ProcessLookupError):
                os.killpg(leader, signal.SIGKILL)

    def run(self, *arguments: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def name(self) -> str:
        """The name of the root file system that this clone's recipe stands for."""
        return Path(self.run("--env", "rootfs", "--which").stdout.split()[1].rstrip(",")).name


def heed_signals() -> None:
    """Signals as a terminal's shell sets them: those who run the tests may ignore some (nohup)."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def copy_of_project(folder: Path, tmp_path: Path) -> Clone:
    shutil.copytree(PROJECT / "docker", folder / "docker", symlinks=True)
    return Clone(folder, tmp_path / "cache", tmp_path / "commands")
