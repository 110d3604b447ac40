"""Contact interface over the steps: initial pairing of a step, active master vertices,
saved state.
"""

from __future__ import annotations

from functools import cached_property
from operator import attrgetter

import numpy as np

from fecontact.bulk import Array, ContactNodes, Integers
from fecontact.contact.geometric_stiffness import (
    MOVED,
    GeometricStiffness,
    Neighbours,
    neighbours_of,
    stiffness_entries,
)
from fecontact.contact.interface.constraint_matrix import (
    ConstraintMatrix,
    Rows,
    packed,
    positions,
)
from fecontact.contact.interface.constraints import over_tools
from fecontact.contact.interface.context import Changing, context_of
from fecontact.contact.interface.detection import detect
from fecontact.contact.interface.layout import Pair
from fecontact.contact.interface.reference_pairing import ReferencePairing
from fecontact.contact.interface.rigid_surface import EARLY, place
from fecontact.contact.interface.vertices.activation import (
    ACTIVE,
    REQUIRED,
    TOLERATED,
    activate,
    deactivate_unneeded,
    keep_depths,
)
from fecontact.contact.interface.vertices.penetration import locate_vertices
from fecontact.contact.local.delassus import DelassusOperator, Statuses
from fecontact.contact.processes.prescribed import Prescribed
from fecontact.contact.solution import ContactStep
from fecontact.contact.state import ContactState
from fecontact.contact.step import SETTLED, gaps
from fecontact.contact_variables import VARIABLES
from fecontact.record import OPEN

DEEP = 0.1  # of the shortest edge: a step does not start with a pairing at deeper penetration


