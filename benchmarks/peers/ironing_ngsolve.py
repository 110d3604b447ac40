"""Ironing with NGSolve: a rigid cylinder is pressed into a rubber block and dragged along it.

    python3 ironing_ngsolve.py CELLS

Problem, elements and load steps are those of `benchmarks.measure.finite_strain`: 2·CELLS × CELLS
bilinear quads, neo-Hookean, plane strain, 10 + 20 steps. NGSolve differentiates the stored energy.
Normal contact and friction are penalties on the loaded edge; the traction is the return mapping of
the slip in the step, as a user would write it. Newton's method starts with the displacement
increment of the previous step and halves an increment that does not reduce the residual.
"""

from __future__ import annotations

import itertools
import json
import sys

import sdnv104 as case

try:
    import ngsolve as ng
    from netgen.csg import Pnt
    from netgen.meshing import Element1D, Element2D, FaceDescriptor, MeshPoint
    from netgen.meshing import Mesh as NetgenMesh
except ImportError:
    case.skip("module ngsolve not found (from PyPI)")

YOUNG, POISSON, FRICTION = 1e6, 0.3, 0.3
CENTRE, RADIUS, DEPTH, WAY = (-0.15, 1.5), 0.5, 0.2, 0.3  # m
PRESSING, DRAWING = 10, 20  # steps
NORMAL, TANGENTIAL = 1e9, 1e8  # penalties, Pa/m
BALANCED = 1e-8  # convergence limit of the residual, relative to the reactions at the fixed base
ITERATIONS, SHARES = 60, tuple(0.5**k for k in range(8))


def make_mesh(n: int) -> ng.Mesh:
    """Return the mesh of the block [−1, 1] × [0, 1]."""
    mesh = NetgenMesh()
    mesh.dim = 2
    rows = [
        [mesh.Add(MeshPoint(Pnt(-1 + i / n, j / n, 0))) for i in range(2 * n + 1)]
        for j in range(n + 1)
    ]
    mesh.Add(FaceDescriptor(surfnr=1, domin=1, bc=1))
    for low, high in itertools.pairwise(rows):
        for i in range(2 * n):
            mesh.Add(Element2D(1, [low[i], low[i + 1], high[i + 1], high[i]]))
    for index, (name, nodes) in enumerate({"base": rows[0], "top": rows[-1][::-1]}.items()):
        mesh.SetBCName(index, name)
        for pair in itertools.pairwise(nodes):
            mesh.Add(Element1D(list(pair), index=index + 1))
    return ng.Mesh(mesh)


class Ironing:
    """Weak form with the position of the cylinder as parameters."""

    def __init__(self, n: int) -> None:
        mesh = make_mesh(n)
        space = ng.VectorH1(mesh, order=1, dirichlet="base")
        u, v = space.TnT()
        self.now, self.before = ng.GridFunction(space), ng.GridFunction(space)
        self.centre = [ng.Parameter(c) for c in CENTRE]
        self.moved = [ng.Parameter(0.0) for _ in CENTRE]  # in this step
        mu = YOUNG / (2 * (1 + POISSON))
        lam = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
        gradient = ng.Id(2) + ng.Grad(u)
        volume = ng.Det(gradient)
        squares = ng.InnerProduct(gradient, gradient) + 1
        energy = mu / 2 * (squares - 3) - mu * ng.log(volume) + lam / 2 * ng.log(volume) ** 2
        radius = ng.CF((ng.x + u[0] - self.centre[0], ng.y + u[1] - self.centre[1]))
        distance = ng.sqrt(radius * radius)
        normal = radius / distance
        tangent = ng.CF((-normal[1], normal[0]))
        depth = RADIUS - distance
        self.pressure = ng.IfPos(depth, NORMAL * depth, 0.0)
        slip = (u - self.before - ng.CF(tuple(self.moved))) * tangent
        trial, limit = TANGENTIAL * slip, FRICTION * self.pressure
        drag = ng.IfPos(trial - limit, limit, ng.IfPos(-trial - limit, -limit, trial))
        self.form = ng.BilinearForm(space)
        self.form += ng.Variation(energy.Compile() * ng.dx)
        traction = -self.pressure * (v * normal) + drag * (v * tangent)
        self.form += traction.Compile() * ng.ds("top", bonus_intorder=4)
        self.free, self.prescribed = space.FreeDofs(), ~space.FreeDofs()
        self.space = space
        self.residual, self.change = (self.now.vec.CreateVector() for _ in range(2))

    def left(self) -> tuple[float, float]:
        """Return the norms of the residual and of the reactions at the base."""
        self.form.Apply(self.now.vec, self.residual)
        kept = self.residual.CreateVector()
        kept.data = ng.Projector(self.prescribed, True) * self.residual
        self.residual.data = ng.Projector(self.free, True) * self.residual
        return ng.Norm(self.residual), ng.Norm(kept)

    def balance(self) -> int:
        """Solve with Newton's method and return the number of iterations."""
        left, scale = self.left()
        start = self.now.vec.CreateVector()
        for iteration in range(ITERATIONS):
            if left <= BALANCED * max(scale, 1e-9 * YOUNG):
                return iteration
            self.form.AssembleLinearization(self.now.vec)
            inverse = self.form.mat.Inverse(self.free, inverse="umfpack")
            self.change.data = inverse * self.residual
            start.data = self.now.vec
            for share in SHARES:
                self.now.vec.data = start - share * self.change
                found, scale = self.left()
                if found < left:
                    break
            left = found
        case.skip("NGSolve: no convergence")
        return 0

    def force(self) -> tuple[float, float]:
        """Return the force (x, y) on the cylinder, N per m: the reaction of the fixed base."""
        total = self.residual.CreateVector()
        self.form.Apply(self.now.vec, total)
        ones = ng.GridFunction(self.space)
        found = []
        for direction in ((1, 0), (0, 1)):
            ones.Set(ng.CF(direction), definedon=self.space.mesh.Boundaries("base"))
            found.append(ng.InnerProduct(total, ones.vec))
        return found[0], found[1]


def run(n: int) -> tuple[tuple[float, float], int]:
    """Return the final force on the cylinder and the Newton iterations."""
    model, total = Ironing(n), 0
    way = model.now.vec.CreateVector()
    way[:] = 0.0
    for step in range(1, PRESSING + DRAWING + 1):
        down = min(1.0, step / PRESSING) * DEPTH
        along = max(0.0, (step - PRESSING) / DRAWING) * WAY
        place = (CENTRE[0] + along, CENTRE[1] - down)
        for moved, centre, new in zip(model.moved, model.centre, place, strict=True):
            moved.Set(new - centre.Get())
            centre.Set(new)
        model.before.vec.data = model.now.vec
        model.now.vec.data += way
        total += model.balance()
        way.data = model.now.vec - model.before.vec
    return model.force(), total


def main() -> None:
    n = int(sys.argv[1])
    ng.SetNumThreads(1)
    watch = case.Stopwatch()
    (tangential, normal), iterations = run(n)
    wall, cpu = watch.read()
    found = {"normal": normal, "tangential": tangential, "iterations": iterations}
    print(json.dumps({"version": ng.__version__, "wall": wall, "cpu": cpu} | found))


if __name__ == "__main__":
    main()
