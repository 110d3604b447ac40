"""Run under mpirun: solve small models on all ranks; rank 0 saves what every number of ranks must
give alike. Usage: rank_script.py OUTPUT.npz"""

from __future__ import annotations

import sys

import numpy as np
from solid_models import mesh_of, rectangle, solid, study, with_triangles

from mpi4py import MPI

from fecontact.record import Array


def results(element: str, solver: str, cells: int, mixed: bool) -> dict[str, Array]:
    """Solution, products, compliance, stress and reaction of two bodies on a moving support."""
    model = study(
        element,
        solver=solver,
        shapes={
            "block": rectangle((cells, cells)),
            "base": rectangle((cells + 1, 1), (4.0, 1.0), (-0.5, -1.0)),
        },
        points={"hook": (5.0, 2.0)},
        functions={"shake": {"type": "sine", "frequency": 0.3}},
        supports={"floor": {"on": "base.bottom", "x": 0.2, "y": 0.0, "function": "shake"}},
        springs={
            "hang": {"between": ("block.top-right", "hook"), "stiffness": (3.0, 1.0)},
            "tie": {"between": ("block.bottom-left", "base.top-right"), "stiffness": (2.0, 0.0)},
        },
        loads={"p": {"type": "pressure", "on": "block.top", "value": 1.0}},
        contact={"sole": {"slave": "block.bottom", "master": "base.top"}},
    )
    mesh = mesh_of(model)
    bulk = solid(model, with_triangles(mesh) if mixed else mesh, MPI.COMM_WORLD)
    t = 0.7
    factor = bulk.factor(3.0, 0.0, 1.0)
    u = factor.solve(bulk.load(t, np.empty(bulk.size)), np.empty(bulk.size))
    contact = bulk.gather(u, np.empty(bulk.surface.size))
    forces = bulk.scatter(np.cos(np.arange(bulk.surface.size)), np.zeros(bulk.size))
    compliance = factor.compliance(np.arange(bulk.surface.size))
    for everywhere in (contact, compliance):
        copies = MPI.COMM_WORLD.allgather(everywhere.tobytes())
        assert len(set(copies)) == 1, "not the same bits on every rank"
    return {
        "u": bulk.nodal(u, t),
        "mass": bulk.nodal(bulk.mass(u, np.empty(bulk.size)), t),
        "stiffness": bulk.nodal(bulk.stiffness(u, np.empty(bulk.size)), t),
        "stress": bulk.stress(u, t),
        "stress_at": bulk.stress_at(0, u, t),
        "reaction": bulk.reaction("floor", u, u, u, t),
        "energy": np.array([bulk.spring_energy(u, t), *bulk.support_energy(u, u, t)]),
        "contact": contact,
        "forces": bulk.nodal(forces, t),
        "compliance": compliance,
    }


if __name__ == "__main__":
    found = {}
    for element, solver, cells, mixed in (
        ("quad4", "mumps", 4, False),
        ("quad8", "lu", 3, False),
        ("tri6", "mumps", 2, False),
        ("tri3", "lu", 1, False),
        ("quad4", "mumps", 1, False),  # three cells: ranks without any
        ("quad4", "lu", 3, True),
        ("quad8", "mumps", 2, True),
    ):
        for name, value in results(element, solver, cells, mixed).items():
            found[f"{element}-{cells}-{mixed}-{name}"] = value
    if MPI.COMM_WORLD.rank == 0:
        np.savez(sys.argv[1], **found)
