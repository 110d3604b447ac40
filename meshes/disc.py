"""Disc on a block that represents a half-plane, refined at the contact, as a Gmsh file.

    python meshes/disc.py --cells 40 --element tri6 --out disc.msh

`--cells` is the number of elements across the radius far from contact; the arc is ten times finer
near its lowest point. Groups: `disc` with `disc.arc`, `disc.bottom`, `disc.center`; `ground` with
its four edges and corners.
"""

from __future__ import annotations

from options import parse, save

from fecontact.study.shapes import Disc, MeshSource, Rectangle

if __name__ == "__main__":
    options = parse(__doc__, cells=10)
    size = 1.0 / options.cells
    disc = Disc(
        type="disc",
        center=(0.0, 1.0),
        radius=1.0,
        cell_size=size,
        contact_size=size / 10,
        contact_width=2 * size,
    )
    ground = Rectangle(
        type="rectangle",
        corner=(-2.0, -2.0),
        size=(4.0, 2.0),
        cells=(8 * options.cells, 2 * options.cells),
        grading=(1.0, 0.1),
    )
    save(MeshSource(element=options.element, shapes={"disc": disc, "ground": ground}), options)
