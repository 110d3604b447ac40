"""Contact and time integration of fecontact with user-defined dolfinx forms.

The first half is a plain dolfinx script: a mesh of two bodies, a space, forms, assembled matrices.
The second half passes the matrices and the contact facets to fecontact and steps in time. At the
end the same block is computed from a study, without user-defined forms. Both agree to round-off, on
one rank or on several.

    python examples/own_forms.py [FOLDER]     # writes FOLDER/own_forms.png
    mpirun -n 2 python examples/own_forms.py
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import ufl
from dolfinx import fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc

import fecontact

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results/examples")
comm = MPI.COMM_WORLD
young, poisson, density, gravity, speed = 1e9, 0.3, 2000.0, 9.81, 1.0  # SI

# Two bodies in one mesh: a slab, 4 m long, and a block of 1 m above it are taken from a grid with h
# = 0.25 m. The empty row between them separates them in the mesh. After the facets on both sides
# are marked, the block is moved down onto the slab.

h = 0.25
grid = mesh.create_rectangle(comm, [(0, -2 * h), (4, 5 * h)], [16, 7], mesh.CellType.quadrilateral)
cells = np.arange(grid.topology.index_map(2).size_local, dtype=np.int32)
x, y, _ = mesh.compute_midpoints(grid, 2, cells).T
domain = mesh.create_submesh(grid, 2, cells[(y < 0) | (y > h) & (x < 1)])[0]

sole = mesh.locate_entities_boundary(domain, 1, lambda x: np.isclose(x[1], h))
ground = mesh.locate_entities_boundary(domain, 1, lambda x: np.isclose(x[1], 0))
of_block = domain.geometry.x[:, 1] > h / 2
domain.geometry.x[of_block, 1] -= h

# Linear elasticity and inertia, as in any dolfinx demo. Boundary conditions are not assembled into
# the matrices: fecontact eliminates the prescribed dofs.

V = fem.functionspace(domain, ("Lagrange", 1, (2,)))
u, v = ufl.TrialFunction(V), ufl.TestFunction(V)
mu, lame = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))


def epsilon(w):
    return ufl.sym(ufl.grad(w))


def sigma(w):
    return lame * ufl.tr(epsilon(w)) * ufl.Identity(2) + 2 * mu * epsilon(w)


M = petsc.assemble_matrix(fem.form(density * ufl.inner(u, v) * ufl.dx))
K = petsc.assemble_matrix(fem.form(ufl.inner(sigma(u), epsilon(v)) * ufl.dx))
M.assemble()
K.assemble()

height = ufl.SpatialCoordinate(domain)[1]
weight = ufl.conditional(ufl.gt(height, 0), -density * gravity, 0.0)  # of the block only
F = petsc.assemble_vector(fem.form(weight * v[1] * ufl.dx))
F.ghostUpdate(addv=PETSc.InsertMode.ADD, mode=PETSc.ScatterMode.REVERSE)

bottom = fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[1], -2 * h))
clamp = fem.dirichletbc(np.zeros(2), bottom, V)

# fecontact starts here. The load can be any function of time; the tables are [contact.NAME] and
# [time] of a study file. The block starts at 1 m/s.

bulk = fecontact.PetscBulk(
    V, M, K, load=lambda t: F.array, facets={"sole": sole, "ground": ground}, bcs=[clamp]
)
cells = np.arange(V.dofmap.list.shape[0], dtype=np.int32)
block = cells[mesh.compute_midpoints(domain, 2, cells)[:, 1] > 0]
v0 = fem.Function(V)
v0.interpolate(lambda x: np.outer([speed, 0.0], np.ones_like(x[0])), block)
v0.x.scatter_forward()

time = {"step": 0.004, "end": 0.4}
pair = {"slave": "sole", "master": "ground", "friction": 0.3}
loop = fecontact.contact_loop(bulk, {"pair": pair}, time, v=v0)

# Advance step by step; contact quantities are available on every rank.

steps, slid = [0.0], [0.0]
while not loop.finished:
    steps.append(loop.advance().time)
    slid.append(loop.contact.surface("pair")["slip"].mean())
pressure = loop.contact.surface("pair")["pressure"]
displacement = bulk.displacement(loop.now.u)  # a dolfinx function

# The same block as a study.

rectangle = {"type": "rectangle", "corner": [0.0, 0.0], "size": [1.0, 1.0], "cells": [4, 4]}
slab = {"corner": [0.0, -2 * h], "size": [4.0, 2 * h], "cells": [16, 2]}
study = fecontact.define(
    {
        "title": "A block thrown along an elastic slab: user-defined forms and a study",
        "kind": "finite-element",
        "mesh.shapes": {"block": rectangle, "slab": rectangle | slab},
        "materials.stuff": {"young": young, "poisson": poisson, "density": density},
        "bodies.block": {"material": "stuff", "velocity": [speed, 0.0]},
        "bodies.slab": {"material": "stuff"},
        "supports.clamp": {"on": "slab.bottom", "x": 0.0, "y": 0.0},
        "loads.weight": {"type": "gravity", "on": "block", "value": [0.0, -gravity]},
        "contact.pair": pair | {"slave": "block.bottom", "master": "slab.top"},
        "time": time,
    }
)
surface = fecontact.run(study).record.surfaces["pair"]
difference = np.abs(slid - surface.slip.mean(axis=1)).max()
if comm.rank == 0:
    print(f"slid {slid[-1]:.6f} m; user-defined forms and study differ by {difference:.1e} m")

    figure = Figure(figsize=(10.0, 4.0), layout="constrained")
    path, profile = figure.subplots(1, 2)
    path.plot(surface.time, surface.slip.mean(axis=1), label="study")
    path.plot(steps[::5], slid[::5], "o", markerfacecolor="none", label="own forms")
    path.set(xlabel="time [s]", ylabel="mean slip of the contact [m]")
    profile.plot(surface.arc, 1e-3 * surface.pressure[-1], label="study")
    profile.plot(surface.arc, 1e-3 * pressure, "o", markerfacecolor="none", label="own forms")
    profile.set(xlabel="along the contact [m]", ylabel="pressure at the end [kPa]")
    for axes in (path, profile):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.suptitle(study.title)
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "own_forms.png", dpi=130)
