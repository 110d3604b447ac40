"""Mesh of SSNP503: three layers with rows of different heights.

The layers are 4 m wide and 2.5, 4 and 2.5 m high. Their rows are 1 m high, those at the joints
0.5 m. Adjacent layers have separate nodes.

    docker/run python studies/code_aster/ssnp503.py     # writes ssnp503.msh beside this file
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fecontact.mesh.gmsh_model import session

WIDTH, CELLS = 4.0, 4  # m; elements along a layer
LAYERS = {  # levels of the rows, m
    "lower": (0.0, 1.0, 2.0, 2.5),
    "middle": (2.5, 3.0, 4.0, 5.0, 6.0, 6.5),
    "upper": (6.5, 7.0, 8.0, 9.0),
}


def add_layer(gmsh: Any, name: str, levels: Sequence[float]) -> None:
    """Add a layer of rows between these levels, each one element high, and its groups."""
    geo = gmsh.model.geo
    left, right = ([geo.addPoint(x, y, 0.0) for y in levels] for x in (0.0, WIDTH))
    lines = [geo.addLine(a, b) for a, b in zip(left, right, strict=True)]
    ends = [[geo.addLine(a, b) for a, b in itertools.pairwise(side)] for side in (left, right)]
    rows = []
    for i in range(len(levels) - 1):
        loop = geo.addCurveLoop([lines[i], ends[1][i], -lines[i + 1], -ends[0][i]])
        rows.append(geo.addPlaneSurface([loop]))
        geo.mesh.setTransfiniteSurface(rows[-1])
        geo.mesh.setRecombine(2, rows[-1])
    for line in lines:
        geo.mesh.setTransfiniteCurve(line, CELLS + 1)
    for line in (*ends[0], *ends[1]):
        geo.mesh.setTransfiniteCurve(line, 2)
    geo.synchronize()
    gmsh.model.addPhysicalGroup(2, rows, name=name)
    edges = {"bottom": lines[:1], "right": ends[1], "top": lines[-1:], "left": ends[0]}
    for edge, of_it in edges.items():
        gmsh.model.addPhysicalGroup(1, of_it, name=f"{name}.{edge}")


if __name__ == "__main__":
    with session() as gmsh:
        for name, levels in LAYERS.items():
            add_layer(gmsh, name, levels)
        gmsh.model.mesh.generate(2)
        gmsh.write(str(Path(__file__).with_suffix(".msh")))
