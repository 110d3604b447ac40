"""Three layers in rows of different heights, as in SSNP503 of code_aster.

The layers are 4 m wide and 2.5, 4 and 2.5 m high. With 4 elements per side the rows are 1 m high,
those at the joints half as high. Coincident nodes of two layers are separate nodes.

    python meshes/layers.py --cells 4 --out layers.msh
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from options import parse, write_model

from fecontact.mesh.gmsh_model import session

WIDTH = 4.0
LAYERS = {  # levels of the rows
    "lower": (0.0, 1.0, 2.0, 2.5),
    "middle": (2.5, 3.0, 4.0, 5.0, 6.0, 6.5),
    "upper": (6.5, 7.0, 8.0, 9.0),
}


def layer(gmsh: Any, name: str, levels: Sequence[float], cells: int, quads: bool) -> None:
    """Add a layer with rows between these levels; a row is `cells`/4 elements high."""
    geo = gmsh.model.geo
    left, right = ([geo.addPoint(x, y, 0.0) for y in levels] for x in (0.0, WIDTH))
    lines = [geo.addLine(a, b) for a, b in zip(left, right, strict=True)]
    ends = [[geo.addLine(a, b) for a, b in itertools.pairwise(side)] for side in (left, right)]
    rows = []
    for i in range(len(levels) - 1):
        loop = geo.addCurveLoop([lines[i], ends[1][i], -lines[i + 1], -ends[0][i]])
        rows.append(geo.addPlaneSurface([loop]))
        geo.mesh.setTransfiniteSurface(rows[-1])
        if quads:
            geo.mesh.setRecombine(2, rows[-1])
    for line in lines:
        geo.mesh.setTransfiniteCurve(line, cells + 1)
    for line in (*ends[0], *ends[1]):
        geo.mesh.setTransfiniteCurve(line, max(1, cells // 4) + 1)
    geo.synchronize()
    gmsh.model.addPhysicalGroup(2, rows, name=name)
    edges = {"bottom": lines[:1], "right": ends[1], "top": lines[-1:], "left": ends[0]}
    for edge, of_it in edges.items():
        gmsh.model.addPhysicalGroup(1, of_it, name=f"{name}.{edge}")


def main() -> None:
    options = parse(__doc__, cells=4)
    with session() as gmsh:
        for name, levels in LAYERS.items():
            layer(gmsh, name, levels, options.cells, options.element.startswith("quad"))
        write_model(gmsh, options)


if __name__ == "__main__":
    main()
