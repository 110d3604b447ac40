"""Meshes of `mixed-cells`: two blocks with quadrilaterals and triangles within each body.

Gmsh recombines the triangles of the upper block where it can. The lower block has quadrilaterals on
its left and triangles on its right.

    docker/run python studies/contact/mixed-cells.py     # writes both meshes beside this file
"""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from fecontact.mesh.gmsh_model import session

CELLS = 8  # elements along a block


def add_block(gmsh: Any, name: str, x: tuple[float, ...], y: tuple[float, float]) -> None:
    """Add a block of unit width, of several surfaces side by side; the first is recombined."""
    geo = gmsh.model.geo
    low, high = ([geo.addPoint(place, level, 0.0, 1 / CELLS) for place in x] for level in y)
    bottom, top = ([geo.addLine(a, b) for a, b in itertools.pairwise(line)] for line in (low, high))
    posts = [geo.addLine(a, b) for a, b in zip(low, high, strict=True)]
    surfaces = []
    for i in range(len(bottom)):
        loop = geo.addCurveLoop([bottom[i], posts[i + 1], -top[i], -posts[i]])
        surfaces.append(geo.addPlaneSurface([loop]))
    for line, part in zip(bottom + top, 2 * [b - a for a, b in itertools.pairwise(x)], strict=True):
        geo.mesh.setTransfiniteCurve(line, round(CELLS * part) + 1)
    geo.mesh.setRecombine(2, surfaces[0])
    geo.synchronize()
    gmsh.model.addPhysicalGroup(2, surfaces, name=name)
    gmsh.model.addPhysicalGroup(1, bottom, name=f"{name}.bottom")
    gmsh.model.addPhysicalGroup(1, top, name=f"{name}.top")
    gmsh.model.addPhysicalGroup(0, [low[0]], name=f"{name}.bottom-left")
    gmsh.model.addPhysicalGroup(0, [high[-1]], name=f"{name}.top-right")


if __name__ == "__main__":
    with session() as gmsh:
        gmsh.option.setNumber("Mesh.RecombinationAlgorithm", 0)  # leaves triangles
        add_block(gmsh, "upper", (0.0, 1.0), (0.5, 1.0))
        add_block(gmsh, "lower", (0.0, 0.5, 1.0), (0.0, 0.5))
        gmsh.model.mesh.generate(2)
        file = Path(__file__).with_suffix(".msh")
        gmsh.write(str(file))
        gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
        gmsh.model.mesh.setOrder(2)
        gmsh.write(str(file.with_stem("mixed-cells-quadratic")))
