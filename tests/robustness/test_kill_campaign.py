"""Runs killed repeatedly at random times give the results of uninterrupted runs.

A table is printed for every campaign (`pytest -m slow -s`): its seed, how often it was hit by which
signal in which phase, and the largest difference of any column of the history.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from processes import heed_signals, kill_session, running, session, wait_until

from fecontact.record import History
from fecontact.results import load_folder

pytestmark = [pytest.mark.slow, pytest.mark.timeout(7200)]
SAME = 1e-13  # of a column's largest value
LATEST = 0.15  # s after a sign of progress at which a kill may come


@dataclass(frozen=True)
class Campaign:
    """A study, made long enough for so many kills, and the seed of their moments.

    On several ranks MUMPS adds contributions in the order in which messages arrive: two runs differ
    by rounding, killed or not. PETSc's LU (there SuperLU_DIST) repeats itself to the last bit.
    """

    study: str
    kills: int
    seed: int
    keys: tuple[str, ...]
    ranks: int = 1

    def command(self, out: Path, *more: str) -> list[str]:
        launcher = ["mpirun", "-n", str(self.ranks), "--oversubscribe"] if self.ranks > 1 else []
        changes = [word for key in self.keys for word in ("--set", key)]
        program = [sys.executable, "-m", "fecontact", "run", self.study, "--no-report", "--quiet"]
        return [*launcher, *program, *changes, "--out", str(out), *more]

    def complete(self, out: Path, *more: str) -> None:
        """Run to the end; longer than its study, it may miss its checks."""
        done = subprocess.run(self.command(out, *more), capture_output=True, text=True)
        assert (out / "result.json").exists(), done.stderr


CAMPAIGNS = (
    Campaign(
        "sdnv104a", 30, 1, ("time.end=250.0", "output.every=25", "output.checkpoint_every=100")
    ),
    Campaign(
        "sdnv104c", 15, 2, ("time.end=100.0", "output.every=25", "output.checkpoint_every=50")
    ),
    Campaign("bouncing-rod", 15, 3, ("output.every=25", "output.checkpoint_every=100")),
    Campaign(
        "sdnd121", 25, 4, ("time.end=240.0", "output.every=5000", "output.checkpoint_every=50000")
    ),
    Campaign(
        "sdnd121-adaptive",
        20,
        5,
        ("time.end=4000.0", "output.every=5000", "output.checkpoint_every=50000"),
    ),
    Campaign(
        "sdnv104a",
        30,
        6,
        ("time.end=200.0", "output.every=25", "output.checkpoint_every=50", "solver=lu"),
        ranks=2,
    ),
)


def newest(out: Path) -> str:
    return max((path.name for path in (out / "checkpoints").glob("step-*.npz")), default="")


def hit(campaign: Campaign, out: Path, dice: random.Random, more: tuple[str, ...]) -> str:
    """Start the run and kill it; returns the signal and the phase, or nothing if it ended first."""
    phase = dice.choice(["start", "steps", "steps", "writing"])
    number = signal.SIGKILL if phase == "writing" else dice.choice([signal.SIGKILL, signal.SIGTERM])
    process = subprocess.Popen(
        campaign.command(out, *more),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=heed_signals,
    )
    reached = newest(out)

    def writing() -> bool:
        return newest(out) != reached and any((out / "checkpoints").glob(".*.partial"))

    if phase == "start" and reached:  # of a resumed run; the first one has nothing to lose
        time.sleep(dice.random() * 2.0)
    else:
        sign = writing if phase == "writing" else lambda: newest(out) != reached
        while process.poll() is None and not sign():
            time.sleep(1e-3)
        time.sleep(0.0 if phase == "writing" else dice.random() * LATEST)
    ended = process.poll() is not None
    if number == signal.SIGKILL:
        kill_session(process.pid)
    else:
        ranks = running(process.pid, with_words="-m fecontact run")
        for one in dice.sample(ranks, 1) if ranks else [process.pid]:
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGTERM)
    process.wait()
    wait_until(lambda: not session(process.pid))
    return "" if ended or process.returncode == 0 else f"{number.name} in {phase}"


def largest_difference(one: History, other: History) -> float:
    """Of all columns, relative to the largest value of each (of an energy: to that of any)."""
    assert list(one.columns) == list(other.columns)
    np.testing.assert_array_equal(one.time, other.time)
    energies = [np.abs(v).max() for name, v in one.columns.items() if name.startswith("energy.")]
    largest = 0.0
    for name, values in one.columns.items():
        scale = max(energies) if name.startswith("energy.") else np.abs(values).max()
        difference = np.abs(values - other.columns[name]).max()
        largest = max(largest, float(difference / max(scale, 1e-300)))
    return largest


@pytest.mark.parametrize("campaign", CAMPAIGNS, ids=lambda c: f"{c.study}-{c.ranks}")
def test_kills_leave_no_trace(tmp_path: Path, campaign: Campaign) -> None:
    dice, hits, more = random.Random(campaign.seed), Counter[str](), ()
    out, whole = tmp_path / "killed", tmp_path / "whole"
    while hits.total() < campaign.kills and not (out / "result.json").exists():
        if how := hit(campaign, out, dice, more):
            hits[how] += 1
        more = ("--resume",) if newest(out) else ("--overwrite",)
    if not (out / "result.json").exists():
        campaign.complete(out, *more)
    campaign.complete(whole)
    one, other = (load_folder(folder).record.history for folder in (whole, out))
    difference = largest_difference(one, other)
    print(
        f"\n{campaign.study}, {campaign.ranks} rank(s), seed {campaign.seed}: {hits.total()} kills "
        f"({', '.join(f'{n} {how}' for how, n in sorted(hits.items()))}), {len(one.time)} rows of "
        f"{len(one.columns)} columns, largest difference {difference:.1e}"
    )
    assert difference <= SAME
    assert not (out / "checkpoints").exists()
    assert hits.total() == campaign.kills, "the run ended before it was killed so often"
