"""Linear elastic finite-element model with springs, supports and loads.

    M ü + C u̇ + K u = F φ(t) + contact forces       on the free dofs of this rank

:class:`Solid` implements the interface of `fecontact.bulk` used by contact and dynamics, and
provides the fields for the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from dolfinx import fem
from mpi4py import MPI

from fecontact.mesh.cells import Index
from fecontact.record import Array, Scalar
from fecontact.solid.components import Parts
from fecontact.solid.conditions.actions import MovingSupports, PrescribedProducts, Reaction
from fecontact.solid.conditions.discrete import spring_energy
from fecontact.solid.conditions.foundations import nodes_on
from fecontact.solid.conditions.loads import LoadHistory, add_pattern
from fecontact.solid.conditions.pretension import PretensionSections
from fecontact.solid.fem.dofs import FreeDofs, SharedNodes
from fecontact.solid.fem.matrices import Matrices, assemble, without_zeros
from fecontact.solid.fem.redistribution import redistribute, row_sums
from fecontact.solid.hyperelastic.free_bodies import FreeBodies
from fecontact.solid.linear.translation import Translations
from fecontact.solid.output.means import BodyMean
from fecontact.solid.output.stress import StressRecovery
from fecontact.solid.plasticity.history import History
from fecontact.solid.solvers.products import Product
from fecontact.solid.solvers.system import NONE, FreeSystem


class Solid(FreeSystem):
    """Elastic bodies on this rank.

    surface: nodes of all contact edges.
    warnings, notes: as in :class:`fecontact.solid.components.Parts`.
    yields: True if any body is elastoplastic.
    history: history variables of the elastoplastic bodies.
    """

    samples = 100  # monitored states of a run

    def __init__(self, parts: Parts) -> None:
        self._forms, self._space = parts.forms, parts.forms.space
        self.mesh, comm = self._space.mesh, self._space.comm
        self._places, self._supports = parts.places, parts.supports
        self._discretes, self._initial = parts.discretes, parts.initial
        materials = parts.materials
        self._free = FreeDofs(self._space, self._supports)
        on_foundations = nodes_on(parts.foundations)
        self._translations = Translations(
            self._forms, self._supports, self._free, self._discretes, on_foundations
        )
        self.surface: SharedNodes = self.shared(parts.contact)
        self.prescribed_moves = self.surface.prescribed_moves
        ends = self._discretes.ends
        self._spring_ends = self.shared(np.unique(ends[ends >= 0]))
        rows = np.searchsorted(self._spring_ends.node, ends)
        self._spring_rows = np.where(ends < 0, -1, rows)  # −1: ground

        full = assemble(self._forms, materials, self._discretes, parts.foundations, parts.lumped)
        self._pretension = PretensionSections(parts.sections, parts.functions, self.shared)
        self._pretension.soften(full.stiffness, self._space)
        self._preloaded = len(self._pretension) > 0
        if len(parts.massless):
            redistribute(full.mass, self._space, materials, parts.massless)
        self._nodal_mass = row_sums(full.mass) if len(parts.massless) else None
        restrict = self._free.restrict
        damping = None if full.damping is None else restrict(full.damping)
        mass = full.mass
        if parts.fictitious_density is not None:
            mass = self._forms.mass(parts.fictitious_density)
            self.fictitious_mass = 0.5 * float(comm.allreduce(row_sums(mass).sum()))
        mass = without_zeros(restrict(mass))
        free = Matrices(restrict(full.stiffness), damping, mass)
        stands_on = self.surface.dof[parts.stabilised[self.surface.node]]
        super().__init__(free, self._free.owned, self.surface, comm, parts.solver, stands_on)
        self.warnings, self.notes = parts.warnings, parts.notes
        self._modes = self._translations.modes()
        products = PrescribedProducts(full, self._space, self._discretes)
        self._moving = MovingSupports(products, self._supports, self._free)
        patterns = {key: self._free.of_owned(vector) for key, vector in parts.loads.items()}
        for key, vector in self._moving.patterns.items():
            add_pattern(patterns, key, vector)
        self._load = LoadHistory(parts.functions, patterns, self.size)
        self._reactions = {
            name: Reaction(
                name,
                products,
                self._supports,
                self._free,
                self._moving,
                parts.loads,
                parts.functions,
            )
            for name in self._supports.nodes
        }
        self.history = History([piece for piece in parts.yielding if piece is not None])
        self.yields = bool(self.history.pieces)
        self._stress = StressRecovery(self._forms, materials, parts.laws, parts.yielding)
        self._stress.take_jumps(self._pretension.jumps(self._space))

    # Interface to contact and dynamics -------------------------------------------------------

    def _stiffness_product(self) -> Product:
        return self._translations.product(self._matrices.stiffness)

    def load(self, t: float, out: Array) -> Array:
        """Compute out = F φ(t): loads and forces of moving supports, N."""
        return self._load(t, out)

    def prescribed(self, t: float) -> tuple[Array, Array]:
        """Return displacement and velocity of the prescribed contact dofs, 0 at free dofs."""
        return self.surface.prescribed(t)

    def spring_energy(self, u: Array, t: float) -> float:
        """Return the elastic energy of the discrete springs, J."""
        if not len(self._discretes.ends):
            return 0.0
        motion = self._spring_ends.motion(u, t)
        return float(spring_energy(self._discretes.stiffness, self._spring_rows, motion))

    def support_energy(self, u: Array, v: Array, t: float) -> tuple[float, float]:
        """Return the kinetic and strain energy contributed by moving prescribed dofs and by
        pretension sections, J.
        """
        kinetic, strain = self._moving.energy(u, v, t)
        if self._preloaded:
            strain += self._pretension.energy(u, t)
        return kinetic, strain

    def support_damping(self, increment: Array, v: Array, before: float, t: float) -> float:
        """Return the contribution of moving prescribed dofs to the work of C in a step, J."""
        return self._moving.damping(increment, v, before, t)

    # Motion, forces and fields for results ---------------------------------------------------

    def initial(self) -> tuple[Array, Array]:
        """Return displacement and velocity of the free dofs at t = 0."""
        u, v = self._initial
        return self._free.take(u), self._free.take(v)

    def shared(self, nodes: Index) -> SharedNodes:
        """Return nodes whose motion is available on every rank."""
        return SharedNodes(self._space, self._supports, self._free, nodes)

    def point(self, name: str, where: str) -> int:
        """Return the node of a named point; `where` is the study key for the error message."""
        return self._places.point(name, where)

    def nodes_of(self, body: str, where: str) -> Index:
        """Return the nodes of a body; `where` as in :meth:`point`."""
        return self._places.nodes(body, where)

    @property
    def free_index(self) -> Index:
        """Return the free dofs (N, 2) of all nodes on this rank, −1 if a dof is not free here."""
        return self._free.index

    def rigid_motions(self, x: Array) -> Array:
        """Return the rigid motions (n, 2, r) of points x (n, 2), m, about the origin."""
        return self._forms.measure.rigid_motions(x)

    def in_local_axes(self, field: Array) -> Array:
        """Return a nodal field (N, 2) in the local axes of each node, as in `held_components`."""
        return self._supports.axes.local(field)

    def mean(self, body: str, where: str) -> BodyMean:
        """Return the mean motion of a body; `where` as in :meth:`point`."""
        cells = self._places.cells(body, where)
        return BodyMean(cells, self._forms, self._supports, self._free, self._nodal_mass)

    def angular_momentum(self, body: str, where: str) -> Callable[[Array, Array], float]:
        """Return u, v ↦ angular momentum of a body about its centre of mass.

        `where` as in :meth:`point`.
        """
        bodies = FreeBodies(self, self._free.index, np.asarray(self._supports.resists.any(axis=1)))
        part = bodies.free_part(self._places.nodes(body, where), where)
        return lambda u, v: float(bodies.angular_momenta(u, v)[part])

    def reaction(self, support: str, u: Array, v: Array, a: Array, t: float) -> Array:
        """Return the reaction force (x, y) of a support, N, without contact forces on prescribed
        nodes; 0 if the support is inactive.
        """
        if support not in self._reactions:
            return np.zeros(2)
        return self._reactions[support](u, v, a, t)

    def _carried(self, support: str, owned: Array) -> Array:
        """Return the part of a support in forces, in x and y, on the dofs owned by this rank."""
        nodal = np.zeros(self.mesh.points.shape)
        nodal[self._space.node[: self._space.owned_blocks]] = owned.reshape(-1, 2)
        nodes = self._supports.nodes.get(support, NONE)
        shares = self.holds(support, nodes)
        return np.asarray(np.einsum("nij,nj->i", shares, nodal[nodes]))

    def depth(self, edges: Index) -> Array:
        """Return dA/ds, m, of boundary edges at each of their nodes, shaped as edges."""
        return self._forms.edge_depth(edges)

    @property
    def lost_peaks(self) -> dict[str, float]:
        """Return support → fraction of a peak of its table that lies between its nodes."""
        return self._supports.lost

    def holds(self, support: str, nodes: Index) -> Array:
        """Return (S, 2, 2) the fraction of a force on each node carried by a support."""
        if support not in self._supports.nodes:
            return np.zeros((len(nodes), 2, 2))
        return self._supports.shares(support, nodes)

    def at_free_dofs(self, field: Array) -> Array:
        """Return a nodal field (N, 2) at the free dofs of this rank."""
        return self._free.take(field)

    def nodal(self, x: Array, t: float, derivative: int = 0) -> Array:
        """Return a free-dof vector (displacement or derivative) at all nodes, (N, 2), on rank 0.

        Collective, like `stress`; other ranks get zeros.
        """
        field = self.spread(x)
        self._supports.put(t, derivative, field)
        return field

    def spread(self, x: Array) -> Array:
        """Return any free-dof vector at all nodes, as `nodal`; 0 at prescribed dofs."""
        field = np.zeros(self.mesh.points.shape)
        self._free.put(x, field)
        return self._on_rank_0(field)

    def force_field(self, x: Array) -> Array:
        """Return forces on the free dofs at all nodes, as `spread`."""
        return self.spread(x)

    def projected_load(self, project: Callable[[Array], Array]) -> LoadHistory:
        """Return the loads in other coordinates; project: forces on the free dofs ↦ theirs."""
        return self._load.projected(project)

    def projected_supports(self, project: Callable[[Array], Array]) -> MovingSupports:
        """Return the moving supports in other coordinates; project as in `projected_load`."""
        return self._moving.projected(project)

    @property
    def load_patterns(self) -> Array:
        """Return the load vectors (J, size) of loads and moving supports on this rank."""
        return self._load.patterns

    @property
    def spring_ends(self) -> Index:
        """Return the nodes at the ends of discrete springs."""
        return self._spring_ends.node

    def by_dof(self, x: Array) -> Array:
        """Return a free-dof vector by nodal dofs, (N, 2), on rank 0; collective.

        `marked` restores the vector bit by bit on any number of ranks.
        """
        field = np.zeros(self.mesh.points.shape)
        self._free.put_marked(x, field)
        return self._on_rank_0(field)

    def _on_rank_0(self, field: Array) -> Array:
        if self.comm.size > 1:
            total = np.zeros_like(field)
            self.comm.Reduce(field, total)
            field = total
        return field

    def marked(self, field: Array) -> Array:
        """Return the entries of a field of nodal dofs, as `held_components`, at the free dofs."""
        return self._free.marked(field)

    @property
    def prescribed_components(self) -> NDArray[np.bool_]:
        """Return (N, 2) True if x, y of a node (or its local components) is prescribed."""
        return self._supports.prescribed

    def function(self, values: Array) -> fem.Function:
        """Return nodal values (N, k), available on rank 0, as a dolfinx function; collective."""
        return self._space.function(values)

    def support_force(self, t: float) -> Array:
        """Return K_fh u_h of displaced supports, N, or a scalar 0."""
        return self._moving.support_force(t)

    def deformation(self, u: Array) -> Array:
        """Return the straining part of displacements u; collective."""
        return u

    def pretension(self, name: str, quantity: str) -> Callable[[Array, float], float]:
        """Return u, t ↦ `force`, N, or `shortening`, m, of a section; 0 if it is inactive."""
        sections, number = self._pretension, self._pretension.index(name)
        if number < 0:
            return lambda u, t: 0.0
        read = sections.forces if quantity == "force" else sections.shortenings
        return lambda u, t: float(read(u, t)[number])

    def lock_pretension(self, state: Mapping[str, Array]) -> None:
        """Restore the shortenings of locked sections from a state."""
        if not any(section.load.locked for section in self._pretension.sections):
            return
        field = self._pretension.lock(state)
        self._load.put_constant(self._free.of_owned(self._space.owned(field)))
        for reaction in self._reactions.values():
            reaction.put_constant(field)

    def _strained(self, u: Array, t: float) -> Array:
        """Return displacements as `_owned`.

        The stress recovery adds the shortening of cells above a cut.
        """
        if len(self._pretension):
            self._stress.add_jumps(self._pretension.shortenings(u, t))
        return self._owned(u, t)

    def stress(self, u: Array, t: float) -> Array:
        """Return the stress xx, yy, zz, xy averaged to the nodes, (N, 4) Pa, on rank 0."""
        return self._stress.nodal(self._strained(u, t))

    def stress_at(self, node: int, u: Array, t: float) -> Array:
        """Return the stress xx, yy, zz, xy at one node, Pa, on every rank."""
        return self._stress.at(node, self._strained(u, t))

    def energy_error_estimate(self, u: Array, t: float) -> Array:
        """Return for each body (bodies, 2) the estimated discretisation error in strain energy and
        the energy of the averaged stress, J, on every rank.
        """
        return self._stress.energy_error_estimate(self._strained(self.deformation(u), t))

    def reduction_error(
        self, motion: tuple[Array, Array, Array], contact: Array, t: float
    ) -> tuple[float, float]:
        """Return neglected energy, J, and residual: 0, as no motion is neglected."""
        return 0.0, 0.0

    def reduction_scalars(self, found: Array, energy: float) -> dict[str, Scalar]:
        """Return nothing: the model is not reduced."""
        return {}

    def reduction_notes(self, step: float) -> list[str]:
        """Return nothing: the model is not reduced."""
        return []

    def plastic_strain(self) -> Array:
        """Return the equivalent plastic strain averaged to the nodes, (N,), on rank 0."""
        return self._stress.plastic_strain()

    def plastic_strain_at(self, node: int) -> float:
        """Return the equivalent plastic strain at one node, on every rank."""
        return self._stress.plastic_strain_at(node)

    def max_plastic_strain(self) -> float:
        """Return the largest equivalent plastic strain over all ranks."""
        return float(self.comm.allreduce(self.history.max_plastic_strain(), MPI.MAX))

    def plastic_work_of_strain(self) -> float:
        """Return the plastic work of the equivalent plastic strain, ∫∫ q dᾱ dV, J. Collective."""
        return float(self.comm.allreduce(self.history.work_of_strain()))

    def exported_state(self, u: Array, t: float) -> dict[str, Array]:
        """Return what the bodies pass to another run or stage besides their motion, by name, on
        every rank: history variables and shortenings of pretension sections. Collective.
        """
        return self._pretension.state(u, t)

    def import_state(self, state: Mapping[str, Array], t: float) -> None:
        """Set the internal state from the exported state of another run or stage at t, s.

        Raise InputError if other bodies have history variables there. Collective.
        """
        self.lock_pretension(state)

    def internal_state(self) -> dict[str, Array]:
        """Return the internal state that determines the forces besides u, on every rank.

        Collective.

        Linear bodies have no such state.
        """
        return self._pretension.locked_state()

    def restore(self, state: Mapping[str, Array], u: Array, t: float) -> None:
        """Evaluate forces at displacements u and time t with the internal state `state`.

        Collective.
        """
        self.lock_pretension(state)

    def _owned(self, u: Array, t: float) -> Array:
        """Return displacements of all dofs owned by this rank, free and prescribed."""
        own = self._space.node[: self._space.owned_blocks]
        values = self._supports.motion(t, own)[0].ravel()
        self._free.put_owned(u, values)
        return values
