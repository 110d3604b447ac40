"""Options and output shared by the mesh scripts."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from fecontact.mesh import build, describe, write
from fecontact.mesh.cells import names_of
from fecontact.mesh.gmsh_model import model_to_raw
from fecontact.mesh.tidy import tidy
from fecontact.study.shapes import MeshSource


def parse(description: str | None, cells: int) -> argparse.Namespace:
    """Return the parsed command line of a mesh script."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cells", type=int, default=cells, help="elements along a side")
    parser.add_argument(
        "--element", choices=("quad4", "quad8", "tri3", "tri6"), default="quad4", help="element"
    )
    parser.add_argument("--out", type=Path, required=True, help="gmsh file to write (.msh)")
    return parser.parse_args()


def write_model(gmsh: Any, options: argparse.Namespace) -> None:
    """Mesh the current Gmsh model with the requested order, print its size and write it."""
    gmsh.model.mesh.generate(2)
    if options.element in ("quad8", "tri6"):
        gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
        gmsh.model.mesh.setOrder(2)
    mesh = tidy(model_to_raw(gmsh.model))
    gmsh.write(str(options.out))
    print(f"{options.out}: {len(mesh.points)} nodes, {len(mesh.cells)} {names_of(mesh.cells)}")
    print("\n".join(describe(mesh)))


def save(source: MeshSource, options: argparse.Namespace) -> None:
    """Mesh the shapes, print the size of the mesh and write it."""
    mesh = build(source, Path())
    write(mesh, options.out)
    print(f"{options.out}: {len(mesh.points)} nodes, {len(mesh.cells)} {options.element}")
    print("\n".join(describe(mesh)))
