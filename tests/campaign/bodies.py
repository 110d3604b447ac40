"""Bodies of a run: outline, mass, momentum and energies from mesh and nodal fields.

Everything is integrated here from shape functions written down once more, so that nothing the
program says about a body is taken for granted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from polygons import Array, chains

from fecontact.arrays import Index
from fecontact.record import ModelMesh
from fecontact.study.finite_element import Material

PARTS = 8  # straight pieces by which the curved edge of a quadratic element is followed


def _gauss_square(order: int) -> tuple[Array, Array]:
    points, weights = np.polynomial.legendre.leggauss(order)
    xi, eta = np.meshgrid(points, points)
    return np.stack([xi.ravel(), eta.ravel()], axis=1), np.outer(weights, weights).ravel()


def _gauss_triangle(order: int) -> tuple[Array, Array]:
    """The square collapsed to the triangle (0, 0), (1, 0), (0, 1)."""
    points, weights = _gauss_square(order)
    s, t = (points.T + 1) / 2
    return np.stack([s, t * (1 - s)], axis=1), weights * (1 - s) / 4


def _quad4(xi: Array, eta: Array) -> list[Array]:
    return [(1 + a * xi) * (1 + b * eta) / 4 for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _quad8(xi: Array, eta: Array) -> list[Array]:
    corners = [
        (1 + a * xi) * (1 + b * eta) * (a * xi + b * eta - 1) / 4
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return [
        *corners,
        (1 - xi**2) * (1 - eta) / 2,
        (1 + xi) * (1 - eta**2) / 2,
        (1 - xi**2) * (1 + eta) / 2,
        (1 - xi) * (1 - eta**2) / 2,
    ]


def _tri3(s: Array, t: Array) -> list[Array]:
    return [1 - s - t, s, t]


def _tri6(s: Array, t: Array) -> list[Array]:
    r = 1 - s - t
    return [r * (2 * r - 1), s * (2 * s - 1), t * (2 * t - 1), 4 * r * s, 4 * s * t, 4 * t * r]


_SHAPES = {3: _tri3, 4: _quad4, 6: _tri6, 8: _quad8}


def _at(points: Array, nodes: int) -> tuple[Array, Array]:
    """Shape functions (q, nodes) and their derivatives (q, 2, nodes) by a complex step."""
    shape, step = _SHAPES[nodes], 1e-30
    x, y = points.T
    values = np.stack(shape(x, y), axis=1)
    along_x = np.stack(shape(x + 1j * step, y + 0j), axis=1).imag / step
    along_y = np.stack(shape(x + 0j, y + 1j * step), axis=1).imag / step
    return values, np.stack([along_x, along_y], axis=1)


@dataclass(frozen=True)
class Body:
    """One body: its cells (M, k) of the mesh's points (N, 2), material, plane."""

    name: str
    points: Array
    cells: Index
    material: Material
    plane: str
    depth: float = 1.0  # m; 1 where all results are per metre of depth
    linear: bool = True

    @cached_property
    def _quadrature(self) -> tuple[Array, Array, Array]:
        """Shapes (q, k), gradients (M, q, 2, k), weights times Jacobian (M, q)."""
        nodes = self.cells.shape[1]
        square = nodes in (4, 8)
        points, weights = _gauss_square(3) if square else _gauss_triangle(4)
        values, derivatives = _at(points, nodes)
        jacobian = np.einsum("qrk,mkx->mqrx", derivatives, self.points[self.cells])
        gradient = np.einsum("mqxr,qrk->mqxk", np.linalg.inv(jacobian), derivatives)
        measure = np.abs(np.linalg.det(jacobian)) * weights * self.depth
        if self.plane == "axisymmetric":
            measure = measure * 2 * np.pi * (self.points[self.cells][..., 0] @ values.T)
        return values, gradient, measure

    @cached_property
    def nodes(self) -> Index:
        return np.unique(self.cells)

    @cached_property
    def weights(self) -> Array:
        """∫ N_i dV of all points of the mesh: m² (per metre of depth), or m³."""
        values, _, measure = self._quadrature
        out = np.zeros(len(self.points))
        np.add.at(out, self.cells, np.einsum("qk,mq->mk", values, measure))
        return out

    @property
    def area(self) -> float:
        """m², or the volume, m³."""
        return float(self.weights.sum())

    @property
    def mass(self) -> float:
        """kg per m."""
        return self.material.density * self.area

    @property
    def centre(self) -> Array:
        """Centre of mass at rest, m."""
        values, _, measure = self._quadrature
        place = np.einsum("qk,mkx->mqx", values, self.points[self.cells])
        return np.asarray(np.einsum("mq,mqx->x", measure, place) / self.area)

    def mean(self, field: Array) -> Array:
        """Mean over the body of a nodal field (…, N, 2)."""
        return np.asarray(np.einsum("n,...nx->...x", self.weights, field) / self.area)

    def kinetic(self, velocity: Array) -> Array:
        """½ ∫ ρ |v|² dA of a field (T, N, 2), J per m."""
        values, _, measure = self._quadrature
        v = np.einsum("qk,tmkx->tmqx", values, velocity[:, self.cells])
        return 0.5 * self.material.density * np.einsum("mq,tmqx->t", measure, v**2)

    def strain_energy(self, displacement: Array) -> Array:
        """½ ∫ σ : ε dA of a field (T, N, 2), J per m, with Hooke's law of the plane."""
        _, gradient, measure = self._quadrature
        moved = displacement - displacement[:, self.nodes[:1]]
        slope = np.einsum("mqxk,tmky->tmqxy", gradient, moved[:, self.cells])
        strain = (slope + np.swapaxes(slope, -1, -2)) / 2
        trace = strain[..., 0, 0] + strain[..., 1, 1]
        young, nu = self.material.young, self.material.poisson
        shear = young / (2 * (1 + nu))
        lame = young * nu / ((1 + nu) * (1 - 2 * nu))
        if self.plane == "stress":
            lame = young * nu / (1 - nu**2)
        square = (strain**2).sum(axis=(-1, -2))
        if self.plane == "axisymmetric":
            values = self._quadrature[0]
            radius = self.points[self.cells][..., 0] @ values.T
            hoop = (displacement[:, self.cells, 0] @ values.T) / radius
            trace, square = trace + hoop, square + hoop**2
        density = lame * trace**2 / 2 + shear * square
        return np.asarray(np.einsum("mq,tmq->t", measure, density))

    @cached_property
    def _rim(self) -> list[tuple[Index, Array]]:
        """Of each loop of the boundary: nodes (n, 3) of the edges, shapes (PARTS, 3) along them."""
        corners = self.cells[:, : 4 if self.cells.shape[1] in (4, 8) else 3]
        following = np.roll(corners, -1, axis=1)
        quadratic = self.cells.shape[1] in (6, 8)
        middle = self.cells[:, corners.shape[1] :] if quadratic else corners
        edges = np.stack([corners, following, middle], axis=2).reshape(-1, 3)
        twin = {(a, b) for a, b, _ in edges.tolist()}
        rim = {(a, b): m for a, b, m in edges.tolist() if (b, a) not in twin}
        share = np.arange(PARTS if quadratic else 1) / PARTS
        shapes = np.stack([1 - share, share, 0 * share], axis=1)
        if quadratic:
            curved = [
                (1 - share) * (1 - 2 * share),
                share * (2 * share - 1),
                4 * share * (1 - share),
            ]
            shapes = np.stack(curved, axis=1)
        loops = []
        for loop in chains(np.array(list(rim))):
            pairs = zip(loop, [*loop[1:], loop[0]], strict=True)
            loops.append((np.array([(a, b, rim[a, b]) for a, b in pairs]), shapes))
        return loops

    @cached_property
    def shortest_edge(self) -> float:
        """The shortest edge of the boundary, m."""
        return min(shortest(nodes[:, :2], self.points) for nodes, _ in self._rim)

    def outline(self, displacement: Array) -> Array:
        """The deformed outer boundary as a polygon, (n, 2) m; displacement: (N, 2)."""
        nodes, shapes = max(self._rim, key=lambda loop: len(loop[0]))
        place = self.points[nodes] + displacement[nodes]
        return np.asarray(np.einsum("pk,nkx->npx", shapes, place).reshape(-1, 2))


