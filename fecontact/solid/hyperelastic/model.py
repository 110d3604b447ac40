"""Model with hyperelastic and elastoplastic bodies.

    M ü + C u̇ + f(u) = F φ(t) + contact forces,    f = K u + ∂E/∂u,    E = ∫ ψ(F) dV

K is the stiffness of linear bodies and springs, E the energy of finite-strain bodies
(:mod:`fecontact.solid.hyperelastic.forms`). Prescribed dofs of finite-strain bodies enter E
directly; those of linear bodies act as loads, as in the linear model. Follower pressures on
finite-strain bodies (:mod:`fecontact.solid.hyperelastic.follower_pressure`) are part of f, as they
depend on u. Elastoplastic bodies are treated like finite-strain bodies; their force is not the
derivative of an energy, as part of its work is dissipated
(:mod:`fecontact.solid.plasticity.model`). Nodes with inclined supports have their dofs, forces and
rows of K in local axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.restart_file import MEMORY, MEMORY_BEFORE
from fecontact.solid.components import Parts
from fecontact.solid.fem.dofs import SharedDofs, restricted
from fecontact.solid.hyperelastic.follower_pressure import FollowingPressures, PressedEdges
from fecontact.solid.hyperelastic.forms import FiniteForms
from fecontact.solid.linear.balance import NONE
from fecontact.solid.solid import Solid
from fecontact.solid.solvers.products import distributed_product
from fecontact.solid.solvers.schur import MAX_CONDENSED_DOFS, SchurFactor, SchurPattern
from fecontact.solid.solvers.substructure import DirectFactor
from fecontact.study.errors import InputError

EPSILON = float(np.finfo(float).eps)


class HyperelasticModel(Solid):
    """Bodies on this rank, including finite-strain or elastoplastic bodies."""

    nonlinear = True
    stabilising: ClassVar[float] = 10.0  # K of a compressed body has large negative eigenvalues

    def __init__(self, parts: Parts, pressures: Sequence[PressedEdges] = ()) -> None:
        super().__init__(parts)
        self._pressures = FollowingPressures(pressures, parts.functions, parts.forms)
        self._pressed_nodes = self.shared(self._pressures.node)
        self._pressing: Array = np.zeros(2 * self._space.owned_blocks)  # of the last evaluation
        self._finite = self._finite_forms(parts)
        self._prescribed_dofs = np.setdiff1d(
            np.arange(2 * self._space.owned_blocks), self._free.owned
        )
        self._moved = bool(self._supports.amplitudes.any())  # True if any support moves
        self._body_names, self._body = parts.body_names, parts.materials.body
        self.factorisations = 0
        self._permanently_stabilised = self._stabilised  # contact dofs with stabilising springs
        self._pressed = NONE  # loaded contact dofs of finite-strain bodies
        self._indefinite = False  # True if K or K + K_λ was found indefinite
        self._condensing = self._solver == "cholesky" and self.surface.size <= MAX_CONDENSED_DOFS
        self._condensation: SchurPattern | None = None
        finite = np.zeros(len(self.mesh.points), dtype=bool)
        finite[np.unique(self.mesh.cells[parts.materials.finite])] = True
        self._finite_strain_dofs = np.zeros(self.surface.size, dtype=bool)
        free = self.surface.dof >= 0
        node = np.broadcast_to(self.surface.node[:, None], free.shape)
        self._finite_strain_dofs[self.surface.dof[free]] = finite[node[free]]
        self._full = np.zeros(2 * self._space.owned_blocks)
        self._at: Array | None = None  # displacements of the last evaluation
        self._force: Array = np.zeros_like(self._full)
        self._energy = 0.0
        self.hold(0.0)
        u = self.initial()[0]
        self.linearise(u, u)
        self.rounding = self._rounding()

    def _finite_forms(self, parts: Parts) -> FiniteForms:
        """Return the forms of nonlinear bodies."""
        return FiniteForms(self._forms, parts.laws, parts.yielding)

    def _rounding(self) -> float:
        """Return the round-off of f from 16-digit positions: ε |K| |X|, N, over all dofs."""
        start, _, values = self._stiffness_now.getValuesCSR()
        sums = np.add.reduceat(np.append(np.abs(values), 0.0), start[:-1]) * (np.diff(start) > 0)
        farthest = float(np.abs(self.mesh.points).max(initial=0.0))
        return EPSILON * farthest * float(np.sqrt(self.comm.allreduce(float(sums @ sums))))

    # Linearised model --------------------------------------------------------------------------

    def hold(self, t: float) -> None:
        """Set the prescribed dofs to their values at time t."""
        self._time = t
        self._finite.begin_step()
        if self._pressures:
            self._pressures.at(t)
        self._set_prescribed(t)

    def _set_prescribed(self, t: float) -> None:
        if self._moved or self._at is None:
            self._full[self._prescribed_dofs] = self._prescribed_at(t)

    def _prescribed_at(self, t: float) -> Array:
        """Return displacements of the prescribed dofs of this rank, m."""
        own = self._space.node[: self._space.owned_blocks]
        return self._free.along_axes(self._supports.motion(t, own)[0])[self._prescribed_dofs]

    def _evaluate(self, u: Array) -> None:
        """Evaluate E and its derivative over all dofs at u, unless u is unchanged."""
        self._full[self._free.owned] = u
        same = self._at is not None and np.array_equal(self._at, self._full)
        if self.comm.allreduce(same, MPI.LAND):  # All ranks must take the same branch.
            return
        self._at = self._full.copy()
        self._finite.put(self._free.in_x_and_y(self._full))
        self._force = self._free.along_axes(self._finite.force())
        self._energy = self._finite.energy()

    def _press(self, u: Array) -> Array:
        """Return positions (N, 2) of the nodes on loaded edges.

        Evaluate the pressure forces there.
        """
        x: Array = self.mesh.points.copy()
        x[self._pressures.node] += self._pressed_nodes.motion(u, self._time)
        self._pressing = self._free.along_axes(self._space.owned(self._pressures.forces(x)))
        return x

    @property
    def prescribed_force(self) -> Array:
        """Return ∂E/∂u at prescribed dofs and follower pressures at free dofs, last
        evaluation, N.
        """
        if not self._pressures:
            return self._force[self._prescribed_dofs]
        return np.concatenate(
            [self._force[self._prescribed_dofs], self._pressing[self._free.owned]]
        )

    def internal(self, u: Array, out: Array) -> float:
        """Compute out = f(u), N; return the stored energy, J, share of this rank."""
        super().stiffness(u, out)
        linear = 0.5 * float(u @ out)
        self._evaluate(u)
        out += self._force[self._free.owned]
        if self._pressures:
            self._press(u)
            out -= self._pressing[self._free.owned]
        return linear + self._energy

    def linearise(self, u: Array, force: Array) -> None:
        """Set K to the tangent at u.

        For a body constrained only by contact that is still open, K excludes the load stiffness of
        the pressures: it alone would resist rigid-body motion and cause huge displacements.
        """
        self._evaluate(u)
        matrix = self._finite.stiffness()
        if self._pressures and (len(self._pressed) or not len(self._permanently_stabilised)):
            self._pressures.add_stiffness(self._press(u), matrix)
        self._stiffness_of_all = self._free.turned(matrix)
        self._stiffness_now = restricted(self._stiffness_of_all, self._free.owned)

    def linearise_support_motion(self, u: Array, before: float, out: Array) -> bool:
        """Set K with prescribed dofs at their previous values.

        Compute out = f there + K times their increment.
        """
        if not self._moved:
            return False
        now = self._full[self._prescribed_dofs]
        self._set_prescribed(before)
        moved = now - self._full[self._prescribed_dofs]
        self.internal(u, out)
        self.linearise(u, out)
        self._full[self._prescribed_dofs] = now
        x, y = self._stiffness_of_all.createVecs()
        x.getArray()[self._prescribed_dofs] = moved
        self._stiffness_of_all.mult(x, y)
        out += y.getArray()[self._free.owned]
        return True

    def prescribed_work(self, first: Array, increment: Array, before: float, t: float) -> float:
        """Return [u_h]·½(f_h(before) + f_h(t)), and likewise for pressures, over all ranks, J."""
        if not self._moved and not self._pressures:
            return 0.0
        here, there = self._prescribed_at(before), self._prescribed_at(t)
        travel = np.concatenate([there - here, increment]) if self._pressures else there - here
        work = 0.5 * float(travel @ (first + self.prescribed_force))
        return float(self.total(np.array([work]))[0])

    def initial_guess(self, before: Array, predicted: Array, out: Array) -> Array:
        """Set out = predicted."""
        self._finite.begin_iterations()
        out[:] = predicted
        return out

    def stabilise(self, dofs: Index, permanent: bool = False) -> None:
        """Add stabilising springs at contact dofs of finite-strain bodies.

        K of a compressed block is indefinite, but not if contact constrains it (K + ρ SᵀS > 0).
        """
        self._pressed = dofs[self._finite_strain_dofs[dofs]]
        self._indefinite = self._indefinite or permanent

    def dissipation(self) -> tuple[float, float]:
        """Return plastic work and viscous dissipation of the current step, J, share of this
        rank.
        """
        return self._finite.plastic_work(), 0.0

    def accept(self) -> None:
        """Commit the history variables of the last evaluation."""
        for piece in self.history.pieces:
            piece.accept()

    def exported_state(self, u: Array, t: float) -> dict[str, Array]:
        return super().exported_state(u, t) | self._history_variables()

    def import_state(self, state: Mapping[str, Array], t: float) -> None:
        super().import_state(state, t)
        if self.yields and MEMORY in state:
            if state[MEMORY].shape != self.history.of_all_ranks().shape:
                raise InputError(
                    "initial_state: different bodies are elastoplastic in that run. Make the same "
                    "bodies elastoplastic."
                )
            self.history.set(state[MEMORY])
            self._at = None  # forces depend on the history variables

    def _history_variables(self) -> dict[str, Array]:
        return {MEMORY: self.history.of_all_ranks()} if self.yields else {}

    def internal_state(self) -> dict[str, Array]:
        """Return the internal state that determines the forces besides displacements."""
        thickness = self._finite.thicknesses()
        found = {"thickness": thickness} if len(thickness) else {}
        found |= super().internal_state() | self._history_variables()
        return found | (
            {MEMORY_BEFORE: self.history.of_all_ranks(before=True)} if self.yields else {}
        )

    def restore(self, state: Mapping[str, Array], u: Array, t: float) -> None:
        """Evaluate forces at displacements u and time t with the internal state `state`.

        Collective.
        """
        super().restore(state, u, t)
        if self.yields:
            self.history.set(state[MEMORY_BEFORE])
        if "thickness" in state:
            self._finite.take_thicknesses(state["thickness"])
        self._at = None
        self.hold(t)
        self._evaluate(u)
        if self.yields:
            self.history.restore_committed(state[MEMORY])

    def inverted_element(self) -> str:
        """Return the inverted element found in the last evaluation."""
        worst, where = min(self.comm.allgather(self._finite.flattest()))
        if worst > 0.0:
            return ""
        x, y = self.mesh.points[np.unique(self.mesh.cells[where])].mean(axis=0)
        body = self._body_names[self._body[where]]
        return f"element {where} of bodies.{body}, at x = {x:.6g} m, y = {y:.6g} m, undeformed"

    def stiffness(self, x: Array, out: Array) -> Array:
        """Compute out = K x at the last linearisation."""
        super().stiffness(x, out)
        out += distributed_product(self._stiffness_now)(x, np.empty_like(out))
        return out

    def _tangent(self) -> PETSc.Mat:
        matrix = super()._tangent()
        matrix.axpy(1.0, self._stiffness_now, PETSc.Mat.Structure.DIFFERENT_NONZERO_PATTERN)
        return matrix

    def factor(self, m: float, c: float, k: float) -> DirectFactor:
        """Return the factor of m M + c C + k K at the last linearisation."""
        self.factorisations += k != 0.0
        if k == 0.0 or not self._condensing:
            self._stabilised = np.union1d(self._permanently_stabilised, self._pressed)
            return self.factor_at_rest(m, c, k)
        found = self._condensed(m, c, k)
        if not found.definite and not self._indefinite and m == 0.0:
            self._indefinite = True  # and likely to remain so
            if len(self._pressed):
                found = self._condensed(m, c, k)
        self.interior_definite = found.inside
        return found

    @property
    def tangent_indefinite(self) -> bool:  # type: ignore[override]
        """Return True if K was found indefinite, on one rank."""
        return self._indefinite

    def describe_mode(self, motion: Array) -> str:
        """Return text naming the body and position that a motion of the free dofs moves most.

        Collective.
        """
        moved = self.nodal(motion, self._time) - self.nodal(0.0 * motion, self._time)
        node = int(np.argmax(np.einsum("nx,nx->n", moved, moved)))
        cell = int(np.argmax((self.mesh.cells == node).any(axis=1)))
        x, y = self.mesh.points[node]
        body = self._body_names[self._body[cell]]
        return f"bodies.{body}, most at x = {x:.6g} m, y = {y:.6g} m, undeformed"

    def summands(self, m: float, c: float, k: float) -> tuple[list[PETSc.Mat], list[float]]:
        """Return matrices and weights whose sum is m M + c C + k K at the last linearisation."""
        own = self._matrices
        matrices, weights = [self._stiffness_now, own.stiffness, own.mass], [k, k, m]
        if own.damping is not None:
            matrices, weights = [*matrices, own.damping], [*weights, c]
        return matrices, weights

    def condensation(self, surface: SharedDofs) -> SchurPattern:
        """Return the elimination order with the dofs of a surface last, on one rank."""
        return SchurPattern(self.summands(0.0, 0.0, 1.0)[0], self._numbers, surface)

    def _condensed(self, m: float, c: float, k: float) -> SchurFactor:
        """Return the factor, on one rank; the pattern of the first factorisation is reused."""
        if self._condensation is None:
            self._condensation = self.condensation(self._contact)
        entries = self._condensation.sum.values(*self.summands(m, c, k))
        springs = NONE
        if m == 0.0 and c == 0.0:
            springs = np.union1d(
                self._permanently_stabilised, self._pressed if self._indefinite else NONE
            )
        stiffness = self.stabilising * entries[self._condensation.spring_entries[springs]]
        balance = self._balance(m, c, k)
        return self._condensation.factor(entries, springs, stiffness, balance)

    # Forces for results ------------------------------------------------------------------------

    def reaction(self, support: str, u: Array, v: Array, a: Array, t: float) -> Array:
        """Return the reaction force (x, y) of a support, N, without contact forces on prescribed
        nodes.
        """
        self.hold(t)
        self._evaluate(u)
        if self._pressures:
            self._press(u)
        forces = self._free.in_x_and_y(self._force - self._pressing)
        return super().reaction(support, u, v, a, t) + self.total(self._carried(support, forces))
