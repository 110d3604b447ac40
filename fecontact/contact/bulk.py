"""The seam between an elastic body and contact dynamics: what contact needs of a linear bulk.

    M ü + C u̇ + K u = F φ(t) + Sᵀ r

on the free dofs of this rank (held dofs are eliminated); S picks the contact dofs, r are the
contact forces on them. Whoever provides these few operations, from dolfinx, another code or two
masses and a spring (:class:`fecontact.contact.dense.DenseBulk`), can be run with contact.

All vectors are numpy arrays of the free dofs that this rank owns; quantities said to be *the same
on every rank* are collective: every rank calls, every rank gets the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Array, Integers


class ContactNodes(Protocol):
    """All nodes of all slave and master edges, the same on every rank.

    node: (k,) node number of the mesh; coordinates: (k, 2) at rest, m; dof: (k, 2) for x and y the
    index among the contact dofs, −1 where held; size: number of contact dofs (the free ones).
    """

    node: Integers
    coordinates: Array
    dof: Integers
    size: int


@dataclass
class NodeTable:
    """:class:`ContactNodes` as a plain table."""

    node: Integers
    coordinates: Array
    dof: Integers
    size: int


class Factor(Protocol):
    """A factorised matrix A = m M + c C + k K, in a static analysis with stabilising springs.

    K of a body that only contact holds is singular. Stabilising springs of stiffness ρ at a few of
    its contact dofs make it regular; the small contact problem takes them away again: the forces
    τ = ρ u on these dofs are unknowns beside the contact forces, so that nothing depends on ρ.
    stabilised: (q,) dofs with such springs, among the contact dofs; spring_stiffness: (q,) ρ, N/m.
    """

    stabilised: Integers
    spring_stiffness: Array

    def solve(self, b: Array, out: Array) -> Array:
        """out = A⁻¹ b; b and out may be the same array. Collective."""
        ...

    def compliance(self, dofs: Integers) -> Array:
        """Rows of G = S A⁻¹ Sᵀ that belong to some contact dofs, (len(dofs), size), m per N: how
        all contact dofs move under a unit force at each; the same on every rank. Collective."""
        ...

    def free(self, b: Array) -> Array:
        """S A⁻¹ b, the same on every rank; b is kept for `loaded`. Collective."""
        ...

    def loaded(self, force: Array, out: Array) -> Array:
        """out = A⁻¹ (b + Sᵀ r) for the b of the last `free` and forces r on the contact dofs.

        May be called again with other forces. Collective.

        A factor may know how to do both with less than two solves.
        """
        ...


class LinearBulk(Protocol):
    """A linear elastic system in time as the time loop and the contact problem see it."""

    @property
    def size(self) -> int:
        """Number of free dofs owned by this rank."""
        ...

    @property
    def surface(self) -> ContactNodes:
        """The contact nodes."""
        ...

    @property
    def has_damping(self) -> bool:
        """False if C = 0 (then `damping` is never called)."""
        ...

    @property
    def massless(self) -> NDArray[np.bool_]:
        """(size,) True where a dof has no mass at all: a zero row of M."""
        ...

    def mass(self, x: Array, out: Array) -> Array:
        """out = M x, kg·…; collective, like the next two."""
        ...

    def damping(self, x: Array, out: Array) -> Array:
        """out = C x."""
        ...

    def stiffness(self, x: Array, out: Array) -> Array:
        """out = K x (bodies and springs)."""
        ...

    def load(self, t: float, out: Array) -> Array:
        """out = F φ(t): all loads and the action of moving supports, N."""
        ...

    def factor(self, m: float, c: float, k: float) -> Factor:
        """Factorise m M + c C + k K. With k = c = 0, massless dofs get 1 on the diagonal.

        Raises `numpy.linalg.LinAlgError` if the matrix is singular.
        """
        ...

    def gather(self, u: Array, out: Array) -> Array:
        """out = S u, the (surface.size,) values of the contact dofs, the same on every rank."""
        ...

    def scatter(self, r: Array, out: Array) -> Array:
        """out += Sᵀ r for the contact dofs that this rank owns; r the same on every rank."""
        ...

    def held(self, t: float) -> tuple[Array, Array]:
        """Displacement and velocity (k, 2) of the contact nodes' held dofs; 0 where free."""
        ...

    @property
    def held_moves(self) -> bool:
        """False if held contact dofs stay where they are for all time."""
        ...

    def total(self, partial: Array) -> Array:
        """The sum over all ranks of each entry of a small array, in one reduction."""
        ...

    def spring_energy(self, u: Array, t: float) -> float:
        """Elastic energy of the discrete springs, J per m, over all ranks."""
        ...

    def support_energy(self, u: Array, v: Array, t: float) -> tuple[float, float]:
        """Kinetic and strain energy that moving held dofs add, over all ranks, J per m.

        v·M_fh v_h + ½ v_h·M_hh v_h and u·K_fh u_h + ½ u_h·K_hh u_h; (0, 0) if supports are still.
        """
        ...

    def support_damping(self, increment: Array, v: Array, before: float, t: float) -> float:
        """What moving held dofs add to the work of C in a step from `before` to t, J per m.

        [u]·C_fh v_h + [u_h]·(C_hf v + C_hh v_h), with [u] = increment and v, v_h the means of the
        velocities at both ends; over all ranks.
        """
        ...


