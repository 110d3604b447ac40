"""Interface between the structural model and contact dynamics.

M ü + C u̇ + f(u) = F φ(t) + Sᵀ r

on the free dofs of this rank (prescribed dofs are eliminated). S selects the contact dofs; r are
the contact forces on them. Any model that provides these operations can be run with contact:
dolfinx, another code, or two masses and a spring.

All vectors are NumPy arrays of the free dofs that this rank owns. Quantities described as *the same
on every rank* are collective: every rank calls, every rank gets the same numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Array, Integers

NOTHING: Array = np.zeros(1)  # a force that is zero at all dofs


class ContactNodes(Protocol):
    """All nodes of all slave and master edges, the same on every rank.

    node: (k,) node number of the mesh;
    coordinates: (k, 2) in the reference configuration, m;
    dof: (k, 2) for x and y the index among the contact dofs, −1 where prescribed;
    size: number of contact dofs (the free ones).
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

    K of a body constrained only by contact is singular. Stabilising springs of stiffness ρ at a few
    of its contact dofs make it regular. The local contact problem removes them again: the forces τ
    = ρ u on these dofs are unknowns in addition to the contact forces, so that the result does not
    depend on ρ.

    stabilised: (q,) dofs with such springs, among the contact dofs;
    spring_stiffness: (q,) ρ, N/m.
    """

    stabilised: Integers
    spring_stiffness: Array

    def solve(self, b: Array, out: Array) -> Array:
        """Set out = A⁻¹ b; b and out may be the same array. Collective."""
        ...

    def compliance(self, dofs: Integers) -> Array:
        """Return the rows of G = S A⁻¹ Sᵀ of the given contact dofs, (len(dofs), size), m/N: the
        displacement of all contact dofs under a unit force at each; the same on every rank.
        Collective.
        """
        ...

    def interface_solution(self, b: Array) -> Array:
        """Return S A⁻¹ b, the same on every rank; b is stored for `solution_with_contact`.
        Collective.
        """
        ...

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        """Set out = A⁻¹ (b + Sᵀ r) for the b of the last `interface_solution` and forces r on the
        contact dofs.

        It can be called again with other forces. An implementation can do both with less than two
        solves. Collective.
        """
        ...


class StoredChange(NamedTuple):
    """Change of the stored energy in a step, plastic work, viscous dissipation, and work of
    prescribed dofs that is not in the loads, J/m, over all ranks.
    """

    stored: float
    plastic: float
    viscous: float
    prescribed: float


class Bulk(ABC):
    """M ü + C u̇ + f(u) = F φ(t) + Sᵀ r on the free dofs of this rank.

    Prescribed dofs are eliminated. Every structural model must implement the abstract methods. The
    other methods have defaults for a linear model, f(u) = K u with a constant K; a nonlinear model
    overrides those that differ. The class attributes state the capabilities of a model; the time
    loop reads them once, when it is built.

    nonlinear: f(u) is not K u, so that a step needs Newton iterations;
    conserving: a mean force over a step that does the work of the stored energy is available;
    follower_loads: loads or dashpots rotate with the bodies;
    fictitious_mass: M is the damping matrix of jumps in a static analysis, with this total mass;
    relaxes: linear, but f depends on the history of u and K on the step size;
    tangent_key: number that identifies K of a linear model: the step size if it relaxes;
    keeps_compliance: the compliance of a contact dof is the same in all states, except for the
    rotation of its axes;
    size: free dofs owned by this rank;
    surface: the contact nodes;
    massless: (size,) zero rows of M;
    has_damping: C ≠ 0;
    prescribed_moves: prescribed contact dofs move at some time;
    factorisations: number of tangents factored so far;
    rounding: round-off of f(u) because positions have 16 digits, as a norm over all dofs, N.
    """

    nonlinear: bool = False
    conserving: bool = False
    follower_loads: bool = False
    fictitious_mass: float = 0.0
    relaxes: bool = False
    tangent_key: float = 0.0
    keeps_compliance: bool = False
    factorisations: int = 0
    rounding: float = 0.0
    tangent_indefinite: bool = (
        False  # a static tangent was not positive definite without stabilising springs
    )
    interior_definite: bool = True  # the last tangent is positive definite without the contact dofs

    size: int
    surface: ContactNodes
    has_damping: bool
    prescribed_moves: bool
    massless: NDArray[np.bool_]

    @abstractmethod
    def mass(self, x: Array, out: Array) -> Array:
        """Set out = M x, kg·…; collective, like the next two."""

    @abstractmethod
    def damping(self, x: Array, out: Array) -> Array:
        """Set out = C x."""

    @abstractmethod
    def stiffness(self, x: Array, out: Array) -> Array:
        """Set out = K x with K = ∂f/∂u of the last linearisation."""

    @abstractmethod
    def load(self, t: float, out: Array) -> Array:
        """Set out = F φ(t): all loads and the forces of moving supports, N."""

    @abstractmethod
    def factor(self, m: float, c: float, k: float) -> Factor:
        """Factorise m M + c C + k K. With k = c = 0, massless dofs get 1 on the diagonal.

        Raise `numpy.linalg.LinAlgError` if the matrix is singular.
        """

    @abstractmethod
    def gather(self, u: Array, out: Array) -> Array:
        """Set out = S u, the (surface.size,) values of the contact dofs, on every rank."""

    @abstractmethod
    def scatter(self, r: Array, out: Array) -> Array:
        """Add Sᵀ r to out for the contact dofs that this rank owns; r the same on every rank."""

    @abstractmethod
    def prescribed(self, t: float) -> tuple[Array, Array]:
        """Return displacement and velocity (k, 2) of the prescribed contact dofs; 0 where free."""

    # One rank, no springs, supports at rest ------------------------------------------------------

    def total(self, partial: Array) -> Array:
        """Return the sum over all ranks of each entry of a small array, in one reduction."""
        return partial

    def spring_energy(self, u: Array, t: float) -> float:
        """Return the elastic energy of the discrete springs over all ranks, J per m."""
        return 0.0

    def support_energy(self, u: Array, v: Array, t: float) -> tuple[float, float]:
        """Return kinetic and strain energy added by moving supports, over all ranks, J per m.

        v·M_fh v_h + ½ v_h·M_hh v_h and u·K_fh u_h + ½ u_h·K_hh u_h.
        """
        return 0.0, 0.0

    def support_damping(self, increment: Array, v: Array, before: float, t: float) -> float:
        """Return the work of C in a step from `before` to t added by moving supports, J per m.

        [u]·C_fh v_h + [u_h]·(C_hf v + C_hh v_h), with [u] = increment and v, v_h the means of the
        velocities at both ends; over all ranks.
        """
        return 0.0

    # Linear: f(u) = K u --------------------------------------------------------------------------

    def internal(self, u: Array, out: Array) -> float:
        """Set out = f(u), N; return the stored energy, J per m, this rank's share. Collective."""
        return 0.5 * float(u @ self.stiffness(u, out))

    def linearise(self, u: Array, force: Array) -> None:
        """Set K to the tangent at u, where f is `force`. Collective."""

    def hold(self, t: float) -> None:
        """Set prescribed dofs to their positions at time t."""

    @property
    def prescribed_force(self) -> Array:
        """Return the internal force of the last `internal` at prescribed dofs whose motion is not
        in `load`, followed by forces in f that are not internal forces, N.
        """
        return NOTHING

    def prescribed_work(self, first: Array, increment: Array, before: float, t: float) -> float:
        """Return the work of prescribed dofs from `before` to t by the mean of `prescribed_force`
        at both ends, `first` at the start, over all ranks, J per m. Collective.
        """
        return 0.0

    def support_force(self, t: float) -> Array:
        """Return K_fh u_h, N: the forces of moving supports on linear bodies, which `load` contains
        with the other sign; a single 0 without moving supports.
        """
        return NOTHING

    def linearise_support_motion(self, u: Array, before: float, out: Array) -> bool:
        """Linearise at u with prescribed dofs at their positions at the time `before`; set out = f
        there + K times their motion since, N. Return False, without changes, if they have not
        moved. Collective.
        """
        return False

    def initial_guess(self, before: Array, predicted: Array, out: Array) -> Array:
        """Set out = initial guess of the displacements for the iterations of a step from `before`:
        the predicted ones, unless these strain bodies that only rotate. Collective.
        """
        out[:] = predicted
        return out

    def stabilise(self, dofs: Integers, permanent: bool = False) -> None:
        """Allow stabilising springs in the next `factor` at contact dofs on which contact forces
        act, where a static K is indefinite without contact; permanent: require them from now on.
        """

    def inverted_element(self) -> str:
        """Return a description of the inverted element found by the last `internal`; "" if no
        element is inverted. The same on every rank. Collective.
        """
        return ""

    def describe_mode(self, motion: Array) -> str:
        """Return the body with the largest displacement in a motion of the free dofs, and where.
        Collective.
        """
        return ""

    def dissipation(self) -> tuple[float, float]:
        """Return the plastic work and the viscous dissipation since the last `accept`, at the
        displacements of the last `internal`, J per m, this rank's share."""
        return 0.0, 0.0

    def accept(self) -> None:
        """Commit the history variables at the displacements of the last `internal`."""

    # With `relaxes` ------------------------------------------------------------------------------

    def set_step(self, size: float) -> None:
        """Set K to the tangent for a step of the given size, s. Collective."""

    def add_relaxation(self, times: tuple[float, float], out: Array) -> None:
        """Add to out the change of f between two times at which the free dofs are the same, N.
        Collective.
        """
        raise NotImplementedError

    def step_change(
        self, before: Array, after: Array, times: tuple[float, float], work: float
    ) -> StoredChange:
        """Return the split of the work of internal forces on the free dofs in a step, J per m.
        Collective.
        """
        raise NotImplementedError

    # With `conserving` ---------------------------------------------------------------------------

    def mean_internal(self, before: Array, after: Array, out: Array) -> None:
        """Set out = f̄, N, with f̄·(after − before) = E(after) − E(before). Collective."""
        raise NotImplementedError

    def linearise_mean(self, force: Array) -> None:
        """Set K to the derivative of 2 f̄ with respect to `after` of the last `mean_internal`,
        where f̄ is `force`. Collective.
        """
        raise NotImplementedError

    def balance(self, missing: Array, m: float, out: Array) -> Array:
        """Set out = the rigid motion of free bodies at `after` of the last `mean_internal` for
        which m M times it has the resultants and moments of the residual `missing`. Collective.
        """
        raise NotImplementedError

    # With `follower_loads` -----------------------------------------------------------------------

    def follow(self, t: float, u: Array, increment: Array, out: Array) -> None:
        """Add to out the follower loads at t, with the bodies at u + increment, N, and set C to
        that at the middle of the step. Collective.
        """
        raise NotImplementedError
