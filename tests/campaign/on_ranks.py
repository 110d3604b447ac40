"""Run under mpirun: the histories of generated studies, saved by rank 0.

Usage: on_ranks.py OUTPUT.npz FAMILY:SEED FAMILY:SEED…
"""

from __future__ import annotations

import sys

import numpy as np
from generator import drawn
from trial import run

from mpi4py import MPI


def columns(label: str) -> dict[str, np.ndarray]:
    """The history of a study by column, or why it has none."""
    family, seed = label.split(":")
    outcome = run(drawn(family, int(seed)))
    if outcome.evidence is None:
        return {"rejected": np.array(outcome.rejection[:60])}
    return dict(outcome.evidence.record.history.columns)


if __name__ == "__main__":
    found = {f"{label}|{k}": v for label in sys.argv[2:] for k, v in columns(label).items()}
    if MPI.COMM_WORLD.rank == 0:
        np.savez(sys.argv[1], **found)
