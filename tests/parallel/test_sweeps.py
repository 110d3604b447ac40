"""A sweep gives the same table on any number of ranks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from launch import on_ranks

SCRIPT = Path(__file__).with_name("sweeping.py")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[int, dict[str, np.ndarray]]:
    """The numbers of both sweeps on one and on three ranks."""
    found = {}
    for ranks in (1, 3):
        output = tmp_path_factory.mktemp("sweep") / "table.json"
        done = on_ranks(ranks, [SCRIPT, output])
        assert done.returncode == 0, done.stderr
        found[ranks] = {k: np.array(v) for k, v in json.loads(output.read_text()).items()}
    return found


@pytest.mark.parametrize("kind", ["finite-element", "lumped"])
def test_table_is_that_of_one_rank(tables: dict[int, dict[str, np.ndarray]], kind: str) -> None:
    assert np.isfinite(tables[1][kind]).all()
    assert np.unique(tables[1][kind]).size == tables[1][kind].size, "the sweep changes nothing"
    np.testing.assert_array_equal(tables[3][kind], tables[1][kind])
