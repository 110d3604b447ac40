"""Reduced model of linear bodies behind the interface of a structural model.

M_r q̈ + C_r q̇ + K_r q = Tᵀ F φ(t) + contact forces,   u = T q

with small dense matrices on rank 0. The interface dofs are the first reduced coordinates. The other
ranks have no reduced dofs; they take part in the recovery u = T q of fields, which are distributed
as in the full model. Loads, supports and springs are those of the full model, projected once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from fecontact.arrays import Array, Index
from fecontact.record import Scalar
from fecontact.reduction.basis import Basis
from fecontact.reduction.factor import DenseFactor
from fecontact.reduction.nodes import InterfaceNodes
from fecontact.reduction.products import symmetric
from fecontact.reduction.quality import note_on, scalars_of
from fecontact.solid.output.means import BodyMean
from fecontact.solid.solid import Solid

ROUND_OFF = 1e-10  # relative to the largest part of a translation
SAMPLES = 20  # monitored states of a run: each recovers fields


class ReducedSolid(Solid):
    """Linear bodies in the basis of a component mode synthesis.

    full: the model before the reduction; it recovers fields.
    basis: T.
    """

    samples = SAMPLES

    def __init__(self, full: Solid, basis: Basis) -> None:
        vars(self).update(vars(full))  # names, supports and mesh are those of the full model
        self.full, self.basis = full, basis
        self._owner = full.comm.rank == 0
        # Last recovered displacement, velocity and acceleration: several outputs need each.
        self._recovered: dict[int, tuple[Array, Array]] = {}
        self._count, self._coordinates = basis.interface, basis.size
        self.size = basis.size if self._owner else 0
        self._m, self._c, self._k = basis.matrices
        own = slice(self.size)
        self.massless = ~np.any(self._m != 0.0, axis=1)[own]
        self._times_mass = symmetric(self._m[own, own])
        self._times_damping = symmetric(self._c[own, own])
        self._times_stiffness = symmetric(self._k[own, own])
        self._project_translations()
        self._load = full.projected_load(self._own_projection)
        self._moving = full.projected_supports(self._own_projection)
        self._spring_ends = self.shared(full.spring_ends)

    def _own_projection(self, force: Array) -> Array:
        """Return Tᵀ f, on rank 0. Collective."""
        return self.basis.project(force)[: self.size]

    def _project_translations(self) -> None:
        """Set the free translations in reduced coordinates, and K times them."""
        full, basis = self.full, self.basis
        columns = full.translations.T.copy()
        modes = np.array([basis.reduce(x) for x in columns]).reshape(-1, basis.size)
        for mode in modes:  # K times them cancels only if parts of zero are zero
            mode[np.abs(mode) < ROUND_OFF * np.abs(mode).max()] = 0.0
        part = np.empty(full.size)
        forces = [basis.project(full.stiffness(x, part)) for x in columns]
        self._anchor = np.abs(modes).argmax(axis=1) if len(modes) else np.zeros(0, np.int64)
        self._anchor_value = modes[range(len(modes)), self._anchor]
        self._directions = np.ascontiguousarray(modes)  # (n, coordinates)
        moving = len(modes) if self._owner else 0
        self._own_anchor, self._own_value = self._anchor[:moving], self._anchor_value[:moving]
        self._own_directions = np.ascontiguousarray(modes[:moving, : self.size])
        own_forces = np.array(forces).reshape(-1, basis.size)[:moving, : self.size]
        self._own_forces = np.ascontiguousarray(own_forces)
        self._modes = modes.T[: self.size].copy()

    # Interface to contact and dynamics -----------------------------------------------------------

    def mass(self, x: Array, out: Array) -> Array:
        """Compute out = M_r x."""
        return self._times_mass(x, out)

    def damping(self, x: Array, out: Array) -> Array:
        """Compute out = C_r x."""
        return self._times_damping(x, out)

    def stiffness(self, x: Array, out: Array) -> Array:
        """Compute out = K_r x without round-off from large translations."""
        c = x[self._own_anchor] / self._own_value
        self._times_stiffness(x - c @ self._own_directions, out)
        out += c @ self._own_forces
        return out

    def stiffness_at_rest(self, x: Array, out: Array) -> Array:
        """Compute out = K_r x."""
        return self.stiffness(x, out)

    def factor(self, m: float, c: float, k: float) -> DenseFactor:
        """Factorise m M_r + c C_r + k K_r; with c = k = 0 massless dofs get 1 on the diagonal."""
        matrix = m * self._m + c * self._c + k * self._k
        if k == 0.0 and c == 0.0:
            light = np.flatnonzero(np.diag(matrix) == 0.0)
            matrix[light, light] = 1.0
        dofs = self.full.stabilised if m == 0.0 and c == 0.0 else np.zeros(0, np.int64)
        stiffness = self.stabilising * np.diag(matrix)[dofs]
        matrix[dofs, dofs] += stiffness
        balance = self._balance(m, c, k, ranks=1)
        return DenseFactor(matrix, self._count, self.comm, dofs, stiffness, balance)

    def gather(self, u: Array, out: Array) -> Array:
        """Compute out = S u, the interface dofs, on every rank."""
        out[: len(u)] = u[: self._count]
        if self.comm.size > 1:
            self.comm.Bcast(out)
        return out

    def scatter(self, r: Array, out: Array) -> Array:
        """Add Sᵀ r to out, on rank 0."""
        out[: self._count] += r[: len(out)]
        return out

    # Recovery ------------------------------------------------------------------------------------

    def on_all(self, x: Array) -> Array:
        """Return reduced coordinates on every rank. Collective."""
        if self.comm.size == 1:
            return x
        whole = np.zeros(self._coordinates)
        whole[: len(x)] = x
        self.comm.Bcast(whole)
        return whole

    def recover(self, x: Array, derivative: int = 0) -> Array:
        """Return T q on the free dofs of the full model of this rank. Collective.

        derivative: 2 for accelerations, of which massless interface dofs have none in q̈.
        """
        q = self.on_all(x)
        last, found = self._recovered.get(derivative, (None, np.zeros(0)))
        if last is None or not np.array_equal(last, q):
            found = self._expand(self.basis.acceleration(q) if derivative == 2 else q)
            self._recovered[derivative] = q.copy(), found
        return found.copy()

    def _expand(self, q: Array) -> Array:
        """Return T q without round-off from large translations. Collective."""
        c = q[self._anchor] / self._anchor_value
        moved = self.basis.recover(q - c @ self._directions)
        return np.asarray(moved + self.full.translations @ c)

    def at_free_dofs(self, field: Array) -> Array:
        """Return the reduced coordinates of a nodal field (N, 2), on rank 0. Collective."""
        return self.basis.reduce(self.full.at_free_dofs(field))[: self.size]

    def initial(self) -> tuple[Array, Array]:
        """Return displacement and velocity at t = 0."""
        u, v = self.full.initial()
        return self.basis.reduce(u)[: self.size], self.basis.reduce(v)[: self.size]

    def shared(self, nodes: Index) -> InterfaceNodes:
        """Return interface nodes whose motion is available on every rank."""
        return InterfaceNodes(self, nodes)

    def nodal(self, x: Array, t: float, derivative: int = 0) -> Array:
        """Return a motion at all nodes, (N, 2), on rank 0; see :meth:`Solid.nodal`."""
        return self.full.nodal(self.recover(x, derivative), t, derivative)

    def spread(self, x: Array) -> Array:
        """Return T q at all nodes, on rank 0; 0 at prescribed dofs."""
        return self.full.spread(self.recover(x))

    def force_field(self, x: Array) -> Array:
        """Return no forces: those of reduced coordinates do not belong to nodes."""
        return np.zeros(self.mesh.points.shape)

    def by_dof(self, x: Array) -> Array:
        """Return reduced coordinates as the first entries of a field (N, 2), on rank 0."""
        field = np.zeros(self.mesh.points.shape)
        field.reshape(-1)[: len(x)] = x
        return field

    def marked(self, field: Array) -> Array:
        """Return the entries of a field of :meth:`by_dof`, on rank 0."""
        return field.reshape(-1)[: self.size].copy()

    def mean(self, body: str, where: str) -> BodyMean:
        """Return the mean motion of a body; see :meth:`Solid.mean`."""
        return self.full.mean(body, where).projected(self._own_projection)

    def angular_momentum(self, body: str, where: str) -> Callable[[Array, Array], float]:
        """Return q, q̇ ↦ angular momentum of a body; see :meth:`Solid.angular_momentum`."""
        full = self.full.angular_momentum(body, where)
        return lambda u, v: full(self.recover(u), self.recover(v))

    def reaction(self, support: str, u: Array, v: Array, a: Array, t: float) -> Array:
        """Return the reaction force of a support, N; see :meth:`Solid.reaction`."""
        motion = self.recover(u), self.recover(v), self.recover(a, 2)
        return self.full.reaction(support, *motion, t)

    def support_force(self, t: float) -> Array:
        """Return the projected K_fh u_h of displaced supports, N, or a scalar 0."""
        return self._moving.support_force(t)

    def exported_state(self, u: Array, t: float) -> dict[str, Array]:
        """Return nothing: a reduced model has neither history variables nor pretension."""
        return {}

    def stress(self, u: Array, t: float) -> Array:
        """Return the stress averaged to the nodes, Pa, on rank 0."""
        return self.full.stress(self.recover(u), t)

    def stress_at(self, node: int, u: Array, t: float) -> Array:
        """Return the stress at one node, Pa, on every rank."""
        return self.full.stress_at(node, self.recover(u), t)

    def energy_error_estimate(self, u: Array, t: float) -> Array:
        """Return the estimated discretisation error of each body, J, on every rank."""
        return self.full.energy_error_estimate(self.recover(u), t)

    def restore(self, state: Mapping[str, Array], u: Array, t: float) -> None:
        """Do nothing: linear bodies have no internal state."""

    def reduction_error(
        self, motion: tuple[Array, Array, Array], contact: Array, t: float
    ) -> tuple[float, float]:
        """Return the energy of the neglected motion, J, and the relative residual of the recovered
        field, F + Sᵀ r − M ü − C u̇ − K u on the full model. Collective.

        motion: q, q̇, q̈; contact: r on the interface dofs, N.
        """
        full = self.full
        u, v, a = (self.recover(x, derivative) for derivative, x in enumerate(motion))
        applied = full.scatter(contact, full.load(t, np.empty(full.size)))
        part, residual = np.empty(full.size), applied.copy()
        squares = [applied @ applied]
        for product, x in ((full.mass, a), (full.damping, v), (full.stiffness, u)):
            residual -= product(x, part)
            squares.append(part @ part)
        squares.append(residual @ residual)
        sums = full.total(np.array(squares))
        size = float(np.sqrt(sums[:-1].max()))
        energy = self.basis.neglected_energy(self.on_all(motion[1]), residual)
        return energy, float(np.sqrt(sums[-1])) / size if size > 0.0 else 0.0

    def reduction_scalars(self, found: Array, energy: float) -> dict[str, Scalar]:
        """Return the scalars of the reduction; see `fecontact.reduction.quality.scalars_of`."""
        return scalars_of(self.basis, found, energy)

    def reduction_notes(self, step: float) -> list[str]:
        """Return a description of the reduction; step: s."""
        return [note_on(self.basis, int(self.comm.allreduce(self.full.size)), step)]
