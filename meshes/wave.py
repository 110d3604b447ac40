"""Two blocks, the upper one resting on the wavy upper edge of the lower one, as a Gmsh file.

    python meshes/wave.py --cells 20 --out wave.msh

Groups: `slider` and `track` with their edges and corners.
"""

from __future__ import annotations

from options import parse, save

from fecontact.study.shapes import MeshSource, Rectangle

if __name__ == "__main__":
    options = parse(__doc__, cells=10)
    track = Rectangle(
        type="rectangle",
        corner=(-1.0, -1.0),
        size=(4.0, 1.0),
        cells=(4 * options.cells, options.cells),
        wave_amplitude=0.02,
        wave_length=1.0,
    )
    slider = Rectangle(
        type="rectangle",
        corner=(0.0, 0.02),
        size=(1.0, 0.5),
        cells=(options.cells, max(1, options.cells // 2)),
    )
    save(MeshSource(element=options.element, shapes={"slider": slider, "track": track}), options)
