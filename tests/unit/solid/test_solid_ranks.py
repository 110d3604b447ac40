"""Results do not depend on the number of ranks, also if some have no cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from launch import on_ranks

SCRIPT = Path(__file__).with_name("rank_script.py")


def run(ranks: int, folder: Path) -> dict[str, np.ndarray]:
    output = folder / f"{ranks}.npz"
    on_ranks(ranks, [SCRIPT, output]).check_returncode()
    return dict(np.load(output))


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, np.ndarray]:
    return run(1, tmp_path_factory.mktemp("serial"))


@pytest.mark.parametrize("ranks", [2, 5])
def test_ranks_agree_with_serial(serial: dict[str, np.ndarray], ranks: int, tmp_path: Path) -> None:
    parallel = run(ranks, tmp_path)
    assert parallel.keys() == serial.keys()
    for name, value in parallel.items():
        scale = np.abs(serial[name]).max()
        assert np.abs(value - serial[name]).max() <= 1e-12 * scale, name