@runtime_checkable
class LinearisedBulk(LinearBulk, Protocol):
    """Bodies whose internal force f(u) is not K u: they turn, squash or stiffen.

    M ü + C u̇ + f(u) = F φ(t) + Sᵀ r. `stiffness` and `factor` are those of K = ∂f/∂u at the
    displacement of the last `linearise`, or near it; all else is as for a linear bulk.
    factorisations: how many matrices have been factored; rounding: N, what f is uncertain by, as a
    norm over all dofs, because places have 16 digits; held_force: N, what the internal force of the
    last `internal` was at held dofs, where their motion is not in `load`, followed by forces in f
    that are no internal ones; keeps_compliance: whether a contact dof gives way in all states as it
    does in the first, but for the turn of its axes.
    """

    factorisations: int
    rounding: float

    @property
    def keeps_compliance(self) -> bool: ...

    @property
    def held_force(self) -> Array: ...

    @property
    def soft(self) -> bool:
        """Whether the matrix of some static `factor` was not positive definite without springs
        where contact presses; False where that is not known."""
        ...

    @property
    def firm_inside(self) -> bool:
        """Whether that of the last one is positive definite without the contact dofs."""
        ...

    def place_of(self, motion: Array) -> str:
        """The body that a motion of the free dofs moves most, and where, in words. Collective."""
        ...

    def hold(self, t: float) -> None:
        """Take held dofs where they are at time t, for what follows."""
        ...

    def pull(self, t: float) -> Array:
        """K_fh u_h, N: what supports that have moved pull at linear bodies with, which `load` has
        with the other sign; a single 0 if there are none. With f it makes the forces within them:
        of a body that is carried far both are large and cancel."""
        ...

    def internal(self, u: Array, out: Array) -> float:
        """out = f(u), N; returns the stored energy, J per m, this rank's share. Collective."""
        ...

    def linearise(self, u: Array, force: Array) -> None:
        """Take K at u, where f is `force`, for what follows. Collective."""
        ...

    def lead(self, u: Array, before: float, out: Array) -> bool:
        """Take K at u with held dofs where they were at the time `before`; out = f there + K times
        their motion since, N. False, and nothing done, if they have not moved. Collective."""
        ...

    def held_work(self, first: Array, increment: Array, before: float, t: float) -> float:
        """Work of held dofs from `before` to t by the mean of `held_force` at both ends, at the
        begin `first`, and of what else in it moves with the increment of u, over all ranks, J per
        m. Collective."""
        ...

    def inside_out(self) -> str:
        """Which element the last `internal` has found turned inside out, in words; "" if none, the
        same on every rank. Collective."""
        ...

    def stand_on(self, dofs: Integers, firmly: bool = False) -> None:
        """Contact dofs on which contact forces act, for the next `factor`: where statics needs
        stabilising springs because K is indefinite without contact, they may stand there; firmly:
        they must, from now on, because K_λ makes it so."""
        ...

    def plastic_work(self) -> float:
        """What bodies that yield have dissipated since the last `accept`, at the displacements of
        the last `internal`, J per m, this rank's share."""
        ...

    def accept(self) -> None:
        """The step to the displacements of the last `internal` is made: bodies that yield remember
        it."""
        ...

    def carry_on(self, before: Array, predicted: Array, out: Array) -> Array:
        """out = displacements to begin the iterations of a step from `before` with, where its
        `predicted` ones strain bodies that only turn; else these. Collective."""
        ...


@runtime_checkable
class ConservingBulk(LinearisedBulk, Protocol):
    """A linearised bulk with a mean force over a step that does the work of its stored energy."""

    def mean_internal(self, before: Array, after: Array, out: Array) -> None:
        """out = f̄, N, with f̄·(after − before) = E(after) − E(before). Collective."""
        ...

    def linearise_mean(self, force: Array) -> None:
        """Take for K the derivative of 2 f̄ by `after` of the last `mean_internal`, where f̄ is
        `force`. Collective."""
        ...

    def balance(self, missing: Array, m: float, out: Array) -> Array:
        """out = the rigid motion of free bodies at `after` of the last `mean_internal` that gives
        m M times it the resultants, and the moments about the mean places, of forces that are
        missing. Collective."""
        ...


@runtime_checkable
class FollowingBulk(LinearisedBulk, Protocol):
    """A linearised bulk with loads or dashpots that turn with its bodies.

    follows: whether there are any.
    """

    follows: bool

    def follow(self, t: float, u: Array, increment: Array, out: Array) -> None:
        """out += loads at t that follow bodies, which are at u + increment then, N; C from now on
        is that half way. Collective."""
        ...
