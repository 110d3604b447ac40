"""Contact state at the end of a step and the results derived from it."""

from __future__ import annotations

from typing import cast

import numpy as np

from fecontact.bulk import Array, ContactNodes, Integers
from fecontact.contact.interface.constraint_matrix import (
    ConstraintMatrix,
    add_nodal_forces,
    add_up,
)
from fecontact.contact.interface.layout import ContactLayout, Pair, build_layout, dividing
from fecontact.contact.interface.vertices.rows import shares
from fecontact.contact.local.bonds import Adhesion
from fecontact.contact.local.delassus import Statuses
from fecontact.contact.local.friction import SlidingFriction
from fecontact.contact.processes.wear import Wear
from fecontact.contact.step import gaps, spread_forces
from fecontact.kernels import kernel
from fecontact.record import OPEN, SLIP, STICK


class ContactState:
    """Current state of all pairs: m multipliers on k contact nodes, slave nodes first, then master
    vertices.

    status, direction: (m,) open, stick or slip, and the sign of λ_t of slipping nodes;
    force: λ (2m,), normal part first;
    slip: (m,) accumulated slip, m;
    wear_work, friction_energy: (m,) ∫ pressure · |d slip| and ∫ |traction · d slip|, J/m²;
    position: (k, 2) m;
    rows: constraint matrix of the pairing;
    gap: (m,) m, infinite off the master;
    penetration: the largest, m.
    """

    rows: ConstraintMatrix
    gap: Array
    penetration: float

    def __init__(self, nodes: ContactNodes, pairs: list[Pair], position: Array) -> None:
        self.nodes, self.pairs = nodes, pairs
        self.layout = build_layout(nodes, pairs)
        self.size = m = len(self.layout.pair)
        self.status: Statuses = np.zeros(m, np.int8)
        self.direction: Statuses = np.zeros(m, np.int8)
        self.force: Array = np.zeros(2 * m)
        self.slip: Array = np.zeros(m)
        self.wear_work: Array = np.zeros(m)
        self.friction_energy: Array = np.zeros(m)
        self.wear = Wear(pairs, self.layout, nodes)
        self.friction = SlidingFriction(self.layout, pairs)
        self.adhesion = Adhesion(pairs, self.layout, nodes)
        self.position = position
        self._sums: Array | None = None
        areas = [dividing(edge.area) for edge in self.layout.edges.values()]
        self._tributary: Array = np.concatenate([np.zeros(0), *areas])
        self._neighbours = _neighbours_of_the_axis(self.layout)

    def _moved(self, position: Array, rows: ConstraintMatrix) -> None:
        """Store new positions and the constraint matrix there."""
        self.position, self.rows = position, rows
        self.gap, self.penetration = gaps(*rows, position)
        self._sums = None

    def sums(self) -> Array:
        """Return for each pair (P, 7): contact force on the slave in x and y, normal and tangential
        force, N, and the number of sticking, slipping and open slave nodes.
        """
        if self._sums is None:
            a, found = self.layout, np.empty((len(self.pairs), 7))
            of_pairs = a.pair, a.vertices.slave_of, a.slaves, found
            add_up(self.rows.rows, self.force, self._node_status(), *of_pairs)
            self._sums = found
        return self._sums

    @property
    def counts(self) -> tuple[int, int, int]:
        """Return the number of sticking, slipping and open slave nodes."""
        stick = slip = open_ = 0.0
        for *_, sticking, slipping, opened in cast("list[list[float]]", self.sums().tolist()):
            stick, slip, open_ = stick + sticking, slip + slipping, open_ + opened
        return int(stick), int(slip), int(open_)

    def resultants(self) -> Array:
        """Return the contact force on the slave of each pair, N: (P, 4) as x, y, normal,
        tangential.
        """
        return self.sums()[:, :4]

    def wear_energies(self) -> Array:
        """Return ∫∫ pressure · |d slip| ds of each pair (P,), J."""
        edges = self.layout.edges.values()
        return np.array([edge.area @ self.wear_work[edge.multipliers] for edge in edges])

    def tool_forces(self) -> dict[str, Array]:
        """Return for each tool its contact force (N) and moment about its centre of
        rotation (N·m).
        """
        out: dict[str, Array] = {}
        tools, pair_of = self.layout.tools, self.layout.pair
        for p, pair in enumerate(self.pairs):
            if pair.tool is not None:
                own = np.where(np.tile(pair_of == p, 2), self.force, 0.0)
                nodal = np.zeros_like(self.position)
                add_nodal_forces(self.rows.rows, own, nodal)
                moved, turned = tools.node[p]
                if moved >= 0:
                    on_tool = np.append(nodal[moved], tools.length[p] * nodal[turned, 0])
                    out[pair.tool.name] = out.get(pair.tool.name, np.zeros(3)) + on_tool
                    continue
                lever = self.position - tools.reference_point[p] - tools.pose[p, 1, :2]
                moment = lever[:, 0] @ nodal[:, 1] - lever[:, 1] @ nodal[:, 0]
                given = np.array([*nodal.sum(axis=0), moment])
                out[pair.tool.name] = out.get(pair.tool.name, np.zeros(3)) - given
        return out

    def forces_on_dofs(self, rows: ConstraintMatrix, force: Array) -> Array:
        """Return Bᵀλ on the contact dofs (n,), N; force: λ (2m,)."""
        nodal, on_dofs = np.empty(self.nodes.dof.shape), np.zeros(self.nodes.size)
        spread_forces(*rows, force, self.nodes.dof, nodal, on_dofs)
        return on_dofs

    def nodal_force(self) -> Array:
        """Return the contact forces (k, 2) on all contact nodes, N."""
        out = np.zeros_like(self.position)
        add_nodal_forces(self.rows.rows, self.force, out)
        return out

    def surface_state(self, out: Array | None = None) -> Array:
        """Return the fields of all slave nodes (9, m): pressure and traction (Pa), gap (m), slip
        (m), wear work (J/m²), wear depth (m), state of the friction law, bond (1 or 0), status.

        out: array that becomes the result.
        """
        state: Array = np.empty((9, self.layout.slaves)) if out is None else out
        of_path = self.slip, self.wear_work, self.wear.depth, self.friction.state
        area, bonded = self.layout.area, self.adhesion.bonded
        if collect(state, self.force, self.status, area, self.gap, *of_path, bonded):
            traction = self.force[: self.size], self.force[self.size :]
            state[:2] += [self._spread(self.rows, force) / self._tributary for force in traction]
            state[-1] = self._node_status()[: self.layout.slaves]
        # A node on the axis has no area. The pressure is even there: a parabola through two more
        # nodes.
        node, near, far = self._neighbours
        if len(node):
            state[0, node] = np.maximum((4 * state[0, near] - state[0, far]) / 3, 0.0)
            status = state[-1]
            status[node] = np.where(status[node] == OPEN, status[near], status[node])
        return state

    def _node_status(self) -> Statuses:
        """Return the statuses (m,), with the slave nodes around a closed master vertex also
        closed.
        """
        a, status = self.layout, self.status
        if not status[a.slaves :].any():
            return status
        shown = status.copy()
        for kind in (SLIP, STICK):  # stick takes precedence over slip
            there = self._spread(self.rows, (status == kind).astype(float)) != 0.0
            shown[: a.slaves][there & (status[: a.slaves] == OPEN)] = kind
        return shown

    def _spread(self, rows: ConstraintMatrix, values: Array) -> Array:
        """Distribute values (m,) at the master vertices to the slave nodes."""
        out = np.zeros(self.layout.slaves)
        shares(rows.rows, self.layout.vertices, values, out)
        return out

    def surface(self, name: str, state: Array | None = None) -> dict[str, Array]:
        """Return the fields of the slave nodes of a pair: pressure, traction (Pa), gap, slip, wear
        depth (m), wear work (∫ pressure · |d slip|, J/m²), state of the friction law, bond (1 or
        0) and status.

        state: (…, 9, m) from :meth:`surface_state` at other times; default: the current state.
        """
        where = self.layout.edges[name].multipliers
        rows = self.surface_state() if state is None else state
        names = ("pressure", "traction", "gap", "slip", "wear_work", "wear_depth")
        rows_of_fields = np.moveaxis(rows[..., where], -2, 0)
        own = zip((*names, "friction_state", "bonded", "status"), rows_of_fields, strict=True)
        return {name: np.array(values) for name, values in own}


