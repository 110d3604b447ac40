"""Custom geometry and two deformable bodies: a half-cylinder pressed on a block, then dragged
sideways.

The flat top of an elastic half-cylinder is displaced downwards and then to the right, so little
that the centre of the contact still sticks while its edges slip. Hertz (1882) and Cattaneo and
Mindlin (1938, 1949) give the pressure and the traction of this line contact between large bodies.
The script uses the three kinds of results of a run: histories, the contact surface, and a dolfinx
field.

    python examples/two_bodies.py [FOLDER]     # writes FOLDER/two_bodies.png
"""

import sys
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

import ufl
from dolfinx import fem

import fecontact
from fecontact.reference import CattaneoMindlin

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results/examples")
radius, friction = 0.1, 0.4  # m, 1
steel = {"young": 2.1e11, "poisson": 0.3, "density": 7800.0}

# The static scheme uses load steps instead of time steps. Two supports constrain the same edge in
# two directions, each with a separate function: press until "time" 1, then drag until 2.

study = fecontact.define(
    {
        "title": "A half-cylinder pressed on a block, then dragged",
        "kind": "finite-element",
        "mesh.element": "tri6",
        "mesh.shapes.cylinder": {
            "type": "disc", "center": [0.0, radius], "radius": radius, "part": "lower-half",
            "cell_size": 0.02, "contact_size": 0.0008, "contact_width": 0.008,
        },
        "mesh.shapes.block": {
            "type": "rectangle", "corner": [-0.06, -0.08], "size": [0.12, 0.08],
            "cells": [60, 12], "grading": [10.0, 0.1], "centered": [True, False],
        },
        "materials.steel": steel,
        "bodies.cylinder": {"material": "steel"},
        "bodies.block": {"material": "steel"},
        "functions.press": {"type": "ramp", "end": 1.0},
        "functions.drag": {"type": "ramp", "start": 1.0, "end": 2.0},
        "supports.base": {"on": "block.bottom", "x": 0.0, "y": 0.0},
        "supports.down": {"on": "cylinder.top", "y": -6e-4, "function": "press"},
        "supports.right": {"on": "cylinder.top", "x": 2.5e-4, "function": "drag"},
        "contact.touch": {
            "slave": "cylinder.arc", "master": "block.top", "friction": friction,
            "method": "continuous",
        },
        "time": {"scheme": "static", "step": 0.1, "end": 2.0},
        "output.fields_at": [1.0, 2.0],
    }
)  # fmt: skip

# Monitor the run: the callback is called after every step.

result = fecontact.run(
    study, lambda step: print(f"t = {step.time:.1f}: {step.stick} nodes stick, {step.slip} slip")
)

# The histories contain the resultants; the record contains the pressure and traction along the
# slave edge at each step. Hertz and Mindlin need only the two resultants.

normal, tangential = (result[f"contact.touch.{part}"][-1] for part in ("normal", "tangential"))
exact = CattaneoMindlin(
    load=normal, tangential_load=tangential, friction_coefficient=friction, radius_1=radius,
    young_1=steel["young"], poisson_1=steel["poisson"],
    young_2=steel["young"], poisson_2=steel["poisson"],
)  # fmt: skip
surface = result.record.surfaces["touch"]
x = result.record.mesh.points[surface.nodes, 0]
computed = {"pressure": surface.pressure[-1], "traction": surface.traction[-1]}
print(f"peak pressure {computed['pressure'].max():.4g} Pa, Hertz {exact.peak_pressure:.4g} Pa")

# A field is a dolfinx function and can be used in any UFL expression. The strain energy of both
# bodies, ½ ∫ σ : ε dx, must equal the one in the energy balance.

u = result.field("displacement")
shear = steel["young"] / (2 * (1 + steel["poisson"]))
lame = 2 * shear * steel["poisson"] / (1 - 2 * steel["poisson"])
strain = ufl.sym(ufl.grad(u))
density = lame / 2 * ufl.tr(strain) ** 2 + shear * ufl.inner(strain, strain)
energy = fem.assemble_scalar(fem.form(density * ufl.dx))
print(f"strain energy {energy:.6g} J/m, energy balance {result['energy.strain'][-1]:.6g} J/m")

# Figure: shear stress in the deformed bodies, and the contact pressure and traction.

figure = Figure(figsize=(10.0, 4.2), layout="constrained")
bodies, contact = figure.subplots(1, 2)
mesh, fields = result.record.mesh, result.record.fields
moved = 1e3 * (mesh.points + fields.displacement[-1])
shear_stress = 1e-6 * fields.stress[-1, :, 3]
peak = np.abs(shear_stress).max()
colours = bodies.tripcolor(
    *moved.T, mesh.cells[:, :3], shear_stress, cmap="PuOr", vmin=-peak, vmax=peak, shading="gouraud"
)
figure.colorbar(colours, ax=bodies, label="shear stress σ_xy [MPa]")
bodies.set(xlim=(-20, 20), ylim=(-20, 20), aspect="equal", xlabel="x [mm]", ylabel="y [mm]")

fine = np.linspace(-1.5, 1.5, 400) * exact.half_width
for name, values in computed.items():
    (line,) = contact.plot(1e3 * x, 1e-6 * values, ".", label=f"{name}, computed")
    label = f"{name}, {'Hertz' if name == 'pressure' else 'Cattaneo–Mindlin'}"
    contact.plot(1e3 * fine, 1e-6 * exact.profile(fine)[name], color=line.get_color(), label=label)
contact.set(xlim=1e3 * fine[[0, -1]], xlabel="x [mm]", ylabel="[MPa]")
contact.legend(loc="center", fontsize="small")
contact.grid(alpha=0.3)
figure.suptitle(study.title)
folder.mkdir(parents=True, exist_ok=True)
figure.savefig(folder / "two_bodies.png", dpi=130)
