"""Start of the command: interrupted during loading, or started without streams."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from corpus import HERE, VALID
from processes import heed_signals

COMMAND = [sys.executable, "-P", "-m", "fecontact"]
INTERRUPTED = """
import os, signal, time
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
except KeyboardInterrupt:
    raise ImportError("broken")
"""


def environment(*paths: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (*paths, HERE.parents[1])))}


@pytest.mark.parametrize("module", ["click", "pydantic", "numba"])
def test_ctrl_c_while_a_library_is_loaded_ends_the_command_quietly(
    module: str, tmp_path: Path
) -> None:
    (tmp_path / f"{module}.py").write_text(INTERRUPTED)
    done = subprocess.run(
        [*COMMAND, "run", VALID["oscillator"], "--out", tmp_path / "result"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        preexec_fn=heed_signals,
    )
    # Once the run listens to signals, it names the one it got; before, there is nothing to say.
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr in ("", "fecontact: interrupted: SIGINT received\n")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["check", str(VALID["block"])], 0),
        (["check", "no-such-study"], 2),
        (["run", str(VALID["oscillator"]), "--no-report", "--set", "checks.={}"], 2),
    ],
)
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_nothing_but_that_nobody_hears(
    arguments: list[str], code: int, closed: str, tmp_path: Path
) -> None:
    script = f'"$@" {closed}'
    done = subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, *arguments],
        env=environment(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_a_file_that_is_written_does_not_take_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    command = [*COMMAND, "run", VALID["oscillator"], "--no-report", "--out", tmp_path / "result"]
    for streams, folder in (("", "open"), (">&- 2>&-", "closed")):
        command[-1] = tmp_path / folder
        subprocess.run(
            ["sh", "-c", f'"$@" {streams}', "sh", *map(str, command)],
            env=environment(),
            stdout=subprocess.DEVNULL,
        )
    written = [(tmp_path / folder / "history.csv").read_bytes() for folder in ("open", "closed")]
    assert written[0] == written[1]
