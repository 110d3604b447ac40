"""Force-controlled rigid tools, added to a structural model as additional dofs.

M ẍ + C ẋ + K (x − x_given) = F(t) + contact forces,   x = (x, y, L θ)

with diagonal M, C and K (:mod:`fecontact.contact.tools.driving`). The length L, the largest
distance of contact from the centre of rotation, converts the angle to a displacement. The free tool
dofs follow those of the bodies and are not coupled with them, so that the matrix is that of the
bodies and a diagonal, and so is the compliance of the contact dofs:

G = diag(G_bodies, 1/(m M + c C + k K)_tools)

A tool has two contact nodes, (x, y) and (L θ, 0), through which the rows of its pairs act on it
(:mod:`fecontact.contact.interface.rigid_surface`). Forces on tool and bodies are therefore solved
together. A dof that is not free has a prescribed motion. In a static analysis, a free dof without a
spring gets a stabilising spring, which the contact problem removes again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.arrays import Array, Integers, Mask
from fecontact.bulk import Bulk, Factor, NodeTable, StoredChange
from fecontact.contact.driven_tool import DrivenTool


class WithTools(Bulk):
    """A structural model with force-controlled tools.

    bodies: the structural model;
    owner: True if this rank owns the dofs of the tools.
    """

    def __init__(self, bodies: Bulk, tools: Sequence[DrivenTool], owner: bool) -> None:
        self.bodies, self.tools, self.owner = bodies, tools, owner
        self._free: Mask = np.concatenate([tool.free for tool in tools])
        self._mass, self._damping, self._stiffness, self._start = (
            np.concatenate([getattr(tool, name) for tool in tools])[self._free]
            for name in ("mass", "damping", "stiffness", "velocity")
        )
        self._mass = np.where(self._mass == 0.0, bodies.fictitious_mass, self._mass)
        self._prescribed_mass = np.concatenate([tool.mass * ~tool.free for tool in tools])
        self._own = len(self._mass) if owner else 0
        self._behind, self._contact = bodies.size, bodies.surface.size
        self.size: int = bodies.size + self._own
        self.massless: Mask = np.concatenate([bodies.massless, self._mass[: self._own] == 0.0])
        self.has_damping = bodies.has_damping or bool(self._damping.any())
        self.prescribed_moves = bodies.prescribed_moves or any(
            tool.prescribed_moves for tool in tools
        )
        self.surface = self._with_nodes()
        self.nonlinear, self.conserving = bodies.nonlinear, bodies.conserving
        self.follower_loads, self.fictitious_mass = bodies.follower_loads, bodies.fictitious_mass
        self.keeps_compliance, self.relaxes = bodies.keeps_compliance, bodies.relaxes

    def _with_nodes(self) -> NodeTable:
        """Return the contact nodes, those of the tools last."""
        surface, count = self.bodies.surface, len(self.tools)
        dof = np.full((2 * count, 2), -1)
        numbers = np.full(3 * count, -1)
        numbers[self._free] = self._contact + np.arange(np.count_nonzero(self._free))
        dof[0::2], dof[1::2, 0] = numbers.reshape(-1, 3)[:, :2], numbers.reshape(-1, 3)[:, 2]
        names = [node for tool in self.tools for node in tool.nodes]
        return NodeTable(
            np.concatenate([surface.node, names]),
            np.concatenate([surface.coordinates, np.zeros((2 * count, 2))]),
            np.concatenate([surface.dof, dof]),
            surface.size + int(np.count_nonzero(self._free)),
        )

    def _given(self, t: float) -> Array:
        """Return the prescribed displacements and velocities (2, 3 T) of the tools."""
        return np.concatenate([tool.given(t) for tool in self.tools], axis=1)

    def initial(self, u: Array, v: Array) -> tuple[Array, Array]:
        """Return displacement and velocity of all dofs at t = 0, given those of the bodies."""
        start = self._given(0.0)[0][self._free]
        return np.append(u, start[: self._own]), np.append(v, self._start[: self._own])

    def poses(self, u: Array, t: float) -> Array:
        """Return x, y (m) and angle (rad) of each tool, (T, 3). Collective."""
        return self._everywhere(u, self._given(t)[0])

    def rates(self, v: Array, t: float) -> Array:
        """Return velocity (m/s) and angular velocity (rad/s) of each tool, (T, 3). Collective."""
        return self._everywhere(v, self._given(t)[1])

    def _everywhere(self, x: Array, given: Array) -> Array:
        values = given.copy()
        values[self._free] = self.shared(x[self._behind :])
        scale = np.array([[1.0, 1.0, tool.length] for tool in self.tools])
        return values.reshape(-1, 3) / scale

    def shared(self, own: Array) -> Array:
        """Return the values of the free tool dofs on every rank. Collective."""
        values = np.zeros(len(self._mass))
        values[: self._own] = own
        return self.bodies.total(values)

    # The linear bulk ---------------------------------------------------------------------------

    def mass(self, x: Array, out: Array) -> Array:
        n = self._behind
        self.bodies.mass(x[:n], out[:n])
        np.multiply(self._mass[: self._own], x[n:], out=out[n:])
        return out

    def damping(self, x: Array, out: Array) -> Array:
        n = self._behind
        if self.bodies.has_damping:
            self.bodies.damping(x[:n], out[:n])
        else:
            out[:n] = 0.0
        np.multiply(self._damping[: self._own], x[n:], out=out[n:])
        return out

    def stiffness(self, x: Array, out: Array) -> Array:
        n = self._behind
        self.bodies.stiffness(x[:n], out[:n])
        np.multiply(self._stiffness[: self._own], x[n:], out=out[n:])
        return out

    def load(self, t: float, out: Array) -> Array:
        n = self._behind
        self.bodies.load(t, out[:n])
        if self.owner:
            out[n:] = np.concatenate([tool.load(t) for tool in self.tools])[self._free]
        return out

    def factor(self, m: float, c: float, k: float) -> ToolFactor:
        diagonal = m * self._mass + c * self._damping + k * self._stiffness
        if k == 0.0 and c == 0.0:
            diagonal[self._mass == 0.0] = 1.0
        loose = np.flatnonzero(diagonal == 0.0)
        if len(loose) and (m != 0.0 or c != 0.0):
            raise np.linalg.LinAlgError("a tool has neither mass nor stiffness")
        return ToolFactor(self, self.bodies.factor(m, c, k), diagonal, loose)

    def gather(self, u: Array, out: Array) -> Array:
        n, k = self._behind, self._contact
        self.bodies.gather(u[:n], out[:k])
        out[k:] = self.shared(u[n:])
        return out

    def scatter(self, r: Array, out: Array) -> Array:
        n, k = self._behind, self._contact
        self.bodies.scatter(r[:k], out[:n])
        if self.owner:
            out[n:] += r[k:]
        return out

    def prescribed(self, t: float) -> tuple[Array, Array]:
        bodies, given = self.bodies.prescribed(t), self._given(t)
        own = np.zeros((2, 2 * len(self.tools), 2))
        prescribed = np.where(self._free, 0.0, given).reshape(2, -1, 3)
        own[:, 0::2], own[:, 1::2, 0] = prescribed[:, :, :2], prescribed[:, :, 2]
        return np.concatenate([bodies[0], own[0]]), np.concatenate([bodies[1], own[1]])

    def total(self, partial: Array) -> Array:
        return self.bodies.total(partial)

    def _stretch(self, u: Array, t: float) -> tuple[float, float]:
        """Return ½ k (x − x_given)² and ½ k x² of all springs of tools, J."""
        x, given = self.shared(u[self._behind :]), self._given(t)[0][self._free]
        stretched, alone = self._stiffness @ (x - given) ** 2, self._stiffness @ x**2
        return 0.5 * float(stretched), 0.5 * float(alone)

    def spring_energy(self, u: Array, t: float) -> float:
        return self.bodies.spring_energy(u[: self._behind], t) + self._stretch(u, t)[0]

    def support_energy(self, u: Array, v: Array, t: float) -> tuple[float, float]:
        n = self._behind
        kinetic, strain = self.bodies.support_energy(u[:n], v[:n], t)
        stretched, alone = self._stretch(u, t)
        kinetic += 0.5 * float(self._prescribed_mass @ self._given(t)[1] ** 2)
        return kinetic, strain + stretched - alone

    def support_damping(self, increment: Array, v: Array, before: float, t: float) -> float:
        n = self._behind
        if not self.bodies.has_damping:
            return 0.0
        return self.bodies.support_damping(increment[:n], v[:n], before, t)

    # Nonlinear bodies ----------------------------------------------------------------------------

    @property
    def factorisations(self) -> int:  # type: ignore[override]
        return self.bodies.factorisations

    @property
    def rounding(self) -> float:  # type: ignore[override]
        return self.bodies.rounding

    @property
    def tangent_indefinite(self) -> bool:  # type: ignore[override]
        return self.bodies.tangent_indefinite

    @property
    def interior_definite(self) -> bool:  # type: ignore[override]
        return self.bodies.interior_definite

    def support_force(self, t: float) -> Array:
        out = np.zeros(self.size)
        out[: self.bodies.size] = self.bodies.support_force(t)
        return out

    @property
    def prescribed_force(self) -> Array:
        return self.bodies.prescribed_force

    def hold(self, t: float) -> None:
        self.bodies.hold(t)

    def prescribed_work(self, first: Array, increment: Array, before: float, t: float) -> float:
        return self.bodies.prescribed_work(first, increment[: self._behind], before, t)

    def inverted_element(self) -> str:
        return self.bodies.inverted_element()

    def describe_mode(self, motion: Array) -> str:
        return self.bodies.describe_mode(motion[: self.bodies.size])

    def stabilise(self, dofs: Integers, permanent: bool = False) -> None:
        self.bodies.stabilise(dofs[dofs < self.bodies.surface.size], permanent)

    def dissipation(self) -> tuple[float, float]:
        return self.bodies.dissipation()

    def accept(self) -> None:
        self.bodies.accept()

    # Viscoelastic bodies -------------------------------------------------------------------------

    def set_step(self, size: float) -> None:
        self.bodies.set_step(size)
        self.tangent_key = self.bodies.tangent_key

    def add_relaxation(self, times: tuple[float, float], out: Array) -> None:
        self.bodies.add_relaxation(times, out[: self._behind])

    def step_change(
        self, before: Array, after: Array, times: tuple[float, float], work: float
    ) -> StoredChange:
        n = self._behind
        return self.bodies.step_change(before[:n], after[:n], times, work)

    # Follower loads and conserving schemes -------------------------------------------------------

    def follow(self, t: float, u: Array, increment: Array, out: Array) -> None:
        n = self._behind
        self.bodies.follow(t, u[:n], increment[:n], out[:n])

    def linearise_support_motion(self, u: Array, before: float, out: Array) -> bool:
        n = self._behind
        np.multiply(self._stiffness[: self._own], u[n:], out=out[n:])
        return self.bodies.linearise_support_motion(u[:n], before, out[:n])

    def internal(self, u: Array, out: Array) -> float:
        n = self._behind
        np.multiply(self._stiffness[: self._own], u[n:], out=out[n:])
        return self.bodies.internal(u[:n], out[:n]) + 0.5 * float(u[n:] @ out[n:])

    def linearise(self, u: Array, force: Array) -> None:
        self.bodies.linearise(u[: self._behind], force[: self._behind])

    def initial_guess(self, before: Array, predicted: Array, out: Array) -> Array:
        n = self._behind
        self.bodies.initial_guess(before[:n], predicted[:n], out[:n])
        out[n:] = predicted[n:]
        return out

    def mean_internal(self, before: Array, after: Array, out: Array) -> None:
        n = self._behind
        self.bodies.mean_internal(before[:n], after[:n], out[:n])
        out[n:] = 0.5 * self._stiffness[: self._own] * (before[n:] + after[n:])

    def linearise_mean(self, force: Array) -> None:
        self.bodies.linearise_mean(force[: self._behind])

    def balance(self, missing: Array, m: float, out: Array) -> Array:
        n = self._behind
        self.bodies.balance(missing[:n], m, out[:n])
        out[n:] = 0.0
        return out


class ToolFactor:
    """Factor of the bodies and the diagonal of the tools.

    loose: (q,) tool dofs with a stabilising spring, as stiff as a contact dof of the bodies.
    """

    def __init__(self, bulk: WithTools, bodies: Factor, diagonal: Array, loose: Integers) -> None:
        self._bulk, self._bodies = bulk, bodies
        self._n, self._k = bulk.bodies.size, bulk.bodies.surface.size
        stiff = 1.0
        if len(loose) and self._k:
            stiff = 1.0 / float(bodies.compliance(np.zeros(1, np.int64))[0, 0])
        self._compliance = 1.0 / np.where(diagonal == 0.0, stiff, diagonal)
        self._own = self._compliance[: bulk.size - self._n]
        self._b = np.zeros(len(self._own))
        self.stabilised: Integers = np.concatenate([bodies.stabilised, self._k + loose])
        self.spring_stiffness: Array = np.append(
            bodies.spring_stiffness, np.full(len(loose), stiff)
        )

    def solve(self, b: Array, out: Array) -> Array:
        self._bodies.solve(b[: self._n], out[: self._n])
        np.multiply(self._own, b[self._n :], out=out[self._n :])
        return out

    def compliance(self, dofs: Integers) -> Array:
        result = np.zeros((len(dofs), self._k + len(self._compliance)))
        of_bodies = dofs < self._k
        if of_bodies.any():
            result[of_bodies, : self._k] = self._bodies.compliance(dofs[of_bodies])
        of_tools = np.flatnonzero(~of_bodies)
        result[of_tools, dofs[of_tools]] = self._compliance[dofs[of_tools] - self._k]
        return result

    def interface_solution(self, b: Array) -> Array:
        self._b[:] = b[self._n :]
        of_tools = self._bulk.shared(self._own * self._b)
        return np.concatenate([self._bodies.interface_solution(b[: self._n]), of_tools])

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        self._bodies.solution_with_contact(force[: self._k], out[: self._n])
        if self._bulk.owner:
            np.multiply(self._own, self._b + force[self._k :], out=out[self._n :])
        return out
