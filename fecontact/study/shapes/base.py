"""What every shape is: its keys, the names of its edges and points, and how gmsh draws it.

A shape imports numpy where it places nodes, not at its head, and is handed gmsh: commands that only
read a study start without both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from fecontact.study.base import Problem, StudyModel, in_toml, short

if TYPE_CHECKING:
    from fecontact.arrays import Array

MOST_CELLS = 2_000_000  # of all shapes; more is a typing error, and does not fit in memory
SMALLEST, LARGEST = 1e-12, 1e12  # m, of a shape; beyond is a typing error, and gmsh hangs there
RESOLVED = 1e-7  # an element must be larger than this part of its coordinates, or gmsh hangs
STEEPEST = 1e6  # ratio of the sizes of a shape's elements


class BaseShape(StudyModel):
    """A body's outline and its division into elements.

    edges, points: names of its edges and points where they are always the same.
    """

    edges: ClassVar[tuple[str, ...]] = ()
    points: ClassVar[tuple[str, ...]] = ()

    def edge_groups(self, name: str) -> list[str]:
        """The edge groups of the shape of that name."""
        return [f"{name}.{edge}" for edge in self.edges]

    def named_points(self, name: str) -> list[str]:
        """The points of the shape of that name."""
        return [f"{name}.{point}" for point in self.points]

    def elements(self) -> float:
        """About how many elements the shape is divided into."""
        raise NotImplementedError

    def draw(self, gmsh: Any, name: str, quads: bool) -> None:
        """Add the surface, its division and its groups to the current model of gmsh."""
        raise NotImplementedError

    def place(self, points: Array) -> Array:
        """Where the nodes (N, 2) that gmsh made belong; nodes put at one place become one."""
        return points

    def marks(self) -> dict[str, tuple[float, float]]:
        """Points that gmsh was not told of: name → where the node lies, m."""
        return {}


def wrong_cells(cells: tuple[int, int]) -> Iterator[Problem]:
    """The problem of numbers of elements that are too small or too large."""
    if min(cells) < 1 or cells[0] * cells[1] > MOST_CELLS:
        yield (
            ("cells",),
            f"is {in_toml(cells)}; both numbers must be ≥ 1 and their product "
            f"≤ {short(MOST_CELLS)}",
        )


def wrong_gradings(grading: tuple[float, float]) -> Iterator[Problem]:
    """The problem of ratios of element sizes beyond all reason."""
    if not all(1 / STEEPEST <= ratio <= STEEPEST for ratio in grading):
        yield (
            ("grading",),
            f"is {in_toml(grading)}; both ratios must lie between {short(1 / STEEPEST)} "
            f"and {short(STEEPEST)}",
        )


def wrong_grading(grading: float) -> Iterator[Problem]:
    """The same of a single ratio."""
    if not 1 / STEEPEST <= grading <= STEEPEST:
        yield (
            ("grading",),
            f"is {grading:g}; it must lie between {short(1 / STEEPEST)} and {short(STEEPEST)}",
        )
