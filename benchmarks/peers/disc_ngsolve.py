"""A disc rolling down a slope with NGSolve: finite strain, one factorisation per Newton iteration.

    python3 disc_ngsolve.py MESH.json STEPS

MESH.json contains the disc of the study `rolling-disc` as meshed by fecontact: `points` (n, 2),
`cells` (c, 4) anticlockwise and `arc` (a, 2) along its rim with the body on the left. x points
down the slope, y away from it; the slope is the rigid plane y = 0.

St. Venant–Kirchhoff material, bilinear quads, HHT. Contact is enforced at the nodes with penalties,
as in fecontact. Nodes in contact always stick: with Coulomb's limit Newton's method cycles when a
node comes into contact, and a rolling disc does not reach the limit. The matrix is therefore
symmetric, which makes its factorisation cheaper. Prints one line of JSON with the median CPU time
of a step and the rolled distance.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import sdnv104 as common

try:
    import ngsolve as ng
    from netgen.csg import Pnt
    from netgen.meshing import Element1D, Element2D, FaceDescriptor, MeshPoint
    from netgen.meshing import Mesh as NetgenMesh
except ImportError:
    common.skip("module ngsolve not found (from PyPI)")

YOUNG, POISSON, DENSITY = 3e7, 0.3, 1000.0
GRAVITY, RAMP = (3.3552176060, -9.2183846297), 0.1
ALPHA, STEP = -0.1, 2e-3
BETA, GAMMA = (1 - ALPHA) ** 2 / 4, 0.5 - ALPHA
NORMAL, TANGENTIAL = 1e10, 1e10  # penalties, Pa/m
TOLERANCE = 1e-8  # of the residual, relative to the weight
ITERATIONS = 30
SOLVER = "sparsecholesky"  # about ten times faster here than UMFPACK
ENDS = ng.IntegrationRule(points=[(0.0,), (1.0,)], weights=[0.5, 0.5])  # of an edge: its nodes


def make_mesh(data: dict) -> ng.Mesh:
    mesh = NetgenMesh()
    mesh.dim = 2
    nodes = [mesh.Add(MeshPoint(Pnt(x, y, 0))) for x, y in data["points"]]
    mesh.Add(FaceDescriptor(surfnr=1, domin=1, bc=1))
    mesh.SetMaterial(1, "disc")
    for cell in data["cells"]:
        mesh.Add(Element2D(1, [nodes[i] for i in cell]))
    mesh.SetBCName(0, "arc")
    for edge in data["arc"]:
        mesh.Add(Element1D([nodes[i] for i in edge], index=1))
    return ng.Mesh(mesh)


class Disc:
    """Disc with its state at the start of a step."""

    def __init__(self, mesh: ng.Mesh) -> None:
        self.space = ng.VectorH1(mesh, order=1)
        self.u, self.v, self.a = (ng.GridFunction(self.space) for _ in range(3))
        self.now = ng.GridFunction(self.space)
        trial, test = self.space.TnT()
        self.mass = ng.BilinearForm(DENSITY * trial * test * ng.dx).Assemble().mat
        weight = ng.CF(GRAVITY) * DENSITY
        self.weight = ng.LinearForm(weight * test * ng.dx).Assemble().vec
        self.inner = ng.BilinearForm(self.space)
        self.inner += ng.InnerProduct(stress(trial), ng.Grad(test)).Compile() * ng.dx
        self.late = 1 + ALPHA
        inertia = DENSITY / (BETA * STEP**2) * trial * test
        self.effective = ng.BilinearForm(self.space)
        self.effective += inertia * ng.dx
        self.effective += (
            self.late * ng.InnerProduct(stress(trial), ng.Grad(test)).Compile() * ng.dx
        )
        self.effective += self.contact(trial, test) * ng.ds("arc", intrules={ng.SEGM: ENDS})

    def contact(self, u, v):
        """Return the contact term: normal penalty and stick at nodes below the plane."""
        depth = -(ng.y + u[1])
        traction = TANGENTIAL * (u[0] - self.u[0])
        return ng.IfPos(depth, traction * v[0] - NORMAL * depth * v[1], 0.0)

    def step(self, k: int) -> int:
        """Solve step k and return its Newton iterations."""
        u, v, a, now = self.u.vec, self.v.vec, self.a.vec, self.now.vec
        factor = self.late * ramp((k + 1) * STEP) + (1 - self.late) * ramp(k * STEP)
        right, residual, change, predictor = (u.CreateVector() for _ in range(4))
        self.inner.Apply(u, residual)
        predictor.data = u + STEP * v + STEP**2 * (0.5 - BETA) * a
        right.data = factor * self.weight - (1 - self.late) * residual
        right.data += 1 / (BETA * STEP**2) * self.mass * predictor
        now.data = u + STEP * v
        for made in range(ITERATIONS):
            self.effective.Apply(now, residual)
            residual.data -= right
            if ng.Norm(residual) < TOLERANCE * ng.Norm(self.weight):
                return self._accept(predictor, made)
            self.effective.AssembleLinearization(now)
            change.data = self.effective.mat.Inverse(self.space.FreeDofs(), SOLVER) * residual
            now.data -= change
        common.skip(f"NGSolve: no convergence in step {k + 1}")
        return 0

    def _accept(self, predictor, made: int) -> int:
        """Make the end of a step the current state."""
        u, v, a = self.u.vec, self.v.vec, self.a.vec
        change = u.CreateVector()
        change.data = 1 / (BETA * STEP**2) * (self.now.vec - predictor)
        v.data += STEP * ((1 - GAMMA) * a + GAMMA * change)
        a.data = change
        u.data = self.now.vec
        return made

    def rolled(self) -> float:
        """Return the mean displacement down the slope, m."""
        mesh = self.space.mesh
        return ng.Integrate(self.u[0], mesh) / ng.Integrate(ng.CF(1.0), mesh)


def stress(u):
    """Return the first Piola–Kirchhoff stress of a St. Venant–Kirchhoff material in plane strain,
    Pa.
    """
    mu = YOUNG / (2 * (1 + POISSON))
    lam = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    identity = ng.Id(2)
    f = identity + ng.Grad(u)
    green = 0.5 * (f.trans * f - identity)
    return f * (lam * ng.Trace(green) * identity + 2 * mu * green)


def ramp(t: float) -> float:
    return min(1.0, t / RAMP)


def main() -> None:
    data, steps = json.loads(Path(sys.argv[1]).read_text()), int(sys.argv[2])
    ng.SetNumThreads(1)
    disc = Disc(make_mesh(data))
    spent, iterations = [], 0
    for k in range(steps):
        started = time.process_time()
        iterations += disc.step(k)
        spent.append(time.process_time() - started)
    spent.sort()
    print(
        json.dumps(
            {
                "version": ng.__version__,
                "dofs": disc.space.ndof,
                "steps": steps,
                "step": spent[len(spent) // 2],
                "iterations": iterations / steps,
                "x": disc.rolled(),
            }
        )
    )


if __name__ == "__main__":
    main()