def bodies_of(study: object, mesh: ModelMesh) -> dict[str, Body]:
    """The bodies of a finite-element study on its mesh."""
    return {
        name: Body(
            name,
            mesh.points,
            mesh.cells[mesh.cell_groups[body.cells or name]],
            study.materials[body.material],
            study.plane,
            body.thickness or 1.0,
            body.motion == "linear" and study.materials[body.material].law == "isotropic",
        )
        for name, body in study.bodies.items()
    }


def edge_weights(edges: Index, points: Array, revolved: bool = False) -> Array:
    """∫ N_i ds over the edges (E, 2 or 3) of all points, m; revolved: ∫ N_i 2πr ds, m²."""
    xi, weight = np.polynomial.legendre.leggauss(4)
    shapes = np.stack([(1 - xi) / 2, (1 + xi) / 2], axis=1)
    slopes = np.stack([0 * xi - 0.5, 0 * xi + 0.5], axis=1)
    if edges.shape[1] == 3:
        shapes = np.stack([xi * (xi - 1) / 2, xi * (xi + 1) / 2, 1 - xi**2], axis=1)
        slopes = np.stack([xi - 0.5, xi + 0.5, -2 * xi], axis=1)
    speed = np.linalg.norm(np.einsum("qk,ekx->eqx", slopes, points[edges]), axis=2)
    out = np.zeros(len(points))
    if revolved:
        speed = speed * 2 * np.pi * (points[edges][..., 0] @ shapes.T)
    np.add.at(out, edges, np.einsum("q,eq,qk->ek", weight, speed, shapes))
    return out


def shortest(edges: Index, points: Array) -> float:
    """The shortest chord of edges, m."""
    return float(np.linalg.norm(points[edges[:, 1]] - points[edges[:, 0]], axis=1).min())
