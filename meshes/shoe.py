"""Shoe of SDNV104 on its support, as a Gmsh file.

    python meshes/shoe.py --cells 10 --element quad8 --out shoe.msh

Groups: bodies `shoe` and `support`, their edges `shoe.bottom`, `support.top`, …, their corner
points, and the fixed ends `R1` and `R2` of the two springs.
"""

from __future__ import annotations

from options import parse, save

from fecontact.study.shapes import MeshSource, Rectangle

if __name__ == "__main__":
    options = parse(__doc__, cells=5)
    shoe = Rectangle(
        type="rectangle", corner=(0.0, 0.0), size=(1.0, 1.0), cells=(options.cells, options.cells)
    )
    support = Rectangle(type="rectangle", corner=(-0.1, -0.1), size=(20.1, 0.1), cells=(1, 1))
    source = MeshSource(
        element=options.element,
        shapes={"shoe": shoe, "support": support},
        points={"R1": (1.1, 0.0), "R2": (1.1, 1.0)},
    )
    save(source, options)
