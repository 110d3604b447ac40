"""Run under mpirun: a finite-element and a lumped sweep; rank 0 saves the tables.

Usage: sweeping.py OUTPUT.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from mpi4py import MPI

from fecontact.study.library import find
from fecontact.study.load import resolve
from fecontact.study.toml.layers import Data, merge_into
from fecontact.sweep import sweep_study


def shoe() -> Data:
    """The shoe of SDNV104 for some friction coefficients: how far it is after 0.05 s."""
    data = resolve(find("sdnv104a"))
    for key in ("checks", "variants"):
        del data[key]
    sweep = {
        "axes": {"contact.sole.friction": {"start": 0.1, "stop": 0.4, "count": 4}},
        "results": {"way": {"quantity": "x_A", "measure": "final"}},
    }
    return merge_into(data, {"time": {"end": 0.05}, "sweep": sweep})


def shaken_block() -> Data:
    """The work rate of the block of SDND104 for some amplitudes of the support."""
    data = resolve(find("sdnd104-map"))
    amplitudes = {"functions.shake.amplitude": {"start": 3.0, "stop": 15.0, "count": 5}}
    data["sweep"]["axes"] = amplitudes
    return data


if __name__ == "__main__":
    world = MPI.COMM_WORLD
    comm = world if world.size > 1 else None
    tables = {}
    for data in (shoe(), shaken_block()):
        record = sweep_study(data, processes=1, comm=comm)
        tables[data["kind"]] = next(iter(record.results.values())).tolist()
    if world.rank == 0:
        Path(sys.argv[1]).write_text(json.dumps(tables), encoding="utf-8")
