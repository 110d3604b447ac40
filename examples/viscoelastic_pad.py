"""A viscoelastic pad under a rigid roller: a nonlinear form of your own, with contact and report.

The material is a standard linear solid: an elastic branch and a Maxwell branch with the history
variable h (stress of the Maxwell branch). For a strain that is linear within each step,

    h(t + Δt) = e^(−Δt/τ) h(t) + g (1 − e^(−Δt/τ)) τ/Δt C : [ε],    σ = (1 − g) C : ε + h

is exact (R. L. Taylor, K. S. Pister & G. L. Goudreau 1970, doi:10.1002/nme.1620020106). The roller
is pressed in, then stays. While the contact grows, the force is the hereditary integral of the
force on an elastic pad (E. H. Lee & J. R. M. Radok 1960, doi:10.1115/1.3644020), which the script
checks.

    python examples/viscoelastic_pad.py [FOLDER]     # writes FOLDER/viscoelastic_pad/report.html
    mpirun -n 2 python examples/viscoelastic_pad.py
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import ufl
from dolfinx import fem, mesh
from mpi4py import MPI

import fecontact

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results/examples")
comm = MPI.COMM_WORLD
young, poisson, part, tau = 10e6, 0.4, 0.6, 0.5  # Pa, –, part of the Maxwell branch, s

# The pad, 40 mm × 10 mm, bonded to its base.

domain = mesh.create_rectangle(
    comm, [(-0.02, -0.01), (0.02, 0.0)], [40, 10], mesh.CellType.quadrilateral
)
V = fem.functionspace(domain, ("Lagrange", 1, (2,)))
top = mesh.locate_entities_boundary(domain, 1, lambda x: np.isclose(x[1], 0.0))
base = fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[1], -0.01))
clamp = fem.dirichletbc(np.zeros(2), base, V)

# Displacement u; all integrals use 2 × 2 points.

u, v = fem.Function(V), ufl.TestFunction(V)
points = {"quadrature_degree": 2}
dx = ufl.dx(domain=domain, metadata=points)


def epsilon(w):
    return ufl.sym(ufl.grad(w))


def elastic(strain):
    lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
    return lame * ufl.tr(strain) * ufl.Identity(2) + young / (1 + poisson) * strain


# With one relaxation time h is C : q, and q has the dimension of a strain. A displacement-like
# function whose strain is q is the simplest history variable: q and ε have the same recursion.

before, history = fem.Function(V), fem.Function(V)  # u and the history of the last step
decay, rate = fem.Constant(domain, 1.0), fem.Constant(domain, 1.0)


def maxwell(w):
    """Strain of the Maxwell spring at displacement w."""
    return decay * epsilon(history) + rate * epsilon(w - before)


def stress(w):
    return (1 - part) * elastic(epsilon(w)) + part * elastic(maxwell(w))


def on_step(t, step):
    """Set the constants of a step of this size."""
    decay.value = np.exp(-step / tau)
    rate.value = (1 - np.exp(-step / tau)) * tau / step


def on_accept(t):
    """Update the history variable at the end of a step."""
    history.x.array[:] = decay.value * history.x.array + rate.value * (u.x.array - before.x.array)
    before.x.array[:] = u.x.array


# From here on fecontact: contact with a rigid roller that goes down by 1 mm in 0.5 s and stays.

contact = {"top": {"slave": "top", "master": "roller"}}
roller = {"type": "circle", "center": [0.0, 0.03], "radius": 0.03, "y": -1e-3, "y_function": "down"}
tables = {
    "tools": {"roller": roller},
    "functions": {"down": {"type": "ramp", "end": 0.5}},
}
time = {"scheme": "static", "step": 0.025, "end": 2.0}
residual = ufl.inner(stress(u), epsilon(v)) * dx
bulk = fecontact.FormBulk(
    residual, u, {"top": top}, bcs=[clamp], on_step=on_step, on_accept=on_accept
)
loop = fecontact.contact_loop(bulk, contact, time, **tables)
result = fecontact.run_loop(loop, "A viscoelastic pad under a roller", stress=stress)

# The elastic pad of the same modulus, and the hereditary integral of its force.

elastic_bulk = fecontact.FormBulk(
    ufl.inner(elastic(epsilon(u)), epsilon(v)) * dx, u, {"top": top}, bcs=[clamp]
)
elastic_loop = fecontact.contact_loop(elastic_bulk, contact, time, **tables)
reference = fecontact.run_loop(elastic_loop, "The elastic pad", fields_every=0)
force = reference["contact.top.normal"]
branch = np.zeros_like(force)
for n, step in enumerate(np.diff(reference.time)):
    factor = np.exp(-step / tau)
    branch[n + 1] = factor * branch[n] + (1 - factor) * tau / step * (force[n + 1] - force[n])
expected = (1 - part) * force + part * branch
error = np.abs(result["contact.top.normal"] - expected).max() / expected.max()

if comm.rank == 0:
    peak, end = expected.max(), result["contact.top.normal"][-1]
    print(f"force {peak:.1f} N/m, after relaxation {end:.1f} N/m; Lee and Radok: {error:.1e}")
    surface = loop.surface("top")  # node numbers, arc length, coordinates, pressure, gap, …
    closed = surface["status"] != 0
    print(f"contact from x = {surface['coordinates'][closed, 0].min() * 1e3:.1f} mm")

    figure = Figure(figsize=(10.0, 4.0), layout="constrained")
    path, profile = figure.subplots(1, 2)
    path.plot(reference.time, force, "--", label="elastic")
    path.plot(result.time, result["contact.top.normal"], label="viscoelastic")
    path.plot(result.time[::4], expected[::4], "o", markerfacecolor="none", label="Lee and Radok")
    path.set(xlabel="time [s]", ylabel="force on the roller [N/m]")
    pressure = result.record.surfaces["top"]
    for instant in (0.5, 1.0, 2.0):
        row = int(np.abs(pressure.time - instant).argmin())
        x = 1e3 * surface["coordinates"][:, 0]
        profile.plot(x, 1e-3 * pressure.pressure[row], label=f"t = {instant:g} s")
    profile.set(xlabel="x [mm]", ylabel="pressure [kPa]", xlim=(-10, 10))
    for axes in (path, profile):
        axes.legend()
        axes.grid(alpha=0.3)
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / "viscoelastic_pad.png", dpi=130)
    if not (folder / "viscoelastic_pad").exists():
        result.save(folder / "viscoelastic_pad")
