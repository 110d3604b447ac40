"""A sweep gives the same table for any distribution of its points."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lumped_systems import Data, run, sliding_block

from fecontact.record import SweepRecord
from fecontact.study import InputError
from fecontact.sweep import Share, sweep_share, sweep_study


def swept() -> Data:
    """Slip of a thrown block against its friction and its weight."""
    data = sliding_block()
    data["masses"]["block"] |= {"directions": ["x"], "velocity": [1.0, 0.0, 0.0]}
    data["watch"].pop("y")
    data["time"] = {"scheme": "exact", "step": 0.1, "end": 3.0}
    data["sweep"] = {
        "axes": {
            "obstacles.floor.friction": {"start": 0.1, "stop": 0.5, "count": 5},
            "obstacles.floor.gap": {"values": [-0.1, -0.2, -0.4]},
        },
        "results": {
            "slip": {"quantity": "floor.slip", "measure": "scalar"},
            "end": {"quantity": "x", "measure": "final"},
        },
    }
    return data


def test_a_table_of_stopping_distances() -> None:
    record = sweep_study(swept(), processes=1)
    friction = np.array(record.axes["obstacles.floor.friction"])[:, None]
    weight = 50.0 * -np.array(record.axes["obstacles.floor.gap"])[None, :]
    assert record.results["slip"] == pytest.approx(1.0 / (2 * friction * weight), rel=1e-12)
    assert record.results["end"] == pytest.approx(record.results["slip"], rel=1e-12)
    assert record.units == {"slip": "m", "end": "m"}


def test_two_processes_give_the_same_table() -> None:
    one, two = sweep_study(swept(), processes=1), sweep_study(swept(), processes=2)
    assert np.array_equal(one.results["slip"], two.results["slip"])


@pytest.mark.parametrize("count", [16, 10**12])
def test_more_tasks_than_points_are_rejected(count: int, tmp_path: Path) -> None:
    said = f"--task 1/{count}: the sweep has 15 points. Divide it into at most 15 tasks."
    with pytest.raises(InputError, match=said):
        sweep_share(swept(), Share(1, count), tmp_path, processes=1)


def test_shares_of_a_sweep_are_merged_and_a_lost_one_is_computed_again(tmp_path: Path) -> None:
    for number in (1, 3):  # the second is lost
        done = sweep_share(swept(), Share(number, 3), tmp_path, processes=1)
        assert done == (5, 0)
    messages: list[tuple[int, int]] = []
    merged = sweep_study(
        swept(), processes=1, checkpoints=tmp_path, progress=lambda *counts: messages.append(counts)
    )
    assert messages[0] == (11, 15)
    whole = sweep_study(swept(), processes=1)
    assert np.array_equal(merged.results["slip"], whole.results["slip"])


def test_a_script_that_sweeps_is_not_run_again_in_every_process(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from test_lumped_sweep import swept\n"
        "from fecontact.sweep import Share, sweep_share, sweep_study\n"
        "print(sweep_study(swept(), processes=2).results['slip'].shape)\n"
    )
    command = [sys.executable, "-W", "error", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("(5, 3)\n", "")


class _Rank:
    """One rank of a communicator of three, played one after the other."""

    size = 3

    def __init__(self, rank: int, parts: list[Any]) -> None:
        self.rank, self.parts, self.calls = rank, parts, 0

    def allgather(self, value: Any) -> list[Any]:
        self.parts[self.rank].append(value)
        self.calls += 1
        return [part[self.calls - 1] for part in self.parts if len(part) >= self.calls]


def test_ranks_share_the_work() -> None:
    parts: list[list[Any]] = [[], [], []]
    records: list[SweepRecord] = [sweep_study(swept(), comm=_Rank(r, parts)) for r in range(3)]
    assert np.array_equal(records[-1].results["slip"], sweep_study(swept()).results["slip"])


def test_a_combination_that_cannot_be_computed_leaves_a_hole() -> None:
    data = swept()
    data["sweep"]["axes"]["time.scheme"] = {"values": ["exact", "euler"]}
    data["time"]["step"] = 0.01  # too long for `euler` with this stick stiffness
    record = sweep_study(data, processes=1)
    assert np.isnan(record.results["slip"][..., 1]).all()
    assert not np.isnan(record.results["slip"][..., 0]).any()
    assert "15 of 30" in record.warnings[0]
    assert "unstable" in record.warnings[0]


def test_one_combination_is_the_run_of_its_study() -> None:
    data = swept()
    record = sweep_study(data, processes=1)
    del data["sweep"]
    data["obstacles"]["floor"] |= {"friction": 0.2, "gap": -0.4}
    assert record.results["slip"][1, 2] == run(data).scalars["floor.slip"].value
