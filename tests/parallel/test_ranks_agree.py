"""Results do not depend on the number of ranks or on the partition."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from launch import TWO_HOSTS, on_ranks, on_two_hosts

from fecontact.cli.commands.rank_comparison import AGREEMENT, largest_difference
from fecontact.record import History

SCRIPT = Path(__file__).with_name("histories.py")
MODELS = tuple(f"sdnv104{model}" for model in "abcde")
TINY = "sdnv104a:time.end=0.12:mesh.shapes.shoe.cells=[1,1]"
THIN = "sdnv104a:time.end=0.12:bodies.shoe.thickness=0.03:contact.sole.method=continuous"
ROUND = "sphere-impact:time.end=8e-6:mesh.shapes.sphere.contact_size=4e-5"
ROLL = "thrown-disc:time.end=0.02:mesh.shapes.disc.cell_size=0.1"
TOOL = "rolling-tool:time.end=0.04:mesh.shapes.strip.cells=[80,2]"
STAGES = "lap-joint:time.end=0.0225:mesh.shapes.plate.cells=[20,1]"
LAW = "incline-law:time.end=0.05"
RUBBER = "inflated-tube"
BOUNCE = "rubber-bounce:time.end=0.003:mesh.shapes.disc.cell_size=0.04"
SHEET = "uniform-strain:plane=stress:mesh.shapes.block.cells=[1,1]"
SECTOR = "ring-sector:mesh.shapes.hub.cells=[4,4]:mesh.shapes.ring.cells=[4,4]"
YIELD = "prandtl-punch:time.end=0.2:mesh.shapes.block.cells=[10,8]"
AUTO = "bar-impact:mesh.shapes.bar.cells=[20,1]:time.step=auto:time.tolerance=0.05:time.end=2e-4"
CREEP = "lee-radok:time.end=0.02:mesh.shapes.block.cells=[12,8]"
RELAX = "sheared-rubber:time.end=0.05:functions.shear.end=0.05"
DYNAMIC = "time.scheme=average-acceleration:time.step=2e-5:time.end=2e-4"
FOLD = "self-contact:contact.joint.method=continuous:mesh.shapes.lower.cells=[5,3]"
FOLDS = (FOLD, f"self-contact:{DYNAMIC}", "general-contact", f"general-contact:{DYNAMIC}")
PATH = "limit-point:mesh.shapes.block.cells=[4,2]"
LEVER = "lever-and-strip:time.end=1.0"  # at small forces, round-off of the stiff lever would count
TYRE = "tyred-wheel:time.end=0.05:mesh.shapes.wheel.contact_size=1.25e-3"
SHAKE = "shakedown:time.end=1.25:time.step=0.25"
MIXED = (LEVER, TYRE, SHAKE)
FREE = "bar-impact-reduced:mesh.shapes.bar.cells=[60,1]:time.end=3e-4"
SHOE = "sdnv104a:time.end=0.12:bodies.shoe.reduction.modes=8"
RUBBERS = (RUBBER, BOUNCE, SHEET, CREEP, RELAX)
FIRST = (TINY, THIN, ROUND, ROLL, TOOL, STAGES, LAW)
OTHERS = (*FIRST, *RUBBERS, *FOLDS, SECTOR, YIELD, AUTO, PATH, *MIXED, FREE, SHOE)
SHORT = (*(f"{model}:time.end=0.12" for model in MODELS), *OTHERS)
PARTS = tuple(SHORT[i : i + 8] for i in range(0, len(SHORT), 8))  # of one start each
SPREAD = (SHORT[0], TINY)  # on four ranks some have no contact, or no element at all


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory):
    """Studies on a number of ranks, computed once: label → its history and its ranks' shares."""

    @cache
    def compute(ranks: int, labels: tuple[str, ...]) -> dict[str, tuple[History, np.ndarray]]:
        output = tmp_path_factory.mktemp("ranks") / "histories.npz"
        done = on_ranks(ranks, [SCRIPT, output, *labels])
        assert done.returncode == 0, done.stderr
        with np.load(output) as stored:
            return {label: _unpacked(label, stored) for label in labels}

    return compute


def part_with(label: str) -> tuple[str, ...]:
    """The studies computed together with this one."""
    return next(part for part in PARTS if label in part)


def _unpacked(label: str, stored) -> tuple[History, np.ndarray]:
    def named(kind: str) -> dict[str, np.ndarray]:
        start = f"{label}|{kind} "
        return {k.removeprefix(start): stored[k] for k in stored.files if k.startswith(start)}

    units = {name: str(unit) for name, unit in named("unit").items()}
    return History(stored[f"{label}|time"], named("column"), units), stored[f"{label}|ranks"]


def _assert_agreement(serial: History, parallel: History) -> None:
    difference, column = largest_difference(serial, parallel)
    assert difference <= AGREEMENT, f"{column} differs by {difference:.1e}"


@pytest.mark.parametrize(
    "ranks",
    [2, *(pytest.param(ranks, marks=pytest.mark.slow) for ranks in (3, 4))],
)
@pytest.mark.parametrize("label", SHORT)
def test_histories_are_those_of_one_rank(computed, label: str, ranks: int) -> None:
    together = part_with(label)
    _assert_agreement(computed(1, together)[label][0], computed(ranks, together)[label][0])


def test_the_history_on_two_hosts_is_that_of_one_rank(computed, tmp_path: Path) -> None:
    able = subprocess.run([TWO_HOSTS, tmp_path, "hostname"], capture_output=True, text=True)
    if able.returncode != 0:
        pytest.skip(f"no namespaces for two hosts here: {able.stderr.strip()}")
    assert able.stdout == "alpha\n"
    output, folder = tmp_path / "histories.npz", tmp_path / "two"
    folder.mkdir()
    done = on_two_hosts(folder, [SCRIPT, output, TINY])
    assert done.returncode == 0, done.stderr
    with np.load(output) as stored:
        history, shares = _unpacked(TINY, stored)
        assert sorted(stored["hosts"]) == ["alpha", "beta"]
    assert len(shares) == 2
    _assert_agreement(computed(1, part_with(TINY))[TINY][0], history)


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("model", MODELS)
def test_whole_motion_with_its_reversals_is_that_of_one_rank(
    computed, model: str, ranks: int
) -> None:
    _assert_agreement(computed(1, MODELS)[model][0], computed(ranks, MODELS)[model][0])


def test_some_ranks_without_contact_took_part(computed) -> None:
    history, share = computed(4, SPREAD)[SHORT[0]]
    assert (share[:, 0] > 0).all()
    assert (share[:, 2] == 0).any(), "every rank had contact nodes"
    _assert_agreement(computed(1, part_with(SHORT[0]))[SHORT[0]][0], history)


def test_some_ranks_without_any_cell_took_part(computed) -> None:
    history, share = computed(4, SPREAD)[TINY]
    assert (share[:, 0] == 0).sum() == 2, "two cells leave two of four ranks with nothing"
    _assert_agreement(computed(1, part_with(TINY))[TINY][0], history)
