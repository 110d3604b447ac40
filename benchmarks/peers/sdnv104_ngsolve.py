"""SDNV104 with NGSolve: bilinear quads, `ContactBoundary` with penalties, small strains.

NGSolve provides neither an HHT scheme nor friction. The time loop, the return mapping of friction
and Newton's method are part of this script, as a user would write them.
"""

from __future__ import annotations

import itertools

import sdnv104 as case

try:
    import ngsolve as ng
    from netgen.csg import Pnt
    from netgen.meshing import Element1D, Element2D, FaceDescriptor, MeshPoint
    from netgen.meshing import Mesh as NetgenMesh
except ImportError:
    case.skip("module ngsolve not found (from PyPI)")

NORMAL, TANGENTIAL = 1e11, 1e10  # penalties, Pa/m
TOLERANCE = 1e-6 * case.PUSH  # of the residual, N
ITERATIONS = 60
REACH = 0.5  # m, search distance for the master


def make_mesh(n: int) -> ng.Mesh:
    """Return the mesh of the shoe and a strip with elements as long as those of the shoe; nodes of
    the shoe first.
    """
    left, right, depth = case.SUPPORT
    columns = int(right - left) * n
    mesh = NetgenMesh()
    mesh.dim = 2
    shoe = [[mesh.Add(MeshPoint(Pnt(i / n, j / n, 0))) for i in range(n + 1)] for j in range(n + 1)]
    strip = [
        [
            mesh.Add(MeshPoint(Pnt(left + (right - left) * i / columns, depth * (j - 1), 0)))
            for i in range(columns + 1)
        ]
        for j in range(2)
    ]
    for index, (name, nodes) in enumerate({"shoe": shoe, "strip": strip}.items(), 1):
        mesh.Add(FaceDescriptor(surfnr=index, domin=index, bc=1))
        mesh.SetMaterial(index, name)
        for low, high in itertools.pairwise(nodes):
            for i in range(len(low) - 1):
                mesh.Add(Element2D(index, [low[i], low[i + 1], high[i + 1], high[i]]))
    edges = {
        "bottom": shoe[0],
        "right": [row[-1] for row in shoe],
        "top": shoe[-1][::-1],
        "left": [row[0] for row in shoe][::-1],
        "master": strip[1][::-1],
        "base": strip[0],
    }
    for index, (name, nodes) in enumerate(edges.items()):
        mesh.SetBCName(index, name)
        for pair in itertools.pairwise(nodes):
            mesh.Add(Element1D(list(pair), index=index + 1))
    return ng.Mesh(mesh)


def contact(mesh: ng.Mesh, u, v, before: ng.GridFunction) -> ng.ContactBoundary:
    """Return the normal penalty term and the friction term with return mapping of the slip in the
    step.
    """
    boundary = ng.ContactBoundary(mesh.Boundaries("bottom"), mesh.Boundaries("master"))
    normal = boundary.normal
    tangent = ng.CF((-normal[1], normal[0]))
    place = ng.CF((ng.x, ng.y))
    depth = ((place + u) - (place.Other() + u.Other())) * normal
    pressure = ng.IfPos(depth, NORMAL * depth, 0.0)
    slip = ((u - u.Other()) - (before - before.Other())) * tangent
    trial, limit = TANGENTIAL * slip, case.FRICTION * pressure
    traction = ng.IfPos(trial - limit, limit, ng.IfPos(-trial - limit, -limit, trial))
    jump = v - v.Other()
    boundary.AddIntegrator(pressure * (jump * normal) + traction * (jump * tangent))
    return boundary


def run(n: int, steps: int) -> tuple[list[float], int]:
    """Return the displacements of the upper right corner of the shoe, m, and Newton iterations."""
    mesh = make_mesh(n)
    space = ng.VectorH1(mesh, order=1)
    of_shoe = (n + 1) ** 2
    free = ng.BitArray(space.ndof)
    free.Set()
    of_base = (mesh.nv - of_shoe) // 2  # the strip's lower nodes come first
    for k in range(of_shoe, of_shoe + of_base if case.deformable() else mesh.nv):
        free[k] = free[mesh.nv + k] = False
    u, v = space.TnT()
    late = 1 + case.ALPHA  # weight of the forces at the end of a step
    inertia = 1 / (case.BETA * case.STEP**2)
    young = mesh.MaterialCF({"shoe": case.YOUNG, "strip": 1e11})
    density = mesh.MaterialCF(
        {"shoe": case.DENSITY, "strip": case.DENSITY if case.deformable() else 0.0}
    )
    stiffness_form = young * ng.InnerProduct(ng.Sym(ng.Grad(u)), ng.Grad(v)) * ng.dx
    mass_form = density * ng.InnerProduct(u, v) * ng.dx
    stiffness = ng.BilinearForm(stiffness_form).Assemble().mat
    mass = ng.BilinearForm(mass_form).Assemble().mat
    loads = ng.LinearForm(
        ng.CF((0, -case.WEIGHT)) * v * ng.ds("top") + ng.CF((case.PUSH, 0)) * v * ng.ds("left")
    ).Assemble().vec  # fmt: skip
    effective = ng.BilinearForm(space)
    effective += inertia * mass_form + late * stiffness_form
    now, before = ng.GridFunction(space), ng.GridFunction(space)
    sole = contact(mesh, u, v, before)
    springs = (n, of_shoe - 1)

    position, velocity, acceleration = (loads.CreateVector() for _ in range(3))
    for vector in (position, velocity, acceleration):
        vector[:] = 0.0
    predictor, right, residual, product, change = (loads.CreateVector() for _ in range(5))
    excluded = ng.Projector(free, True)
    displacement, total = [0.0], 0
    for k in range(steps):
        before.vec.data = position
        factor = late * case.ramp((k + 1) * case.STEP) + (1 - late) * case.ramp(k * case.STEP)
        product.data = stiffness * position
        right.data = factor * loads - (1 - late) * product
        for dof in springs:
            right[dof] = right[dof] - (1 - late) * case.SPRING * position[dof]
        predictor.data = (
            position + case.STEP * velocity + case.STEP**2 * (0.5 - case.BETA) * acceleration
        )
        product.data = mass * predictor
        right.data += inertia * product
        now.vec.data = position + case.STEP * velocity
        sole.Update(now, effective, 4, REACH)
        for iteration in range(ITERATIONS):
            effective.Apply(now.vec, residual)
            residual.data -= right
            for dof in springs:
                residual[dof] = residual[dof] + late * case.SPRING * now.vec[dof]
            residual.data = excluded * residual
            if iteration and ng.Norm(residual) < TOLERANCE:
                break
            effective.AssembleLinearization(now.vec)
            for dof in springs:
                effective.mat[dof, dof] = effective.mat[dof, dof] + late * case.SPRING
            change.data = effective.mat.Inverse(free, inverse="umfpack") * residual
            now.vec.data -= change
            total += 1
        else:
            case.skip(f"NGSolve: no convergence in step {k + 1}")
        product.data = inertia * (now.vec - predictor)
        velocity.data += case.STEP * ((1 - case.GAMMA) * acceleration + case.GAMMA * product)
        acceleration.data = product
        position.data = now.vec
        displacement.append(position[springs[1]])
    return displacement, total


def main() -> None:
    n, steps = case.arguments()
    ng.SetNumThreads(1)
    watch = case.Stopwatch()
    displacement, iterations = run(n, steps)
    case.report(ng.__version__, displacement, watch.read(), iterations)


if __name__ == "__main__":
    main()
