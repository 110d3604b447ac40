"""Two stacked blocks meshed by Gmsh with partial recombination of triangles.

The upper block keeps some triangles; the lower block has quadrilaterals on its left and triangles
on its right. Element shapes are mixed within a body and between bodies.

    python meshes/recombined.py --cells 8 --element quad8 --out recombined.msh
"""

from __future__ import annotations

import itertools
from typing import Any

from options import parse, write_model

from fecontact.mesh.gmsh_model import session


def block(gmsh: Any, name: str, x: tuple[float, ...], y: tuple[float, float], cells: int) -> None:
    """Add a block of unit width with several surfaces side by side; the first is recombined."""
    geo = gmsh.model.geo
    low, high = ([geo.addPoint(place, level, 0.0, 1 / cells) for place in x] for level in y)
    bottom, top = ([geo.addLine(a, b) for a, b in itertools.pairwise(line)] for line in (low, high))
    posts = [geo.addLine(a, b) for a, b in zip(low, high, strict=True)]
    surfaces = []
    for i in range(len(bottom)):
        loop = geo.addCurveLoop([bottom[i], posts[i + 1], -top[i], -posts[i]])
        surfaces.append(geo.addPlaneSurface([loop]))
    for line, part in zip(bottom + top, 2 * [b - a for a, b in itertools.pairwise(x)], strict=True):
        geo.mesh.setTransfiniteCurve(line, round(cells * part) + 1)
    geo.mesh.setRecombine(2, surfaces[0])
    geo.synchronize()
    gmsh.model.addPhysicalGroup(2, surfaces, name=name)
    gmsh.model.addPhysicalGroup(1, bottom, name=f"{name}.bottom")
    gmsh.model.addPhysicalGroup(1, top, name=f"{name}.top")
    gmsh.model.addPhysicalGroup(0, [low[0]], name=f"{name}.bottom-left")
    gmsh.model.addPhysicalGroup(0, [high[-1]], name=f"{name}.top-right")


def main() -> None:
    options = parse(__doc__, cells=8)
    with session() as gmsh:
        gmsh.option.setNumber("Mesh.RecombinationAlgorithm", 0)  # leaves triangles
        block(gmsh, "upper", (0.0, 1.0), (0.5, 1.0), options.cells)
        block(gmsh, "lower", (0.0, 0.5, 1.0), (0.0, 0.5), options.cells)
        write_model(gmsh, options)


if __name__ == "__main__":
    main()
