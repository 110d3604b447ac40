"""Rectangular blocks of four-node elements by hand, plane strain: a second, dense implementation
of what `fecontact.solid` does with dolfinx, so that contact is tested against nothing but numpy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from dense_bulk import DenseBulk
from pydantic import TypeAdapter

from fecontact.contact.interface.layout import Pair
from fecontact.study.finite_element import ContactPair
from fecontact.study.finite_element import Time as AnyTime

GAUSS = 1 / np.sqrt(3)
CORNERS = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])


def Time(**table):
    """The table [time] of a study, from its keys; the scheme is `hht` if none is given."""
    return TypeAdapter(AnyTime).validate_python({"scheme": "hht"} | table)


def quad4(points, young, poisson, density):
    """Stiffness and consistent mass (8, 8) of one element."""
    factor = young / ((1 + poisson) * (1 - 2 * poisson))
    elasticity = factor * np.array(
        [[1 - poisson, poisson, 0], [poisson, 1 - poisson, 0], [0, 0, 0.5 - poisson]]
    )
    stiffness, mass = np.zeros((8, 8)), np.zeros((8, 8))
    for xi, eta in CORNERS * GAUSS:
        shape = 0.25 * (1 + CORNERS[:, 0] * xi) * (1 + CORNERS[:, 1] * eta)
        gradient = 0.25 * np.stack(
            [CORNERS[:, 0] * (1 + CORNERS[:, 1] * eta), CORNERS[:, 1] * (1 + CORNERS[:, 0] * xi)]
        )
        jacobian = gradient @ points
        dx, dy = np.linalg.solve(jacobian, gradient)
        area = np.linalg.det(jacobian)
        strain = np.zeros((3, 8))
        strain[0, ::2], strain[1, 1::2], strain[2, ::2], strain[2, 1::2] = dx, dy, dy, dx
        stiffness += area * strain.T @ elasticity @ strain
        interpolation = np.zeros((2, 8))
        interpolation[0, ::2] = interpolation[1, 1::2] = shape
        mass += density * area * interpolation.T @ interpolation
    return stiffness, mass


@dataclass
class Blocks:
    """A growing model: add rectangles, springs and loads, then ask for the bulk."""

    points: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    cells: list = field(default_factory=list)
    materials: list = field(default_factory=list)
    edges: dict = field(default_factory=dict)
    prescribed: list = field(default_factory=list)
    springs: list = field(default_factory=list)
    loads: list = field(default_factory=list)

    def rectangle(
        self, name, corner, size, counts, young=1e9, poisson=0.0, density=1000.0, shape=None
    ):
        """Nodes row by row from the lower left; edges name.bottom, .right, .top, .left."""
        nx, ny = counts
        x = np.linspace(corner[0], corner[0] + size[0], nx + 1)
        y = np.linspace(corner[1], corner[1] + size[1], ny + 1)
        grid = np.stack(np.meshgrid(x, y), -1)
        if shape is not None:
            grid = shape(grid)
        number = len(self.points) + np.arange((nx + 1) * (ny + 1)).reshape(ny + 1, nx + 1)
        self.points = np.concatenate([self.points, grid.reshape(-1, 2)])
        for j in range(ny):
            for i in range(nx):
                self.cells.append(
                    [number[j, i], number[j, i + 1], number[j + 1, i + 1], number[j + 1, i]]
                )
                self.materials.append((young, poisson, density))
        for side, line in {
            "bottom": number[0],
            "right": number[:, -1],
            "top": number[-1, ::-1],
            "left": number[::-1, 0],
        }.items():
            self.edges[f"{name}.{side}"] = np.stack([line[:-1], line[1:]], 1)
        self.edges[name] = number
        return number

    def hold(self, nodes, x=True, y=True):
        for node in np.ravel(nodes):
            self.prescribed.append((int(node), x, y))

    def spring(self, node, stiffness):
        """A spring to ground in x and y."""
        self.springs.append((node, stiffness))

    def traction(self, edge, value, function: Callable[[float], float] = lambda t: 1.0):
        """Force per length (x, y) on an edge group, consistent nodal forces."""
        forces = np.zeros_like(self.points)
        for a, b in self.edges[edge]:
            length = np.linalg.norm(self.points[b] - self.points[a])
            forces[[a, b]] += 0.5 * length * np.asarray(value)
        self.loads.append((forces, function))

    def body_force(self, name, value, function: Callable[[float], float] = lambda t: 1.0):
        """Force per mass (x, y) on a block: gravity."""
        _, mass = self._assemble()
        pattern = np.zeros_like(self.points)
        pattern[np.ravel(self.edges[name])] = value
        self.loads.append(((mass @ pattern.ravel()).reshape(-1, 2), function))

    def _assemble(self):
        size = 2 * len(self.points)
        stiffness, mass = np.zeros((size, size)), np.zeros((size, size))
        for cell, material in zip(self.cells, self.materials, strict=True):
            dofs = np.stack([2 * np.array(cell), 2 * np.array(cell) + 1], 1).ravel()
            k, m = quad4(self.points[cell], *material)
            stiffness[np.ix_(dofs, dofs)] += k
            mass[np.ix_(dofs, dofs)] += m
        return stiffness, mass

    def pair(self, slave, master, **settings):
        table = {"slave": slave, "master": master, **settings}
        model = TypeAdapter(ContactPair).validate_python(table)
        return Pair(f"{slave}/{master}", model, self.edges[slave], self.edges[master])

    def bulk(self, pairs, motion=None, rayleigh=(0.0, 0.0), massless=()):
        """massless: nodes whose mass is given to the others."""
        stiffness, mass = self._assemble()
        if len(massless):
            total = mass.sum()
            dofs = np.concatenate([2 * np.asarray(massless), 2 * np.asarray(massless) + 1])
            mass[dofs], mass[:, dofs] = 0.0, 0.0
            mass *= total / mass.sum()
        springs = np.zeros_like(stiffness)
        for node, (kx, ky) in self.springs:
            springs[2 * node, 2 * node] += kx
            springs[2 * node + 1, 2 * node + 1] += ky
        prescribed = np.zeros(self.points.shape, bool)
        for node, x, y in self.prescribed:
            prescribed[node] |= (x, y)
        loads = list(self.loads)

        def load(t):
            total = np.zeros_like(self.points)
            for forces, function in loads:
                total += function(t) * forces
            return total

        contact = np.unique(
            np.concatenate(
                [np.ravel(e) for p in pairs for e in (p.slave, p.master)] or [np.zeros(0, int)]
            )
        )
        damping = None
        if any(rayleigh):
            damping = rayleigh[0] * mass + rayleigh[1] * stiffness
        return DenseBulk(
            self.points,
            mass,
            stiffness + springs,
            prescribed,
            contact,
            load,
            damping,
            springs,
            motion,
        )


def ramp(t):
    return min(1.0, t / 0.07)


def shoe(cells=5, strip_cells=1, **contact):
    """SDNV104: the shoe on its strip; the model, its bulk, its pair and node A's x dof."""
    model = Blocks()
    body = model.rectangle("shoe", (0, 0), (1, 1), (cells, cells), 2.1e11, 0.0, 7000.0)
    strip = model.rectangle("strip", (-0.1, -0.1), (20.1, 0.1), (strip_cells, 1), 1e11, 0.0, 0.0)
    model.hold(strip)
    model.spring(body[0, -1], (12000.0, 0.0))
    model.spring(body[-1, -1], (12000.0, 0.0))
    model.traction("shoe.top", (0.0, -70000.0), ramp)
    model.traction("shoe.left", (200000.0, 0.0), ramp)
    pair = model.pair("shoe.bottom", "strip.top", friction=0.3, **contact)
    return model.bulk([pair]), [pair]
