"""A first sliding block: how far does it slide before friction stops it?

An elastic block is thrown along a fixed floor at v₀ = 2 m/s. Friction μ would stop a rigid block
after

    t = v₀ / (μ g)    and    x = v₀² / (2 μ g).

This script defines the study once, with the keys of a study file, runs it for three friction
coefficients and compares the computed displacements with the stopping distance of the rigid block.

    python examples/sliding_block.py [FOLDER]     # writes FOLDER/sliding_block.png
"""

import sys
from pathlib import Path

from matplotlib.figure import Figure

import fecontact

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "results/examples")
gravity, speed = 9.81, 2.0  # m/s², m/s

# Keys are the same as in a study file; a table is a dictionary. Block and floor are rectangles,
# whose edges and corners have names: block.bottom, floor.top, block.top-left.

study = fecontact.define(
    {
        "title": "A block slides on a floor until friction stops it",
        "kind": "finite-element",
        "mesh.shapes.block": {
            "type": "rectangle", "corner": [0.0, 0.0], "size": [0.4, 0.2], "cells": [8, 4],
        },
        "mesh.shapes.floor": {
            "type": "rectangle", "corner": [-0.1, -0.1], "size": [2.0, 0.1], "cells": [1, 1],
        },
        "materials.steel": {"young": 2.1e11, "poisson": 0.3, "density": 7800.0},
        "bodies.block": {"material": "steel", "velocity": [speed, 0.0]},
        "bodies.floor": {"material": "steel"},
        "supports.held": {"on": "floor", "x": 0.0, "y": 0.0},
        "loads.weight": {"type": "gravity", "on": "block", "value": [0.0, -gravity]},
        "contact.sole": {"slave": "block.bottom", "master": "floor.top", "friction": 0.3},
        "time": {"step": 0.005, "end": 1.2},
        "watch.x": {"type": "displacement", "at": "block.top-left"},
    }
)  # fmt: skip

# A study is never changed in place: `changed` returns a copy. An invalid key or value raises the
# error message of the command line.

figure = Figure(figsize=(7.0, 4.0), layout="constrained")
axes = figure.add_subplot(xlabel="time [s]", ylabel="x [m]", title=study.title)
stops = {}
for friction in (0.2, 0.3, 0.4):
    result = fecontact.run(fecontact.changed(study, {"contact.sole.friction": friction}))
    stops[friction] = result["x"][-1]
    (line,) = axes.plot(result.time, result["x"], label=f"μ = {friction}")
    rigid = speed / (friction * gravity), speed**2 / (2 * friction * gravity)
    axes.plot(*rigid, "o", color=line.get_color(), markerfacecolor="none", markersize=9)
    print(f"μ = {friction}: stops at {stops[friction]:.5f} m, rigid block {rigid[1]:.5f} m")

axes.legend(title="circles: rigid block")
axes.grid(alpha=0.3)
folder.mkdir(parents=True, exist_ok=True)
figure.savefig(folder / "sliding_block.png", dpi=130)