class ContactInterface(ContactState):
    """All contact pairs with their current pairing and the prescribed surface motion of a step.

    u: contact dofs at t = 0, m;
    prescribed: (k, 2) displacement of the prescribed contact dofs at t = 0, m;
    prescribed_moves: True if it changes with time;
    compliance: (2m,) of penalty pairs, m/N;
    surfaces: offsets of the slaves and motion of the tools;
    basis: the reference pairing of W.
    """

    def __init__(
        self,
        nodes: ContactNodes,
        pairs: list[Pair],
        u: Array,
        prescribed: Array,
        prescribed_moves: bool = True,
    ) -> None:
        super().__init__(nodes, pairs, positions(nodes.coordinates, prescribed, u, nodes.dof))
        self.compliance: Array = np.zeros(2 * self.size)
        self.kept_depth: Array = np.zeros(self.size)
        self.keeps_depths, self._vertices_inside, self._keeping = False, True, False
        self.surfaces = Prescribed(pairs, self.layout, self.wear)
        self.still = np.zeros_like(prescribed)
        self._prescribed_moves = prescribed_moves
        segments = self.layout.master.segment
        fixed_masters = bool(np.all(nodes.dof[segments[segments >= 0]] < 0))
        moved = prescribed_moves or self.surfaces.tools_move
        self._masters_fixed = fixed_masters and not moved
        changing = Changing(
            compliance=self.compliance,
            bond_force=self.adhesion.bond_force,
            wearing=self.wear.compliance,
            thickness=self.surfaces.thickness,
            kept_depth=self.kept_depth,
            master_wear=self.surfaces.master_wear,
        )
        self.context = context_of(
            nodes,
            self.layout,
            self.position,
            self._masters_fixed,
            SETTLED,
            self.wear.tributary,
            changing,
        )
        self._shortest = float(self.layout.shortest.min(initial=np.inf))
        self._active: Statuses = np.zeros(self.size, np.int8)
        self._start: ConstraintMatrix | None = None
        self._end = 0.0
        self._pair_here(self.position)
        self.surfaces.adjust(self.gap)
        self._pair_here(self.position)
        self.adhesion.bond(self.gap)
        self._activate_touching()
        self._find_inactive_rows()
        self.basis = ReferencePairing(self.rows, nodes.dof)

    @property
    def recession(self) -> float:
        """Return the largest distance of a surface inside its mesh, by wear or by a
        clearance, m.
        """
        thickness, master_wear = self.surfaces.thickness[0], self.surfaces.master_wear[0]
        return max(0.0, -float(thickness.min(initial=0.0))) + float(master_wear.max(initial=0.0))

    @property
    def gaps_found(self) -> list[Array]:
        """Return for each pair the gaps of its slave nodes at t = 0, before gap closure, m."""
        return self.surfaces.found

    @property
    def gaps_filled(self) -> list[Array]:
        """Return for each pair the gap closure at its slave nodes, m."""
        return self.surfaces.filled

    def over_tools(self, multipliers: Integers) -> Array:
        """Return (n, 3) gap, m, infinite off the tool, and normal of the tool under slave nodes."""
        a = self.layout
        found: Array = over_tools(a.tools, a.pair[multipliers], a.node[multipliers], self.position)
        found[:, 0] -= self.surfaces.thickness[0, multipliers]
        return found

    def gaps_of_prescribed(self) -> Array:
        """Return (slaves,) the gaps over tools of slave nodes fixed by supports, which contact
        cannot move; infinite for all others, m.
        """
        slaves = self.layout.slaves
        empty = self.rows.weight[:slaves] == 0.0
        prescribed = (self.nodes.dof[self.layout.node[:slaves]] < 0).any(axis=1)
        gap = np.full(slaves, np.inf)
        if (empty & prescribed).any():
            gap[empty & prescribed] = self.over_tools(np.flatnonzero(empty & prescribed))[:, 0]
        return gap

    # Start of a step ----------------------------------------------------------------------------

    def at(self, t: float) -> None:
        """Set the prescribed surface motion for a step that ends at time t, s."""
        self._start, self._end = None, t
        if self.surfaces.varies:
            self.surfaces.update(t)
            self._start = self._rows_at(self._paired_at)
        if self.keeps_depths and self._vertices_inside:
            self._keep_depths()

    @property
    def start_rows(self) -> ConstraintMatrix:
        """Return the pairing at the start of a step, with the prescribed surface motion at
        its end.
        """
        return self.rows if self._start is None else self._start

    def _expected_rows(self, x_free: Array, operator: DelassusOperator) -> ConstraintMatrix:
        """Return the initial pairing of a step.

        If masters move, it is detected where the forces of the last step would lead. Otherwise, and
        where these forces lead too deep or off the other side (as in a step with an impact), it is
        the pairing of the last step.
        """
        if self._masters_fixed:
            return self._rows_at(self._paired_at) if self._inactive_rows else self.start_rows
        slaves = self.layout.slaves
        response = operator.displacement(self.forces_on_dofs(self.rows, self.force))
        x = positions(x_free, self.still, response, self.nodes.dof)
        rows = self._rows_at(x)
        lost = (rows.weight == 0.0)[:slaves] & (self.rows.weight > 0.0)[:slaves]
        deep = gaps(*rows, x)[0] < -DEEP * self.layout.shortest
        return self.start_rows if lost.any() or deep.any() else rows

    def _rows_at(self, x: Array) -> ConstraintMatrix:
        return ConstraintMatrix(*detect(self.context, x, self._active))

    def _pair_here(self, x: Array) -> None:
        """Detect contact at positions x, which may differ from the nodal positions by round-off."""
        self._paired_at = x
        self._moved(self.position, self._rows_at(x))

    # Master vertices ----------------------------------------------------------------------------

    def _activate_touching(self) -> None:
        """Activate the master vertices that touch slave edges at the start."""
        x, near = self.position, SETTLED * self.layout.shortest
        closed = (np.abs(self.gap) <= near).astype(np.int8)
        located = locate_vertices(self.context, x)
        if not (located.segment >= 0).any():
            return
        start = closed, np.zeros(2 * self.size), np.zeros(self.size, bool)
        activate(self.context, located, self.rows.rows, x, x, start, -near, self._active)
        if self._active.any():
            self._pair_here(x)

    def _keep_depths(self) -> None:
        """Allow master vertices to keep their current tolerated penetration in the next step.

        A vertex that becomes active would otherwise leave the slave within this step, with a
        velocity inversely proportional to its size. A penalty acts on the whole penetration.
        """
        before = self._keeping
        self._keeping = keep_depths(self.context, self.position, SETTLED, self.kept_depth)
        if before or self._keeping:
            self._start = self._rows_at(self._paired_at)

    def _activate_replaced(self, active: Statuses) -> bool:
        """Activate the touching master vertices that closed nodes replace, for a body that these
        nodes do not constrain; return False if no vertex is activated.
        """
        a, located = self.layout, locate_vertices(self.context, self.position)
        number = a.vertices.multiplier
        touching = np.abs(located.place[:, 3]) <= TOLERATED * a.shortest[number]
        activated = number[(located.segment >= 0) & touching & (active[number] == 0)]
        active[activated] = ACTIVE
        return len(activated) > 0

    def _settle_vertices(self, rows: ConstraintMatrix, active: Statuses) -> None:
        """Deactivate unneeded vertices and distribute their pressure and friction work to the
        adjacent slave nodes.
        """
        slaves = self.layout.slaves
        for work in (self.wear_work, self.friction_energy):
            if work[slaves:].any():
                work[:slaves] += self._spread(rows, work) / self._tributary
                work[slaves:] = 0.0
        if self.rows.weight[slaves:].any():
            self._sums = None  # The sums count the nodes around closed vertices as closed.
            self._active[:] = active
            self._deactivate_unneeded()
        self._find_inactive_rows()

    def _find_inactive_rows(self) -> None:
        """Record whether inactive master vertices have rows."""
        slaves = self.layout.slaves
        self._inactive_rows = bool((self.rows.weight[slaves:] > self._active[slaves:]).any())

    def _deactivate_unneeded(self) -> None:
        """Keep only the required closed master vertices active in the next step."""
        deactivate_unneeded(self.context, self.position, self.status, self.force, self._active)

    # Geometric stiffness ------------------------------------------------------------------------

    def geometric_stiffness(
        self, u: Array, prescribed: Array, near: ContactStep | None
    ) -> GeometricStiffness:
        """Return K_λ for contact dofs at u; near: solution whose forces are used instead of those
        of the last step.
        """
        force, active = (self.force, self._active) if near is None else (near.force, near.active)
        x = positions(self.nodes.coordinates, prescribed, u, self.nodes.dof)
        return self._assemble_geometric_stiffness(x, force, active)

    def current_geometric_stiffness(self) -> GeometricStiffness:
        """Return K_λ at the end of the last step."""
        return self._assemble_geometric_stiffness(self.position, self.force, self._active)

    @cached_property
    def _adjoining(self) -> Neighbours:
        """Return the neighbours of the contact nodes; only nonlinear models need them."""
        sides = [self.layout.master, self.layout.edges_as_master]
        return neighbours_of(len(self.nodes.node), sides)

    def _assemble_geometric_stiffness(
        self, x: Array, force: Array, active: Statuses
    ) -> GeometricStiffness:
        step = MOVED * self._shortest
        return GeometricStiffness(
            *stiffness_entries(self.context, self._adjoining, x, force, active, step)
        )

    def acting(self, u: Array, prescribed: Array, force: Array, near: ContactStep) -> Array:
        """Return r = B(x)ᵀ λ on the contact dofs, N, for contact dofs at u.

        near: solution with the same active master vertices.
        """
        x = positions(self.nodes.coordinates, prescribed, u, self.nodes.dof)
        rows = ConstraintMatrix(*detect(self.context, x, near.active))
        return self.forces_on_dofs(rows, force)

    # Saved state --------------------------------------------------------------------------------

    def state(self) -> dict[str, Array]:
        """Return the complete state as plain arrays, the same on every rank."""
        own = {v.name: attrgetter(v.attribute)(self).copy() for v in VARIABLES}
        own["pairing"] = self._paired_at.copy()
        own["needed"] = self._active == REQUIRED
        return own | {f"basis_{k}": v.copy() for k, v in self.basis.rows.rows._asdict().items()}

    def restore(self, state: dict[str, Array], t: float) -> None:
        """Restore a state, which belongs to the time t, s."""
        for variable in VARIABLES:
            attrgetter(variable.attribute)(self)[:] = state[variable.name]
        self._keeping = bool(self.kept_depth.any())
        self.surfaces.restore(t)
        self._start, self._end, self._vertices_inside = None, t, True
        self.adhesion.begin()
        place(self.layout.tools, EARLY, self.position)
        self.basis.reset(packed(Rows._make(np.array(state[f"basis_{k}"]) for k in Rows._fields)))
        self._active[:] = np.where(state["needed"], REQUIRED, self.status != OPEN)
        self._active[: self.layout.slaves] = 0
        self._pair_here(np.array(state["pairing"]))
        self._deactivate_unneeded()
        self._find_inactive_rows()
