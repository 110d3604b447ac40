"""The memory of a run is estimated before it starts, and a lack of memory is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from fecontact.mesh import build
from fecontact.mesh.memory import available, forecast, format_bytes
from fecontact.record import ModelMesh
from fecontact.study.shapes import MeshSource


def square(n: int, element: str = "quad4") -> ModelMesh:
    shape = {"type": "rectangle", "corner": [0.0, 0.0], "size": [1.0, 1.0], "cells": [n, n]}
    source = MeshSource.model_validate({"element": element, "shapes": {"block": shape}})
    return build(source, Path())


@pytest.mark.parametrize(
    ("cells", "element", "peak"),
    [(80, "quad4", 354e6), (160, "quad4", 498e6), (80, "quad8", 514e6)],
)
def test_the_forecast_is_what_was_measured(cells: int, element: str, peak: float) -> None:
    """Largest resident memory of SDNV104 A and D with so many cells, Cholesky, one rank."""
    expected = forecast(square(cells, element)).on(1)
    assert 0.9 * peak < expected < 1.4 * peak


def test_ranks_on_other_machines_share_matrices_and_factor() -> None:
    memory = forecast(square(40), snapshots=100)
    assert memory.on(2, 4) < 2 * memory.on(1, 2)
    assert memory.on(1, 2) == pytest.approx(
        memory.process + (memory.matrices + memory.factor) / 2 + memory.fields
    )
    assert memory.machines(memory.on(1)) == 1
    assert memory.machines(memory.on(1) - 1e6) == 2
    assert memory.machines(memory.process) is None


def test_a_limit_of_the_group_of_processes_counts(tmp_path: Path) -> None:
    (tmp_path / "meminfo").write_text(
        "MemTotal: 4000 kB\nMemAvailable: 2000 kB\nSwapFree: 500 kB\n"
    )
    assert available(tmp_path, tmp_path) == 2500 * 1024
    (tmp_path / "memory.current").write_text("100000\n")
    (tmp_path / "memory.max").write_text("max\n")
    assert available(tmp_path, tmp_path) == 2500 * 1024
    (tmp_path / "memory.max").write_text("1100000\n")
    assert available(tmp_path, tmp_path) == 1000000
    (tmp_path / "memory.stat").write_text("anon 5\ninactive_file 50000\n")
    assert available(tmp_path, tmp_path) == 1050000
    assert available(tmp_path / "nowhere", tmp_path / "nowhere") == float("inf")


def test_so_does_that_of_the_group_it_is_in_and_of_those_around_it(tmp_path: Path) -> None:
    (tmp_path / "self").mkdir()
    (tmp_path / "self" / "cgroup").write_text("0::/user/job\n")
    job = tmp_path / "user" / "job"
    job.mkdir(parents=True)
    for folder, limit in ((job, 500), (job.parent, 3000)):
        (folder / "memory.max").write_text(f"{limit}\n")
        (folder / "memory.current").write_text("100\n")
    assert available(tmp_path, tmp_path) == 400
    (job / "memory.max").write_text("max\n")
    assert available(tmp_path, tmp_path) == 2900


def test_each_size_of_step_has_a_factor() -> None:
    one, three = (forecast(square(40), factors=factors) for factors in (1, 3))
    assert three.factor == 3 * one.factor


def test_sizes_read_well() -> None:
    assert (format_bytes(12.4e6), format_bytes(1.44e9)) == ("12 MB", "1.4 GB")
