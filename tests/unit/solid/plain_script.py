"""A bar without contact: the study, and run under mpirun its histories for the solvers of several
ranks. Usage: plain_script.py OUTPUT.npz"""

from __future__ import annotations

import sys

import numpy as np

from mpi4py import MPI

import fecontact

LENGTH, HEIGHT, YOUNG, DENSITY, PUSH = 1.0, 0.1, 2.0e11, 8000.0, 10.0
SPEED = float(np.sqrt(YOUNG / DENSITY))  # of longitudinal waves, as ν = 0


def histories(solver: str, prescribed: str) -> dict[str, np.ndarray]:
    """Displacement of the tip and reaction of a bar under a body force that acts from t = 0 on."""
    shape = {"type": "rectangle", "corner": [0.0, 0.0], "size": [LENGTH, HEIGHT], "cells": [40, 1]}
    study = fecontact.define(
        {
            "title": "bar",
            "kind": "finite-element",
            "solver": solver,
            "mesh.shapes.bar": shape,
            "materials.steel": {"young": YOUNG, "density": DENSITY},
            "bodies.bar.material": "steel",
            "supports.wall": {"on": prescribed, "x": 0.0, "y": 0.0},
            "loads.push": {"type": "gravity", "on": "bar", "value": [PUSH, 0.0]},
            "time.scheme": "average-acceleration",
            "time.step": LENGTH / SPEED / 200,
            "time.end": 2 * LENGTH / SPEED,
            "watch.tip": {"type": "displacement", "at": "bar.top-right"},
            "watch.wall": {"type": "reaction", "at": "wall"},
        }
    )
    result = fecontact.run(study)
    return {"time": result.time, "tip": result["tip"], "wall": result["wall"]}


if __name__ == "__main__":
    found = {
        f"{solver}/{prescribed}/{name}": values
        for solver in ("lu", "mumps")
        for prescribed in ("bar.left", "bar")
        for name, values in histories(solver, prescribed).items()
    }
    if MPI.COMM_WORLD.rank == 0:
        np.savez(sys.argv[1], **found)
