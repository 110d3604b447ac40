"""The deformed bodies, coloured by stress."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fecontact.record import RunRecord
from fecontact.results.geometry import (
    bodies,
    box,
    close_up,
    contact_nodes,
    magnification,
    outline,
    split_motion,
    triangles,
    unstressed,
)
from fecontact.results.plots.mesh import draw_cells
from fecontact.results.plots.style import HELD, INK, SEQUENTIAL, picture
from fecontact.results.stress import von_mises
from fecontact.study import AnyStudy


def draw_deformed(study: AnyStudy, record: RunRecord, path: Path) -> None:
    """Draw the bodies at the last kept time of the fields to path.png and path.svg.

    Each body stands where it moved to; its deformation is magnified.
    """
    from matplotlib.collections import LineCollection
    from matplotlib.tri import Triangulation

    assert record.mesh is not None and record.fields is not None
    mesh, fields = record.mesh, record.fields
    anchors = contact_nodes(study, record)
    translations, deformation = split_motion(mesh, fields.displacement[-1:], anchors)
    factor = magnification(mesh, deformation)
    points = mesh.points + factor * deformation[0]
    for cells, translation in zip(bodies(mesh), translations, strict=True):
        points[np.unique(mesh.cells[cells])] += translation[0]
    stress = von_mises(fields.stress[-1])
    with picture(path, 7.5, 5.0) as figure:
        axes = figure.add_subplot()
        axes.grid(False)
        grey = np.zeros(len(mesh.cells), dtype=bool)
        for number in unstressed(mesh, fields.stress):
            grey[bodies(mesh)[number]] = True
        draw_cells(axes, points, mesh.cells[grey], HELD)
        coloured = mesh.cells if grey.all() else mesh.cells[~grey]
        cut = Triangulation(points[:, 0], points[:, 1], triangles(coloured))
        colours = axes.tripcolor(cut, stress, cmap=SEQUENTIAL, shading="gouraud")
        around = outline(mesh.cells)
        lines = points[np.column_stack([around, around[:, 0]])]
        axes.add_collection(LineCollection(list(lines), colors=INK, linewidths=0.3))
        figure.colorbar(colours, ax=axes, label="von Mises stress [Pa]", shrink=0.8)
        window = close_up(mesh, points) or box(points[np.unique(mesh.cells)], 0.08)
        title = f"t = {fields.time[-1]:.4g} s, deformation × {factor:g}"
        axes.set(xlim=window[0], ylim=window[1], aspect="equal", title=title)
        axes.set(xlabel="x [m]", ylabel="y [m]")
