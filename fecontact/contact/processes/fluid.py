"""Fluid between two contact surfaces: its pressure acts where contact is open.

The slave nodes that are open, or whose contact pressure is not above the critical one, and that are
connected along the edge with an exposed point, are wetted. The fluid pressure p_i is that of the
fluid at wetted nodes and 0 at the others, linear in between, and acts along the current normals of
both edges:

    f_i = −∫ N_i p n dS,    p = Σ_j p_j ψ_j(s).

The pressure at a point of the slave acts on the nearest point of the master, over the part of the
master that faces the slave, so that the forces on parallel edges are equal. The fluid exerts no
force on rigid tools. Within a step the front advances until the solution opens no more nodes; a
node that closes is dry from the next step on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph

from fecontact.arrays import Mask
from fecontact.bulk import Array, Integers
from fecontact.contact.interface.interface import ContactInterface
from fecontact.contact.interface.layout import FluidPressure, Pair
from fecontact.contact.interface.surface import GAUSS_POINT, GAUSS_WEIGHT, chain, shapes
from fecontact.contact.local.delassus import Statuses
from fecontact.contact.solution import ContactStep
from fecontact.contact.step import SETTLED, gaps
from fecontact.record import OPEN


class Edges(NamedTuple):
    """Edges of one side: (E, 2 or 3) contact nodes, and dA/ds at them, m."""

    node: Integers
    depth: Array


class Points(NamedTuple):
    """Points of edges (q,): the edge, ξ on it, and the weight of the integration over ξ."""

    edge: Integers
    xi: Array
    weight: Array


def pressure_force(edges: Edges, x: Array, pressure: Array) -> Array:
    """Return f (k, 2), N, of pressures (k,), Pa, on edges of bodies at positions x (k, 2), m."""
    count, number = len(edges.node), len(GAUSS_POINT)
    every = np.repeat(np.arange(count), number)
    points = Points(every, np.tile(GAUSS_POINT, count), np.tile(GAUSS_WEIGHT, count))
    _, along = at_points(edges.node, x, points)
    return spread(edges, len(x), points, pressures_at(edges.node, points, pressure), along)


def opposite_force(slave: Edges, master: Edges, x: Array, pressure: Array) -> Array:
    """Return the force f (k, 2), N, of a fluid on the master.

    x: (k, 2) positions, m; pressure: (k,) at the slave nodes, Pa.
    """
    points = points_between(slave.node, master.node, x)
    wet = (pressure[slave.node] > 0.0).max(axis=1)[points.edge]
    points = Points(points.edge[wet], points.xi[wet], points.weight[wet])
    place, along = at_points(slave.node, x, points)
    edge, xi, covered = nearest_points(master.node, x, place)
    opposite = Points(edge, xi, points.weight * covered)
    _, tangent = at_points(master.node, x, opposite)
    tangent /= np.linalg.norm(tangent, axis=1)[:, None]
    shadow = np.maximum(-np.einsum("qx,qx->q", along, tangent), 0.0)
    acting = pressures_at(slave.node, points, pressure)
    return spread(master, len(x), opposite, acting, shadow[:, None] * tangent)


def at_points(node: Integers, x: Array, points: Points) -> tuple[Array, Array]:
    """Return positions and derivatives with respect to ξ (q, 2), m, at points of edges."""
    values, slopes = shapes(node.shape[1], points.xi)
    corners = x[node[points.edge]]
    place, along = (np.einsum("qa,qax->qx", factor, corners) for factor in (values, slopes))
    return place, along


def pressures_at(node: Integers, points: Points, pressure: Array) -> Array:
    """Return the pressures (q,), Pa, at points of edges; pressure: of all nodes (k,)."""
    at_nodes, xi = pressure[node[points.edge]], points.xi
    if node.shape[1] == 2:
        return np.asarray(0.5 * ((1.0 - xi) * at_nodes[:, 0] + (1.0 + xi) * at_nodes[:, 1]))
    # Linear from the ends to the middle: never beyond the nodal pressures.
    end = np.where(xi < 0.0, at_nodes[:, 0], at_nodes[:, 1])
    return np.asarray(at_nodes[:, 2] + np.abs(xi) * (end - at_nodes[:, 2]))


def spread(edges: Edges, nodes: int, points: Points, pressure: Array, along: Array) -> Array:
    """Return the nodal forces (nodes, 2), N, of pressures (q,), Pa, at points of edges.

    along: (q, 2) derivatives of the positions with respect to ξ, m.
    """
    values, _ = shapes(edges.node.shape[1], points.xi)
    node = edges.node[points.edge]
    weight = points.weight * np.einsum("qa,qa->q", values, edges.depth[points.edge]) * pressure
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    force = np.zeros((nodes, 2))
    np.add.at(force, node, -np.einsum("q,qa,qx->qax", weight, values, outward))
    return force


def points_between(slave: Integers, master: Integers, x: Array) -> Points:
    """Return Gauss points of the slave edges between their nodes and those of the master, so that
    the shape functions of both are smooth in each part.
    """
    edge, xi, _ = nearest_points(slave, x, x[np.unique(master)])
    ends = np.arange(0.0, len(slave) + 0.25, 1.0 / (slave.shape[1] - 1))
    station = np.unique(np.concatenate([ends, edge + 0.5 * (xi + 1.0)]))
    start, length = station[:-1], np.diff(station)
    of_edge = np.floor(start + 0.5 * length).astype(np.int64)
    place = start[:, None] + 0.5 * length[:, None] * (GAUSS_POINT + 1.0) - of_edge[:, None]
    weight = length[:, None] * GAUSS_WEIGHT
    return Points(np.repeat(of_edge, len(GAUSS_POINT)), 2.0 * place.ravel() - 1.0, weight.ravel())


def nearest_points(edges: Integers, x: Array, point: Array) -> tuple[Integers, Array, Mask]:
    """Return the nearest edge to each point, ξ on it (q,), and False for points beyond the ends.

    edges: (E, 2 or 3) nodes; curved edges are replaced by two straight parts. point: (q, 2), m.
    """
    sequence = edges if edges.shape[1] == 2 else edges[:, [0, 2, 1]]
    count = sequence.shape[1] - 1
    ends = np.concatenate([sequence[:, i : i + 2] for i in range(count)])
    a = x[ends[:, 0]]
    along = x[ends[:, 1]] - a
    square = np.einsum("sx,sx->s", along, along)
    t = np.einsum("qsx,sx->qs", point[:, None] - a, along) / square
    inside = np.clip(t, 0.0, 1.0)
    distance = np.linalg.norm(point[:, None] - a - inside[..., None] * along, axis=2)
    best, row = distance.argmin(axis=1), np.arange(len(point))
    on, t = inside[row, best], t[row, best]
    part, edge = np.divmod(best, len(edges))
    last = np.bincount(ends.ravel())[ends[best]] == 1
    beyond = ((t < 0.0) & last[:, 0]) | ((t > 1.0) & last[:, 1])
    return edge, 2.0 * (part + on) / count - 1.0, ~beyond


class FluidFront:
    """The fluid at one contact pair.

    leak: time, s, and pressure, Pa, at which the fluid first reached an end that is
    not exposed; sealed: the highest pressure before, Pa.
    """

    def __init__(self, contact: ContactInterface, pair: Pair, fluid: FluidPressure) -> None:
        layout, self.fluid, self.pair = contact.layout, fluid, pair
        self._edge = layout.edges[pair.name]
        index = np.full(contact.nodes.node.max(initial=-1) + 1, -1)
        index[contact.nodes.node] = np.arange(len(contact.nodes.node))
        order = chain(pair.slave)
        slave = index[pair.slave[order]]
        self._slave = Edges(slave, _depth(pair.depth, pair.slave)[order])
        self._master: Edges | None = None
        if len(pair.master):
            self._master = Edges(index[pair.master], _depth(pair.master_depth, pair.master))
        self._node = index[self._edge.node]
        place = np.full(len(contact.nodes.node), -1)
        place[self._node] = np.arange(len(self._node))
        sequence = slave if slave.shape[1] == 2 else slave[:, [0, 2, 1]]
        links = np.concatenate([sequence[:, i : i + 2] for i in range(sequence.shape[1] - 1)])
        self._links: Integers = place[links]
        self._seeds = np.isin(self._edge.node, fluid.exposed)
        self._ends = np.bincount(self._links.ravel(), minlength=len(self._node)) == 1
        self._exits = self._ends & ~self._seeds
        self._area = layout.area[self._edge.multipliers]
        self._near = SETTLED * layout.shortest[self._edge.multipliers]
        self.wet: Mask = np.zeros(len(self._node), bool)
        self.leak: tuple[float, float] | None = None
        self.sealed = 0.0

    def find(self, status: Statuses, gap: Array, force: Array) -> Mask:
        """Return the slave nodes that the fluid reaches; arrays of all multipliers (m,)."""
        own = self._edge.multipliers
        open_ = (status[own] == OPEN) & (gap[own] > self._near)
        open_ |= (force[own] / self._area < self.fluid.critical) & (self.fluid.critical > 0.0)
        joined = self._links[open_[self._links].all(axis=1)]
        count = len(open_)
        graph = scipy.sparse.coo_array((np.ones(len(joined)), joined.T), shape=(count, count))
        part = scipy.sparse.csgraph.connected_components(graph, directed=False)[1]
        return np.asarray(open_ & np.isin(part, part[self._seeds & open_]))

    def force(self, t: float, x: Array) -> Array:
        """Return the force of the fluid (k, 2), N, at time t and positions x."""
        pressure = np.zeros(len(x))
        pressure[self._node[self.wet]] = self.fluid.pressure(t)
        total = pressure_force(self._slave, x, pressure)
        if self._master is not None and self.wet.any():
            total += opposite_force(self._slave, self._master, x, pressure)
        return total

    @property
    def length(self) -> float:
        """Return the wetted length of the slave, m."""
        return float(self._edge.length[self.wet].sum())

    def report(self, t: float) -> None:
        """Record a leak of the fluid at time t, or the sealed pressure."""
        pressure = self.fluid.pressure(t)
        if pressure > 0.0 and (self.wet & self._exits).any():
            self.leak = self.leak or (t, pressure)
        elif self.leak is None:
            self.sealed = max(self.sealed, pressure)


class FluidFronts:
    """The fluid of all pairs, as a load on the contact dofs; contact: their state."""

    def __init__(self, contact: ContactInterface) -> None:
        self._contact = contact
        self.fronts = {
            pair.fluid.name: FluidFront(contact, pair, pair.fluid)
            for pair in contact.pairs
            if pair.fluid is not None and (len(pair.master) or pair.tool is not None)
        }

    def begin(self) -> None:
        """Start a step with the nodes that are wetted in the current state."""
        contact, m = self._contact, self._contact.size
        for front in self.fronts.values():
            front.wet = front.find(contact.status, contact.gap, contact.force[:m])

    def load(self, t: float) -> Array:
        """Return the forces on the contact dofs at time t, N."""
        nodes, total = self._contact.nodes, np.zeros(self._contact.nodes.dof.shape)
        for front in self.fronts.values():
            total += front.force(t, self._contact.position)
        on_dofs = np.zeros(nodes.size)
        free = nodes.dof >= 0
        on_dofs[nodes.dof[free]] = total[free]
        return on_dofs

    def advance(self, step: ContactStep) -> bool:
        """Wet the nodes that a solution has opened; return True if there are any."""
        m, more = self._contact.size, False
        gap = gaps(*step.next_rows, step.paired_at)[0]
        for front in self.fronts.values():
            grown = front.wet | front.find(step.status, gap, step.force[:m])
            more |= bool((grown & ~front.wet).any())
            front.wet = grown
        return more

    def report(self, t: float) -> None:
        """Record which fluids leak at the end of a step."""
        for front in self.fronts.values():
            front.report(t)


def _depth(given: Array | None, edges: Integers) -> Array:
    return np.ones(edges.shape) if given is None else given
