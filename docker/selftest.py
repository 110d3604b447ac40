"""Prove that an environment works before it is used: docker/finish runs this on two MPI ranks."""

from importlib import import_module
from pathlib import Path

import numba
from dependencies import MODULES

import ufl
from dolfinx import __version__, fem, mesh
from dolfinx.fem.petsc import assemble_matrix, assemble_vector
from mpi4py import MPI
from petsc4py import PETSc


def integral_of_solution() -> float:
    """Solve -div grad u + u = 1 on the unit square with a free boundary; return the integral of u.

    The solution is u = 1. On the way two ranks share a mesh, FFCx compiles forms with gcc, and
    MUMPS factorises.
    """
    square = mesh.create_unit_square(MPI.COMM_WORLD, 4, 4)
    space = fem.functionspace(square, ("Lagrange", 1))
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    matrix = assemble_matrix(fem.form((ufl.inner(ufl.grad(u), ufl.grad(v)) + u * v) * ufl.dx))
    matrix.assemble()
    load = assemble_vector(fem.form(v * ufl.dx))
    load.ghostUpdate(PETSc.InsertMode.ADD, PETSc.ScatterMode.REVERSE)

    solver = PETSc.KSP().create(square.comm)
    solver.setOperators(matrix)
    solver.setType("preonly")
    solver.getPC().setType("lu")
    solver.getPC().setFactorSolverType("mumps")
    solution = matrix.createVecRight()
    solver.solve(load, solution)
    return solution.dot(load)


def main() -> None:
    for name in MODULES:
        import_module(name)
    ranks, integral = MPI.COMM_WORLD.size, integral_of_solution()
    loaded_libraries = Path("/proc/self/maps").read_text()

    assert ranks == 2, f"{ranks} MPI ranks instead of 2"
    assert abs(integral - 1.0) < 1e-12, f"the integral of u is {integral}, not 1"
    assert "openblas" in loaded_libraries, "BLAS is not OpenBLAS, which makes MUMPS slow"
    assert numba.njit(lambda x: 2 * x)(21) == 42, "numba compiles wrong code"
    if MPI.COMM_WORLD.rank == 0:
        print(f"docker/run: dolfinx {__version__} with MUMPS on 2 MPI ranks works")


if __name__ == "__main__":
    main()
