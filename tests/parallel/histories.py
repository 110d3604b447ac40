"""Run under mpirun: histories of studies, saved by rank 0, and the part of each rank.

Usage: histories.py OUTPUT.npz STUDY:KEY=VALUE:KEY=VALUE… STUDY:… (studies by name; checks are left
out, so that a run may be shorter than its checks)
"""

from __future__ import annotations

import socket
import sys

import numpy as np

from mpi4py import MPI

from fecontact.simulation import Simulation
from fecontact.simulation.finite_element import FiniteElementRun
from fecontact.study.library import find
from fecontact.study.load import resolve, study_from_dict
from fecontact.study.toml.layers import merge_study, parse_override


def run(label: str) -> dict[str, np.ndarray]:
    """Columns of the history, and per rank: cells, free dofs and contact dofs."""
    name, *changes = label.split(":")
    data = resolve(find(name))
    for key in ("checks", "variants"):
        data.pop(key, None)
    for change in changes:
        merge_study(data, parse_override(change))
    simulation = Simulation(study_from_dict(data))
    record = simulation.run()
    assert record.failure is None, record.failure
    parts = simulation.parts
    assert isinstance(parts, FiniteElementRun)
    solid = parts.solid
    cells = sum(p.domain.topology.index_map(2).size_local for p in solid._space.pieces)
    prescribed = np.array(MPI.COMM_WORLD.allgather((cells, solid.size, len(solid._contact.mine))))
    columns = {f"column {k}": v for k, v in record.history.columns.items()}
    units = {f"unit {k}": np.array(v) for k, v in record.history.units.items()}
    return columns | units | {"time": record.history.time, "ranks": prescribed}


if __name__ == "__main__":
    found = {f"{label}|{k}": v for label in sys.argv[2:] for k, v in run(label).items()}
    hosts = MPI.COMM_WORLD.allgather(socket.gethostname())
    if MPI.COMM_WORLD.rank == 0:
        np.savez(sys.argv[1], hosts=hosts, **found)
