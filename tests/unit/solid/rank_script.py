"""Run under mpirun: solve small models on all ranks; rank 0 saves what every number of ranks must
give alike. Usage: rank_script.py OUTPUT.npz"""

from __future__ import annotations

import sys

import numpy as np
from solid_models import mesh_of, rectangle, solid, study, with_triangles

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.record import Array
from fecontact.solid.fem.dofs import SharedDofs
from fecontact.solid.linear.balance import Balance
from fecontact.solid.solvers import system
from fecontact.solid.solvers.substructure import Division, SubstructuredFactor


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
    divided = MPI.COMM_WORLD.size > 1 and solver == "mumps" and system.MAX_INTERFACE_DOFS > 0
    assert isinstance(factor, SubstructuredFactor) == divided
    u = factor.solve(bulk.load(t, np.empty(bulk.size)), np.empty(bulk.size))
    contact = bulk.gather(u, np.empty(bulk.surface.size))
    forces = bulk.scatter(np.cos(np.arange(bulk.surface.size)), np.zeros(bulk.size))
    compliance = factor.compliance(np.arange(bulk.surface.size))
    factor.interface_solution(bulk.load(t, np.empty(bulk.size)))
    loaded = factor.solution_with_contact(np.cos(np.arange(bulk.surface.size)), np.empty(bulk.size))
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
        "loaded": bulk.nodal(loaded, t),
    }


def reported_everywhere() -> None:
    """A matrix that is singular on the last rank only fails on every rank."""
    comm = MPI.COMM_WORLD
    diagonal = np.ones(3)
    diagonal[0] = 0.0 if comm.rank == comm.size - 1 else 1.0
    csr = np.arange(4, dtype="i4"), np.arange(3, dtype="i4") + 3 * comm.rank, diagonal
    matrix = PETSc.Mat().createAIJ(((3, None), (3, None)), csr=csr, comm=comm)
    contact = SharedDofs(comm, np.array([comm.rank]), np.array([2]), comm.size)
    balance = Balance(np.zeros((3, 0)), np.zeros((3, 0)), np.asarray)
    none = np.zeros(0, np.int64)
    try:
        SubstructuredFactor(matrix, Division(matrix, contact), none, np.zeros(0), balance)
    except np.linalg.LinAlgError:
        return
    raise AssertionError(f"rank {comm.rank} was not reported")


if __name__ == "__main__":
    reported_everywhere()
    found = {}
    most = system.MAX_INTERFACE_DOFS
    for element, solver, cells, mixed in (
        ("quad4", "mumps", 4, False),
        ("quad4", "mumps-alone", 5, False),  # a factor distributed by MUMPS, not by substructures
        ("quad8", "lu", 3, False),
        ("tri6", "mumps", 2, False),
        ("tri3", "lu", 1, False),
        ("quad4", "mumps", 1, False),  # three cells: ranks without any
        ("quad4", "lu", 3, True),
        ("quad8", "mumps", 2, True),
    ):
        system.MAX_INTERFACE_DOFS = 0 if solver.endswith("-alone") else most
        for name, value in results(element, solver.split("-")[0], cells, mixed).items():
            found[f"{element}-{cells}-{mixed}-{name}"] = value
    if MPI.COMM_WORLD.rank == 0:
        np.savez(sys.argv[1], **found)