@kernel
def collect(out, force, status, area, *fields):  # type: ignore[no-untyped-def]
    """Set out (9, slaves) to the fields of :meth:`ContactState.surface_state` from the multipliers
    of slave nodes alone; return True if master vertices are closed, too.

    area: tributary areas that turn nodal forces into pressures; integrated multipliers are
    pressures already.
    """
    gap, slip, work, depth, friction, bonded = fields
    m, slaves, vertices_act = len(status), out.shape[1], False
    for j in range(slaves):
        out[0, j], out[1, j] = force[j] / area[j], force[m + j] / area[j]
        out[2, j], out[3, j], out[4, j], out[5, j] = gap[j], slip[j], work[j], depth[j]
        out[6, j], out[7, j], out[8, j] = friction[j], bonded[j], status[j]
    for j in range(slaves, m):
        vertices_act = vertices_act or status[j] != OPEN or force[j] != 0.0
    return vertices_act


def _neighbours_of_the_axis(layout: ContactLayout) -> Integers:
    """Return (3, n): slave nodes without area at the end of a quadratic edge, and the next two
    nodes.
    """
    found: list[list[int]] = []
    for edge in layout.edges.values():
        ends = (edge.multipliers.start, 1), (edge.multipliers.stop - 1, -1)
        bare = np.isinf(dividing(edge.area))
        for (end, step), without in zip(ends, bare[[0, -1]], strict=True):
            if without:
                found.append([end, end + step, end + 2 * step])
    return np.array(found, np.int64).reshape(-1, 3).T
