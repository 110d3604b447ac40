"""Long runs: constant memory and time per step."""

from __future__ import annotations

import gc
import resource
import time
from pathlib import Path

import numpy as np
import pytest

from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.library import file_of

PAGE = resource.getpagesize()
MB = 1e6


def resident() -> float:
    """Memory of this process at present, bytes."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


@pytest.mark.slow
def test_a_hundred_thousand_steps_of_sdnv104_cost_what_the_first_ones_cost() -> None:
    pytest.importorskip("dolfinx")
    steps, chunk = 100_000, 1000
    keys = [f"time.end={steps * 0.01}", "output.every=1000", "output.fields_every=10000"]
    simulation = Simulation(load(file_of("sdnv104a"), keys))
    spent, memory = [], []
    while not simulation.finished:
        started = time.process_time()
        for _ in range(chunk):
            simulation.step()
        spent.append(time.process_time() - started)
        memory.append(resident())
    assert len(spent) == steps // chunk
    quarter = len(spent) // 4
    # Medians of processor time: what else runs on the machine counts little.
    first, last = np.median(spent[:quarter]), np.median(spent[-quarter:])
    warm = memory[quarter]
    print(
        f"{first / chunk * 1e6:.0f} µs a step at first, {last / chunk * 1e6:.0f} µs at last; "
        f"{(memory[-1] - warm) / MB:+.2f} MB after the first quarter"
    )
    assert last < 1.2 * first
    assert memory[-1] - warm < 2 * MB
    record = simulation.record
    assert record.failure is None
    assert record.scalars["energy.balance_error"].within_limit
    assert record.scalars["residual.contact"].within_limit
    # Where it has stopped, friction holds it: |push − spring| ≤ μ · weight.
    assert abs(200e3 - 24e3 * record.history.columns["x_A"][-1]) < 0.3 * 70e3
    assert abs(record.history.columns["v_A"][-1]) < 1e-9


@pytest.mark.slow
def test_ten_million_lumped_steps_keep_memory_bounded() -> None:
    steps = 10_000_000
    # Every step is asked for: the run thins its history itself.
    keys = [f"time.end={steps * 4e-6}", "output.every=1"]
    study = load(file_of("sdnd121"), keys)
    simulation = Simulation(study)
    memory: list[float] = []
    simulation.run(lambda report: memory.append(resident()))
    record = simulation.record
    assert record.statistics["steps"] == steps
    assert len(record.history.time) <= 200_001
    assert record.history.time[-1] == pytest.approx(study.time.end)
    grown = max(memory) - memory[0]
    row = 8 * (1 + len(record.history.columns))
    print(f"{grown / MB:.0f} MB at most, {len(record.history.time)} rows of {row} bytes")
    assert grown < 200 * MB
    tail = memory[len(memory) // 2 :]
    assert max(tail) - tail[0] < 100 * MB
