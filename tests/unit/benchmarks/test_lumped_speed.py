"""Speed ratios of the lumped benchmark, measured in one run."""

from __future__ import annotations

import pytest

from benchmarks.measure.lumped import bench


@pytest.mark.slow
def test_lumped_kernels_are_as_fast_as_claimed() -> None:
    found = bench(repeat=3)
    assert found["kernel over hand-written loop"] <= 3.0
    assert found["solve_ivp over stepping"] >= 20.0
    assert found["solve_ivp with restart over exact"] >= 50.0
    assert found["error of exact, s"] <= 1e-11
