"""Fluid between two contact surfaces: its pressure acts where contact is open.

The slave nodes that are open, or whose contact pressure is not above the critical one, and that are
connected along the edge with an exposed point, are wetted. The fluid pressure p_i is that of the
fluid at wetted nodes and 0 at the others, linear in between, and acts along the current normals of
both edges:

    f_i = −∫ N_i p n dS,    p = Σ_j p_j ψ_j(s).

A master node has the pressure of the nearest point of the slave. The fluid exerts no force on rigid
tools. Within a step the front advances until the solution opens no more nodes; a node that closes
is dry from the next step on.
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

ALIGNED = 0.1  # of the last segment: by so much a master node may lie beyond the slave's end


class Edges(NamedTuple):
    """Edges of one side: (E, 2 or 3) contact nodes, and dA/ds at them, m."""

    node: Integers
    depth: Array


def pressure_force(edges: Edges, x: Array, pressure: Array) -> Array:
    """Return f (k, 2), N, of pressures (k,), Pa, on edges of bodies at positions x (k, 2), m."""
    node = edges.node
    values, slopes = shapes(node.shape[1], GAUSS_POINT)
    along = np.einsum("qa,eax->eqx", slopes, x[node])
    outward = np.stack([along[..., 1], -along[..., 0]], axis=2)
    corner = pressure[node[:, :2]]
    if node.shape[1] == 2:
        at = corner @ values.T
    else:  # linear from the ends to the middle: never beyond the nodal pressures
        middle = pressure[node[:, 2]][:, None]
        end = np.where(GAUSS_POINT < 0.0, corner[:, :1], corner[:, 1:])
        at = middle + np.abs(GAUSS_POINT) * (end - middle)
    weight = GAUSS_WEIGHT * (edges.depth @ values.T) * at
    force = np.zeros_like(x)
    np.add.at(force, node, -np.einsum("eq,qa,eqx->eax", weight, values, outward))
    return force


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
        self._segments = links
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
        if self._master is not None:
            total += pressure_force(self._master, x, self._opposite(self._master, x, pressure))
        return total

    def _opposite(self, master: Edges, x: Array, pressure: Array) -> Array:
        """Return pressures (k,) at the master's nodes: of the slave's nearest points."""
        found, nodes = np.zeros(len(x)), np.unique(master.node)
        a, b = x[self._segments[:, 0]], x[self._segments[:, 1]]
        along = b - a
        square = np.einsum("sx,sx->s", along, along)
        t = np.einsum("nsx,sx->ns", x[nodes, None] - a, along) / square
        inside = np.clip(t, 0.0, 1.0)
        foot = a + inside[..., None] * along
        distance = np.linalg.norm(x[nodes, None] - foot, axis=2)
        best = distance.argmin(axis=1)
        row = np.arange(len(nodes))
        s, beyond = inside[row, best], np.abs(t - inside)[row, best]
        first, second = pressure[self._segments[best]].T
        value = (1 - s) * first + s * second
        end = np.where(s < 0.5, self._segments[best, 0], self._segments[best, 1])
        outer = np.isin(end, self._node[self._ends])
        found[nodes] = np.where((beyond > ALIGNED) & outer, 0.0, value)
        return found

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
        """Wet the nodes that a solution has opened; return whether there are any."""
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
