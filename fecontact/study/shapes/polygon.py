"""`polygon`: outline of straight edges and arcs, with fillets.

With `cells` and four edges the mesh is structured: nodes are placed between opposite edges P by
transfinite interpolation (Gordon & Hall 1973, doi:10.1002/nme.1620070405),

    x(s, t) = (1−t) P₁(s) + s P₂(t) + t P₃(s) + (1−s) P₄(t) − bilinear(corners),

so that they lie on the arcs exactly. With `cell_size` the mesh is unstructured.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Strict

from fecontact.study.base import (
    Name,
    Number,
    Problem,
    Vector2,
    in_toml,
    key,
    short,
    si,
    unknown,
)
from fecontact.study.shapes.base import (
    LARGEST,
    MAX_CELLS,
    RESOLVED,
    SMALLEST,
    BaseShape,
    Grid,
    wrong_cells,
    wrong_gradings,
)
from fecontact.study.shapes.free import Refinement, freely, sized
from fecontact.study.shapes.grid import fractions
from fecontact.study.shapes.outline import Piece, arc, crossing, enclosed, fillet

if TYPE_CHECKING:
    from fecontact.arrays import Array

MAX_CORNERS = 200


class Polygon(BaseShape):
    """Polygon; groups NAME, NAME.edge-1, … (or their names), NAME.fillet-1, …; points.

    Edge 1 connects corner 1 to corner 2. A fillet between two edges of the same name belongs to
    their group; any other fillet is a separate group. The points are NAME.corner-1, …, at corners
    without a fillet.
    """

    type: Literal["polygon"] = key("outline of straight edges and arcs, with fillets")
    corners: Annotated[tuple[Vector2, ...], Strict(False)] = si(
        "m", "corners [[x, y], …] in order around the outline", min_length=3
    )
    names: Annotated[tuple[Name, ...], Strict(False)] = key(
        "name of each edge, the first from corner 1 to corner 2; edges with the same "
        "name form one group; default: edge-1, edge-2, …",
        (),
    )
    arcs: dict[Name, Vector2] = si(
        "m",
        "edges that are circular arcs: name of the edge = a point [x, y] on the arc",
        default={},
    )
    fillets: Annotated[tuple[Number, ...], Strict(False)] = si(
        "m", "fillet radius at each corner; 0: none", ()
    )
    cell_size: Number | None = si("m", "element size of an unstructured mesh", None, gt=0)
    sizes: dict[Name, Number] = si(
        "m",
        "unstructured mesh: name of an edge, fillet or corner = local element size",
        default={},
    )
    growth: Number = si("1", "growth of the element size with the distance from `sizes`", 0.3, gt=0)
    cells: Annotated[tuple[int, int], Strict(False)] | None = key(
        "number of elements along edges 1 and 2 of a polygon with four edges; default: "
        "unstructured mesh",
        None,
    )
    grading: Vector2 = si(
        "1",
        "with `cells`: size ratio of the last to the first element along edges 1 and 2",
        (1.0, 1.0),
    )

    def edge_groups(self, name: str) -> list[str]:
        return [f"{name}.{group}" for group in dict.fromkeys(p.group for p in self.outline())]

    def named_points(self, name: str) -> list[str]:
        return [f"{name}.{corner}" for corner in self._corner_names() if corner]

    def problems(self) -> Iterator[Problem]:
        found = next(self._wrong_lists(), None) or next(self._wrong_outline(), None)
        if found is not None:
            yield found
            return
        yield from self._wrong_division()

    def _wrong_lists(self) -> Iterator[Problem]:
        """Yield errors for lists of inconsistent lengths."""
        count = len(self.corners)
        if count > MAX_CORNERS:
            yield ("corners",), f"has {count} corners (limit {MAX_CORNERS})"
        for word, given in (("names", self.names), ("fillets", self.fillets)):
            if given and len(given) != count:
                yield (
                    (word,),
                    f"has {len(given)} entries; it must have one for each of the {count} corners",
                )
        if any(radius < 0 for radius in self.fillets):
            yield ("fillets",), f"is {in_toml(self.fillets)}; no radius may be negative"
        names = self._edge_names()
        for name in self.arcs:
            if name not in names:
                yield ("arcs", name), unknown("edge", name, names)
            elif names.count(name) > 1:
                yield (
                    ("arcs", name),
                    f"is the name of {names.count(name)} edges. Give the arc a separate name.",
                )

    def _wrong_outline(self) -> Iterator[Problem]:
        """Yield errors for an invalid outline."""
        places, names, count = self.corners, self._edge_names(), len(self.corners)
        size = max(math.dist(places[0], place) for place in places)
        if not SMALLEST <= size <= LARGEST:
            yield (
                ("corners",),
                f"are at most {size:g} m apart; the size must lie between {short(SMALLEST)} m and "
                f"{short(LARGEST)} m",
            )
        for i in range(count):
            a, b = places[i], places[(i + 1) % count]
            if math.dist(a, b) <= RESOLVED * size:
                yield (
                    ("corners",),
                    f"has corner {(i + 1) % count + 1} at the position of corner {i + 1}",
                )
            elif names[i] in self.arcs and arc(a, self.arcs[names[i]], b, "") is None:
                yield (
                    ("arcs", names[i]),
                    f"is {in_toml(self.arcs[names[i]])}, which is collinear with the ends of the "
                    "edge; it must be another point of the arc",
                )
        yield from self._wrong_fillets()
        line = self._polyline()
        if (where := crossing(line)) is not None:
            yield (
                ("corners",),
                f"define an outline that intersects itself at x = {where[0]:g} m, y = "
                f"{where[1]:g} m. List the corners in order along the outline.",
            )
        elif abs(enclosed(line)) <= RESOLVED * size * size:
            yield ("corners",), "enclose no area. List the corners in order along the outline."

    def _wrong_fillets(self) -> Iterator[Problem]:
        """Yield errors for fillets that do not fit between their edges."""
        edges, left = self._edges(), [piece.length for piece in self._edges()]
        for i, radius in enumerate(self.fillets):
            if radius == 0.0:
                continue
            before, after = edges[i - 1], edges[i]
            if before.center is not None or after.center is not None:
                yield (
                    ("fillets",),
                    f"rounds corner {i + 1}, where an arc ends. Draw the rounding as an arc.",
                )
                return
            round_off = fillet(before, after, radius, "")
            if round_off is None:
                yield (
                    ("fillets",),
                    f"rounds corner {i + 1}, where the edges are collinear. Set it to 0.",
                )
                return
            cut = math.dist(round_off.start, before.end)
            left[i - 1] -= cut
            left[i] -= cut
        for i, rest in enumerate(left):
            if rest <= RESOLVED * edges[i].length:
                yield (
                    ("fillets",),
                    f"is {in_toml(self.fillets)}; edge {i + 1} of {edges[i].length:g} m is too "
                    "short for the fillets at its ends",
                )

    def _wrong_division(self) -> Iterator[Problem]:
        """Yield errors for missing or duplicate element sizes, and for too small or too many
        elements.
        """
        if (self.cells is None) == (self.cell_size is None):
            yield (), "must have either `cell_size` (a free mesh) or `cells` (rows and columns)"
        elif self.cells is not None:
            if len(self.corners) != 4 or any(self.fillets):
                yield (
                    ("cells",),
                    ("is supported only for four edges without fillets. Use `cell_size`."),
                )
            if self.sizes:
                yield (
                    ("sizes",),
                    ("has no effect with `cells`. Use `grading`, or `cell_size` for a free mesh."),
                )
            yield from wrong_cells(self.cells)
            yield from wrong_gradings(self.grading)
        elif self.cell_size is not None:
            yield from self._wrong_sizes(self.cell_size)
            finest = min([self.cell_size, *self.sizes.values()])
            if finest < RESOLVED * max(abs(c) for place in self.corners for c in place):
                yield (
                    ("cell_size",),
                    "or one of `sizes` is too small for corners so far from the origin (round-off)",
                )
            elif self.elements() > MAX_CELLS:
                yield (
                    ("cell_size",),
                    f"gives more than {short(MAX_CELLS)} elements, with `sizes`. Increase it.",
                )

    def _wrong_sizes(self, coarse: float) -> Iterator[Problem]:
        """Yield errors for local sizes of undefined entities, or outside the limits."""
        known = [*self._places_of_sizes()]
        for name, size in self.sizes.items():
            if name not in known:
                yield ("sizes", name), unknown("edge, fillet or corner", name, known)
            elif not coarse / 3000 <= size <= coarse:
                yield (
                    ("sizes", name),
                    f"is {size:g} m; it must lie between cell_size / 3000 and cell_size = "
                    f"{coarse:g} m",
                )

    def elements(self) -> float:
        """Return the approximate number of elements of the shape.

        Along a curve of length L the strips on both sides, 2L dr / h² with h = fine + growth·r, add
        at most 2L / (fine · growth); around a point 2π r dr / h² adds at most 2π
        ln(coarse/fine)/growth².
        """
        if self.cells is not None:
            return float(self.cells[0] * self.cells[1])
        assert self.cell_size is not None
        area = abs(enclosed(self._polyline()))
        count = area / self.cell_size**2
        for name, size in self.sizes.items():
            length = sum(piece.length for piece in self.outline() if piece.group == name)
            round_it = math.tau * (1 + math.log(self.cell_size / size)) / self.growth**2
            count += min(area / size**2, 2 * length / (size * self.growth) + round_it)
        return count

    def outline(self) -> list[Piece]:
        """Return the edges and fillets in order."""
        edges = self._edges()
        rounds = {
            i: fillet(edges[i - 1], edges[i], radius, self._fillet_group(i))
            for i, radius in enumerate(self.fillets)
            if radius > 0.0
        }
        pieces = []
        for i, edge in enumerate(edges):
            before, after = rounds.get(i), rounds.get((i + 1) % len(edges))
            if before is not None:
                pieces.append(before)
                edge = edge._replace(start=before.end)
            pieces.append(edge._replace(end=after.start) if after is not None else edge)
        return pieces

    def grid(self) -> Grid | None:
        if self.cells is None:
            return None
        return Grid(self.cells, tuple(self._edge_names()), tuple(self._corner_names()))

    def draw(self, gmsh: Any, name: str, quads: bool) -> None:
        geo = gmsh.model.geo
        lines: dict[str, list[int]] = {}
        ends: dict[int, list[int]] = {}  # points of gmsh along each piece
        outline = self.outline()
        for number, piece in enumerate(outline):
            ends[number] = [geo.addPoint(x, y, 0.0) for x, y in piece.in_line(math.pi / 2)]
        for number, piece in enumerate(outline):
            chain = [*ends[number], ends[(number + 1) % len(outline)][0]]
            centre = None if piece.center is None else geo.addPoint(*piece.center, 0.0)
            for a, b in itertools.pairwise(chain):
                line = geo.addLine(a, b) if centre is None else geo.addCircleArc(a, centre, b)
                lines.setdefault(piece.group, []).append(line)
        loop = sorted(line for group in lines.values() for line in group)
        surface = geo.addPlaneSurface([geo.addCurveLoop(loop)])
        geo.synchronize()
        freely(gmsh, surface, quads)
        at = {piece.start: ends[number][0] for number, piece in enumerate(outline)}
        corners = {
            corner: at[place]
            for corner, place in zip(self._corner_names(), self.corners, strict=True)
            if corner
        }
        sized(gmsh, self._refinements(lines, corners))
        gmsh.model.addPhysicalGroup(2, [surface], name=name)
        for group, own in lines.items():
            gmsh.model.addPhysicalGroup(1, own, name=f"{name}.{group}")
        for corner, point in corners.items():
            gmsh.model.addPhysicalGroup(0, [point], name=f"{name}.{corner}")

    def place(self, points: Array) -> Array:
        if self.cells is None:
            return points
        import numpy as np

        s, t = fractions(points, self.cells, self.grading).T
        first, second, third, fourth = self.outline()
        s_, t_ = s[:, None], t[:, None]
        a, b, c, d = (np.array(corner) for corner in self.corners)
        between = (1 - t_) * first.along(s) + t_ * third.along(1 - s)
        between += s_ * second.along(t) + (1 - s_) * fourth.along(1 - t)
        bilinear = (1 - t_) * ((1 - s_) * a + s_ * b) + t_ * ((1 - s_) * d + s_ * c)
        return np.asarray(between - bilinear)

    def _refinements(
        self, lines: dict[str, list[int]], corners: dict[str, int]
    ) -> list[Refinement]:
        """Return the sizes of an unstructured mesh by points and curves of gmsh."""
        coarse = self.cell_size
        assert coarse is not None
        anywhere = Refinement([next(iter(corners.values()), 1)], [], coarse, coarse, 0.0, coarse)
        found = [anywhere]
        for name, fine in self.sizes.items():
            far = max((coarse - fine) / self.growth, fine)
            points = [corners[name]] if name in corners else []
            found.append(Refinement(points, lines.get(name, []), fine, coarse, 0.0, far))
        return found

    def _edge_names(self) -> list[str]:
        return list(self.names) or [f"edge-{i + 1}" for i in range(len(self.corners))]

    def _corner_names(self) -> list[str]:
        """Return a name for each corner; "" for corners with a fillet."""
        fillets = self.fillets or (0.0,) * len(self.corners)
        return ["" if radius else f"corner-{i + 1}" for i, radius in enumerate(fillets)]

    def _fillet_group(self, corner: int) -> str:
        names = self._edge_names()
        same = names[corner - 1] == names[corner]
        return names[corner] if same else f"fillet-{corner + 1}"

    def _places_of_sizes(self) -> Iterator[str]:
        """Return the names of the entities that can have a local size."""
        yield from dict.fromkeys(piece.group for piece in self.outline())
        yield from filter(None, self._corner_names())

    def _edges(self) -> list[Piece]:
        """Return the edges without fillets."""
        places, names = self.corners, self._edge_names()
        pieces = []
        for i, name in enumerate(names):
            a, b = places[i], places[(i + 1) % len(places)]
            bent = arc(a, self.arcs[name], b, name) if name in self.arcs else None
            pieces.append(bent or Piece(a, b, name))
        return pieces

    def _polyline(self) -> list[tuple[float, float]]:
        """Return the outline as straight lines, arcs divided into pieces of 7.5°."""
        return [point for piece in self.outline() for point in piece.in_line(math.pi / 24)]
