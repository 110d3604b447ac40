"""Mesh file of rectangles at any angle."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from polygons import Array


@dataclass(frozen=True)
class Piece:
    """A rectangle of size [width, height] in cells [x, y], turned by an angle (rad) about its
    centre [x, y]; groups NAME, NAME.bottom, .right, .top, .left of the unturned rectangle."""

    name: str
    centre: tuple[float, float]
    size: tuple[float, float]
    cells: tuple[int, int]
    angle: float = 0.0

    def refined(self) -> Piece:
        """The same piece with cells half as large."""
        return replace(self, cells=(2 * self.cells[0], 2 * self.cells[1]))

    def scaled(self, length: float) -> Piece:
        """The same piece in another unit of length."""
        x, y = self.centre
        return replace(
            self,
            centre=(x * length, y * length),
            size=(self.size[0] * length, self.size[1] * length),
        )

    def points(self) -> Array:
        """Its nodes row by row, (N, 2) m."""
        x, y = np.meshgrid(*(np.linspace(-0.5, 0.5, n + 1) for n in self.cells))
        flat = np.stack([x.ravel() * self.size[0], y.ravel() * self.size[1]], axis=1)
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return flat @ np.array([[cos, sin], [-sin, cos]]) + np.array(self.centre)


def mesh_text(pieces: Sequence[Piece], triangles: bool) -> str:
    """The pieces as an Abaqus input file."""
    nodes, elements, surfaces = ["*NODE"], [], []
    first_node = first_cell = 1
    for piece in pieces:
        points = piece.points()
        nodes += [f"{first_node + i}, {x!r}, {y!r}" for i, (x, y) in enumerate(points.tolist())]
        rows, sides = _cells(piece, first_node, first_cell, triangles)
        elements += [f"*ELEMENT, TYPE=CPE{3 if triangles else 4}, ELSET={piece.name}", *rows]
        for side, members in sides.items():
            surfaces += [f"*SURFACE, NAME={piece.name}.{side}"]
            surfaces += [f"{cell}, S{number}" for cell, number in members]
        surfaces += [f"*SURFACE, NAME={piece.name}.lower"]
        surfaces += [
            f"{cell}, S{number}" for side in ("left", "bottom") for cell, number in sides[side]
        ]
        first_node += len(points)
        first_cell += len(rows)
    return "\n".join([*nodes, *elements, *surfaces, ""])


def _cells(
    piece: Piece, node: int, cell: int, triangles: bool
) -> tuple[list[str], dict[str, list[tuple[int, int]]]]:
    """Lines of the elements, and of each side the elements and the numbers of their edges."""
    across, up = piece.cells
    rows: list[str] = []
    sides: dict[str, list[tuple[int, int]]] = {s: [] for s in ("bottom", "right", "top", "left")}
    for j in range(up):
        for i in range(across):
            a = node + j * (across + 1) + i
            b, c, d = a + 1, a + across + 2, a + across + 1
            lower = cell + len(rows)
            if triangles:
                rows += [f"{lower}, {a}, {b}, {c}", f"{lower + 1}, {a}, {c}, {d}"]
                here = {"bottom": (0, 1), "right": (0, 2), "top": (1, 2), "left": (1, 3)}
            else:
                rows.append(f"{lower}, {a}, {b}, {c}, {d}")
                here = {"bottom": (0, 1), "right": (0, 2), "top": (0, 3), "left": (0, 4)}
            at = {"bottom": j == 0, "top": j == up - 1, "left": i == 0, "right": i == across - 1}
            for side, present in at.items():
                if present:
                    sides[side].append((lower + here[side][0], here[side][1]))
    return rows, sides
