"""Base class of the shapes: keys, names of edges and points, and the geometry for gmsh.

A shape imports numpy inside its functions and receives gmsh as an argument, so that commands that
only read a study start without both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from fecontact.study.base import Problem, StudyModel, in_toml, short

if TYPE_CHECKING:
    from fecontact.arrays import Array

MAX_CELLS = 2_000_000  # for all shapes; a larger number is a typing error and exceeds the memory
SMALLEST, LARGEST = 1e-12, 1e12  # m, of a shape; a larger size is a typing error, and gmsh hangs
RESOLVED = 1e-7  # an element must be larger than this fraction of its coordinates, or gmsh hangs
STEEPEST = 1e6  # limit of the size ratio of the elements of a shape


class Grid(NamedTuple):
    """Rows and columns of a structured mesh.

    cells: numbers of elements [x, y] of the unit square;
    sides, corners: names in anticlockwise order from the lower side and from the lower left corner;
    "" for none.
    """

    cells: tuple[int, int]
    sides: tuple[str, ...]
    corners: tuple[str, ...] = ()


class BaseShape(StudyModel):
    """Outline of a body and its division into elements.

    edges, points: names of its edges and points if they are always the same.
    """

    edges: ClassVar[tuple[str, ...]] = ()
    points: ClassVar[tuple[str, ...]] = ()

    def edge_groups(self, name: str) -> list[str]:
        """Return the edge groups of the shape with this name."""
        return [f"{name}.{edge}" for edge in self.edges]

    def named_points(self, name: str) -> list[str]:
        """Return the points of the shape with this name."""
        return [f"{name}.{point}" for point in self.points]

    def elements(self) -> float:
        """Return the approximate number of elements of the shape."""
        raise NotImplementedError

    def grid(self) -> Grid | None:
        """Return the rows and columns of a structured mesh; None for an unstructured one."""
        return None

    def draw(self, gmsh: Any, name: str, quads: bool) -> None:
        """Add the surface, its element sizes and its groups to the current model of gmsh, for an
        unstructured mesh.
        """
        raise NotImplementedError

    def place(self, points: Array) -> Array:
        """Map the nodes (N, 2) of the mesh, on the unit square if it is structured, to their
        positions, m; nodes at the same position become one.
        """
        return points

    def marks(self) -> dict[str, tuple[float, float]]:
        """Return points that are not in the gmsh model: name → position of the node, m."""
        return {}


def wrong_cells(cells: tuple[int, int]) -> Iterator[Problem]:
    """Yield the error for numbers of elements that are too small or too large."""
    if min(cells) < 1 or cells[0] * cells[1] > MAX_CELLS:
        yield (
            ("cells",),
            f"is {in_toml(cells)}; both numbers must be ≥ 1 and their product ≤ {short(MAX_CELLS)}",
        )


def wrong_gradings(grading: tuple[float, float]) -> Iterator[Problem]:
    """Yield the error for size ratios outside the limits."""
    if not all(1 / STEEPEST <= ratio <= STEEPEST for ratio in grading):
        yield (
            ("grading",),
            f"is {in_toml(grading)}; both ratios must lie between {short(1 / STEEPEST)} "
            f"and {short(STEEPEST)}",
        )


def wrong_grading(grading: float) -> Iterator[Problem]:
    """Yield the error for a single size ratio outside the limits."""
    if not 1 / STEEPEST <= grading <= STEEPEST:
        yield (
            ("grading",),
            f"is {grading:g}; it must lie between {short(1 / STEEPEST)} and {short(STEEPEST)}",
        )
