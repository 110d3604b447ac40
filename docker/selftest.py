"""Prove that an environment works before it is used: run on two MPI ranks by docker/finish.

Every dependency imports; two ranks share a mesh; FFCx compiles a form with gcc; MUMPS solves it; numpy
and MUMPS do so with OpenBLAS; numba compiles. The equation -div grad u + u = 1 with free boundary has
the solution u = 1, so its integral over the unit square is 1.
"""

from importlib import import_module
from pathlib import Path

from dependencies import MODULES

for name in MODULES:
    import_module(name)

import numba  # noqa: E402
import ufl  # noqa: E402
from dolfinx import __version__, fem, mesh  # noqa: E402
from dolfinx.fem import petsc as fem_petsc  # noqa: E402
from mpi4py import MPI  # noqa: E402
from petsc4py import PETSc  # noqa: E402

domain = mesh.create_unit_square(MPI.COMM_WORLD, 4, 4)
space = fem.functionspace(domain, ("Lagrange", 1))
u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
matrix = fem_petsc.assemble_matrix(fem.form((ufl.inner(ufl.grad(u), ufl.grad(v)) + u * v) * ufl.dx))
matrix.assemble()
load = fem_petsc.assemble_vector(fem.form(v * ufl.dx))
load.ghostUpdate(PETSc.InsertMode.ADD, PETSc.ScatterMode.REVERSE)

solver = PETSc.KSP().create(domain.comm)
solver.setOperators(matrix)
solver.setType("preonly")
solver.getPC().setType("lu")
solver.getPC().setFactorSolverType("mumps")
solution = matrix.createVecRight()
solver.solve(load, solution)
integral = solution.dot(load)

blas = {line.rpartition("/")[2] for line in Path("/proc/self/maps").read_text().split("\n") if "blas" in line}
assert domain.comm.size == 2, f"{domain.comm.size} MPI ranks instead of 2"
assert abs(integral - 1.0) < 1e-12, f"the integral of u is {integral}, not 1"
assert any("openblas" in name for name in blas), f"BLAS is not OpenBLAS but {sorted(blas)}"
assert numba.njit(lambda x: 2 * x)(21) == 42, "numba compiles wrong code"
if domain.comm.rank == 0:
    print(f"dolfinx {__version__} with MUMPS on 2 MPI ranks works")
