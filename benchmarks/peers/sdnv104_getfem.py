"""SDNV104 with GetFEM: Q1 shoe on the rigid plane y = 0, integral contact with a multiplier field.

The support is fixed, so a rigid plane is equivalent. GetFEM provides Newmark's scheme; the HHT
weights are added as factors and as a right-hand side. Two points are not obvious. The convergence
test adds residuals of forces and of gaps, so in SI units it accepts any iterate or none; forces are
therefore in units of YOUNG. The iterations converge only with an augmentation near 1e11 Pa/m.
"""

from __future__ import annotations

import sdnv104 as case

try:
    import getfem as gf
    import numpy as np
except ImportError:
    case.skip("module getfem not found (Debian package python3-getfem)")

UNIT = 1e11  # of forces, N
AUGMENTATION = 1e11  # Pa/m
BOTTOM, TOP, LEFT = 1, 2, 3


def regions(mesh) -> None:
    """Number the loaded edges and the contact edge."""
    faces = mesh.outer_faces()
    nx, ny = mesh.normal_of_faces(faces)
    for region, chosen in ((BOTTOM, ny < -0.5), (TOP, ny > 0.5), (LEFT, nx < -0.5)):
        mesh.set_region(region, faces[:, chosen])


def run(n: int, steps: int) -> tuple[list[float], int]:
    """Return the displacements of the upper right corner of the shoe, m, and Newton iterations."""
    gf.util("trace level", 0)
    gf.util("warning level", 0)
    side = np.linspace(0.0, 1.0, n + 1)
    mesh = gf.Mesh("cartesian", side, side)
    regions(mesh)
    element, rule = gf.Fem("FEM_QK(2,1)"), gf.Integ("IM_GAUSS_PARALLELEPIPED(2,3)")
    vectors, multipliers, scalars = gf.MeshFem(mesh, 2), gf.MeshFem(mesh, 2), gf.MeshFem(mesh, 1)
    for fem in (vectors, multipliers, scalars):
        fem.set_fem(element)
    integral = gf.MeshIm(mesh, rule)
    size = vectors.nbdof()
    places = vectors.basic_dof_nodes()
    springs = [
        int(np.flatnonzero((np.abs(places - [[1.0], [y]]) < 1e-9).all(axis=0)).min())
        for y in (0.0, 1.0)
    ]
    late = 1 + case.ALPHA  # weight of the forces at the end of a step

    stiffness = gf.asm(
        "generic", integral, 2, f"{case.YOUNG / UNIT!r}*Sym(Grad_u):Grad_Test_u", -1,
        "u", 1, vectors, np.zeros(size),
    )  # fmt: skip
    at_the_end = gf.Spmat("empty", size, size)
    for dof in springs:
        stiffness.add(dof, dof, case.SPRING / UNIT)
        at_the_end.add(dof, dof, late * case.SPRING / UNIT)
    constant = np.ones(scalars.nbdof())
    down = np.vstack([0 * constant, -case.WEIGHT * constant])
    along = np.vstack([case.PUSH * constant, 0 * constant])
    loads = gf.asm_boundary_source(TOP, integral, vectors, scalars, down)
    loads = (loads + gf.asm_boundary_source(LEFT, integral, vectors, scalars, along)).ravel() / UNIT

    model = gf.Model("real")
    model.add_fem_variable("u", vectors)
    model.add_Newmark_scheme("u", case.BETA, case.GAMMA)
    model.set_time_step(case.STEP)
    model.add_initialized_data("young", late * case.YOUNG / UNIT)
    model.add_initialized_data("density", case.DENSITY / UNIT)
    model.add_mass_brick(integral, "Dot2_u", "density")
    model.add_linear_term(integral, "young*Sym(Grad_u):Grad_Test_u", -1, True, True)
    model.add_explicit_matrix("u", "u", at_the_end, True, True)
    right = model.add_explicit_rhs("u", np.zeros(size))
    model.add_filtered_fem_variable("pressure", multipliers, BOTTOM)
    model.add_initialized_fem_data("height", scalars, scalars.basic_dof_nodes()[1])
    model.add_initialized_data("r", AUGMENTATION / UNIT)
    model.add_initialized_data("friction", case.FRICTION)
    model.add_initialized_data("one", 1.0)
    model.add_initialized_fem_data("before", vectors, np.zeros(size))
    model.add_integral_contact_with_rigid_obstacle_brick(
        integral, "u", "pressure", "height", "r", "friction", BOTTOM, 1, "one", "before"
    )
    u, displacement, total = np.zeros(size), [0.0], 0
    for k in range(steps):
        factor = late * case.ramp((k + 1) * case.STEP) + (1 - late) * case.ramp(k * case.STEP)
        model.set_private_rhs(right, factor * loads - (1 - late) * stiffness.mult(u))
        model.set_variable("before", u)
        iterations, converged = model.solve(
            "max_res", 2e-12 * n, "max_iter", 60, "lsolver", "mumps"
        )
        if not converged:
            case.skip(f"GetFEM: no convergence in step {k + 1}")
        total += iterations
        u = np.array(model.variable("u"))
        displacement.append(float(u[springs[1]]))
        model.shift_variables_for_time_integration()
    return displacement, total


def version() -> str:
    return str(getattr(gf, "__version__", ""))


def main() -> None:
    n, steps = case.arguments()
    if case.deformable():
        case.skip("GetFEM: the script supports only the rigid plane")
    watch = case.Stopwatch()
    displacement, iterations = run(n, steps)
    case.report(version(), displacement, watch.read(), iterations)


if __name__ == "__main__":
    main()
