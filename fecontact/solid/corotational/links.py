"""Springs, dashpots and hinges of corotational bodies: forces between a few nodes, in global axes.

Let s = u_a − u_b be the relative displacement of the ends a and b of a link. A link has an energy
E(s), the forces ±∂E/∂s on its ends, and over a step from s₀ to s₁ mean forces with the work E(s₁) −
E(s₀) (a discrete gradient, Gonzalez 1996, doi:10.1007/BF02440162):

- **Spring with fixed directions**, tensor k: E = ½ s·k s, force k s, mean force k (s₀ + s₁)/2.
- **Axial spring**, along d = X_b − X_a − s of length ℓ, with natural length L: E = ½ k (ℓ − L)²,
  force −k (ℓ − L) d/ℓ. As ℓ₁² − ℓ₀² = (d₀ + d₁)·(d₁ − d₀), the mean force has a closed form without
  a quotient of energies,

      −k (1 − 2 L/(ℓ₀ + ℓ₁)) (d₀ + d₁)/2,

  which also conserves angular momentum because it acts along the mean line.
- **Hinge**: constrains a node by a spring with a compliance of one thousandth of that of its body
  at the node. Like a contact force, its force is evaluated at the end of the step, k s₁, so that it
  does not oscillate; the energy dissipated in a step, ½ k |s₁ − s₀|², is of order 1/k.
- **Dashpots**: c ṡ, or axially c (ṡ·e) e, with e the predicted direction at mid-step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fecontact.arrays import Array, Integers
from fecontact.kernels import njit
from fecontact.mesh.cells import Index
from fecontact.record import ModelMesh
from fecontact.solid.conditions.discrete import Discretes
from fecontact.solid.fem.dofs import SharedNodes

STIFF = 1e3  # hinge stiffness relative to that of its body at the constrained node


class Hinges(NamedTuple):
    """Constrained nodes of corotational bodies.

    Contains node (h,), True for x, y if constrained (h, 2), and the names of the supports.
    """

    node: Index
    prescribed: NDArray[np.bool_]
    names: tuple[str, ...]


class LinkTable(NamedTuple):
    """Links, numbered by the p dofs on which they act.

    ends: (n, 2, 2) dofs x, y of both ends, −1 where prescribed.
    line: (n, 2) from the first to the second end in the reference configuration, m.
    stiffness, damping: (n, 2, 2), N/m and N·s/m.
    along, damping_along: (n,) stiffness and damping of axial links, N/m and N·s/m.
    length: (n,) natural length, m.
    follows, hinge: (n,) True for axial links and for hinges.
    """

    ends: Integers
    line: Array
    stiffness: Array
    damping: Array
    along: Array
    damping_along: Array
    length: Array
    follows: NDArray[np.bool_]
    hinge: NDArray[np.bool_]


class Links:
    """Links of corotational bodies.

    dofs: (p,) contact dofs on which they act.
    table: links as passed to the kernels.
    """

    def __init__(
        self, springs: Discretes, hinges: Hinges, mesh: ModelMesh, surface: SharedNodes
    ) -> None:
        ends = np.concatenate([springs.ends, np.stack([hinges.node, 0 * hinges.node - 1], axis=1)])
        rows = np.searchsorted(surface.node, ends)
        dof = np.where((ends >= 0)[..., None], surface.dof[np.where(ends < 0, 0, rows)], -1)
        self.dofs: Integers = np.unique(dof[dof >= 0])
        line = mesh.points[ends[:, 1]] - mesh.points[ends[:, 0]]
        line[ends.min(axis=1, initial=0) < 0] = 0.0
        count = len(hinges.node)
        none = np.zeros((count, 2, 2))
        stiffness, damping = (
            np.concatenate([t, none]) for t in (springs.stiffness, springs.damping)
        )
        zero, no = np.zeros(count), np.zeros(count, dtype=bool)
        self.table = LinkTable(
            np.where(dof < 0, -1, np.searchsorted(self.dofs, dof)),
            line,
            stiffness,
            damping,
            np.trace(stiffness, axis1=1, axis2=2),
            np.trace(damping, axis1=1, axis2=2),
            np.concatenate([springs.length, zero]),
            np.concatenate([springs.follows, no]),
            np.concatenate([np.zeros(len(springs.ends), dtype=bool), ~no]),
        )
        self._hinges, self._surface = hinges, surface
        self._at_contact = np.zeros(surface.size)

    def hold(self, stiffness: Array) -> None:
        """Set the hinge stiffness for bodies with stiffness (p,), N/m, at these dofs."""
        table, prescribed = self.table, self._hinges.prescribed
        for i, number in enumerate(np.flatnonzero(table.hinge)):
            here = STIFF * stiffness[table.ends[number, 0]].max()
            table.stiffness[number] = here * np.diag(prescribed[i].astype(float))

    def largest_force(self, size: float) -> float:
        """Return the force of the springs, N, if all were stretched by the model size, m."""
        table = self.table
        springs = np.where(table.follows, table.along, np.abs(table.stiffness).max(axis=(1, 2)))
        return float(np.sum(springs[~table.hinge]) * size)

    @property
    def damped(self) -> bool:
        """Return True if there are dashpots."""
        return bool(self.table.damping.any())

    @property
    def turns_dashpots(self) -> bool:
        """Return True if there are axial dashpots."""
        return bool(self.table.damping_along[self.table.follows].any())

    def at(self, x: Array) -> Array:
        """Return (p,) values of a vector of free dofs; collective."""
        return np.asarray(self._surface.gather(x, self._at_contact)[self.dofs])

    def add(self, forces: Array, out: Array) -> None:
        """Add forces (p,) to out at the dofs of this rank."""
        everywhere = np.zeros(self._surface.size)
        everywhere[self.dofs] = forces
        self._surface.scatter(everywhere, out)

    def forces(self, at: Array) -> tuple[Array, float, float]:
        """Return internal forces (p,), N, and the energies of springs and of hinges, J."""
        out = np.zeros(len(self.dofs))
        springs, hinges = _forces(self.table, at, out)
        return out, springs, hinges

    def mean_forces(self, before: Array, after: Array) -> Array:
        """Return mean internal forces (p,) of a step, N."""
        out = np.zeros(len(self.dofs))
        _mean_forces(self.table, before, after, out)
        return out

    def slope(self, at: Array) -> Array:
        """Return the derivative (p, p) of the internal forces, N/m."""
        out = np.zeros((len(self.dofs), len(self.dofs)))
        _slope(self.table, at, out)
        return out

    def mean_slope(self, before: Array, after: Array) -> Array:
        """Return the derivative (p, p) of twice the mean forces with respect to `after`, N/m."""
        out = np.zeros((len(self.dofs), len(self.dofs)))
        _mean_slope(self.table, before, after, out)
        return out

    def damping(self, at: Array) -> Array:
        """Return C (p, p) of the dashpots with ends at `at`, N·s/m."""
        out = np.zeros((len(self.dofs), len(self.dofs)))
        _damping(self.table, at, out)
        return out

    def fixed(self, weight: float) -> Array:
        """Return (p, p) with weight at the dofs constrained by hinges."""
        out = np.zeros(len(self.dofs))
        for i, number in enumerate(np.flatnonzero(self.table.hinge)):
            out[self.table.ends[number, 0][self._hinges.prescribed[i]]] = weight
        return np.diag(out)

    def reaction(self, support: str, at: Array) -> Array:
        """Return the reaction force (x, y) of a hinge on its body, N."""
        number = np.flatnonzero(self.table.hinge)[self._hinges.names.index(support)]
        moved = at[self.table.ends[number, 0]]
        return np.asarray(-self.table.stiffness[number] @ moved)


@njit
def _apart(table, i, at, out):  # type: ignore[no-untyped-def]
    """Compute out = s of link i."""
    for axis in range(2):
        a, b = table.ends[i, 0, axis], table.ends[i, 1, axis]
        out[axis] = (at[a] if a >= 0 else 0.0) - (at[b] if b >= 0 else 0.0)


@njit
def _add_to_ends(table, i, force, out):  # type: ignore[no-untyped-def]
    for axis in range(2):
        a, b = table.ends[i, 0, axis], table.ends[i, 1, axis]
        if a >= 0:
            out[a] += force[axis]
        if b >= 0:
            out[b] -= force[axis]


@njit
def _add_tensor(table, i, tensor, out):  # type: ignore[no-untyped-def]
    """Add [[1, −1], [−1, 1]] ⊗ tensor to the matrix of all links."""
    for end in range(2):
        for other in range(2):
            sign = 1.0 if end == other else -1.0
            for row in range(2):
                for column in range(2):
                    r, c = table.ends[i, end, row], table.ends[i, other, column]
                    if r >= 0 and c >= 0:
                        out[r, c] += sign * tensor[row, column]


@njit
def _forces(table, at, out):  # type: ignore[no-untyped-def]
    s, springs, hinges = np.zeros(2), 0.0, 0.0
    for i in range(len(table.length)):
        _apart(table, i, at, s)
        if table.follows[i]:
            d = table.line[i] - s
            size = np.hypot(d[0], d[1])
            stretch = size - table.length[i]
            springs += 0.5 * table.along[i] * stretch * stretch
            force = -table.along[i] * stretch * d / max(size, 1e-300)
        else:
            force = table.stiffness[i] @ s
            energy = 0.5 * (s[0] * force[0] + s[1] * force[1])
            if table.hinge[i]:
                hinges += energy
            else:
                springs += energy
        _add_to_ends(table, i, force, out)
    return springs, hinges


@njit
def _mean_forces(table, before, after, out):  # type: ignore[no-untyped-def]
    s0, s1 = np.zeros(2), np.zeros(2)
    for i in range(len(table.length)):
        _apart(table, i, before, s0)
        _apart(table, i, after, s1)
        if table.follows[i]:
            d0, d1 = table.line[i] - s0, table.line[i] - s1
            sizes = max(np.hypot(d0[0], d0[1]) + np.hypot(d1[0], d1[1]), 1e-300)
            force = -0.5 * table.along[i] * (1.0 - 2.0 * table.length[i] / sizes) * (d0 + d1)
        elif table.hinge[i]:
            force = table.stiffness[i] @ s1
        else:
            force = 0.5 * table.stiffness[i] @ (s0 + s1)
        _add_to_ends(table, i, force, out)


@njit
def _slope(table, at, out):  # type: ignore[no-untyped-def]
    s = np.zeros(2)
    for i in range(len(table.length)):
        if not table.follows[i]:
            _add_tensor(table, i, table.stiffness[i], out)
            continue
        _apart(table, i, at, s)
        d = table.line[i] - s
        size = max(np.hypot(d[0], d[1]), 1e-300)
        e = d / size
        across = table.along[i] * (1.0 - table.length[i] / size)
        _add_tensor(table, i, across * np.eye(2) + (table.along[i] - across) * np.outer(e, e), out)


@njit
def _mean_slope(table, before, after, out):  # type: ignore[no-untyped-def]
    s = np.zeros(2)
    for i in range(len(table.length)):
        if not table.follows[i]:
            weight = 2.0 if table.hinge[i] else 1.0
            _add_tensor(table, i, weight * table.stiffness[i], out)
            continue
        _apart(table, i, before, s)
        d0 = table.line[i] - s
        _apart(table, i, after, s)
        d1 = table.line[i] - s
        size = max(np.hypot(d1[0], d1[1]), 1e-300)
        sizes = np.hypot(d0[0], d0[1]) + size
        all_round = table.along[i] * (1.0 - 2.0 * table.length[i] / sizes)
        longer = 2.0 * table.along[i] * table.length[i] / (sizes * sizes)
        _add_tensor(table, i, all_round * np.eye(2) + longer * np.outer(d0 + d1, d1 / size), out)


@njit
def _damping(table, at, out):  # type: ignore[no-untyped-def]
    s = np.zeros(2)
    for i in range(len(table.length)):
        if table.follows[i]:
            _apart(table, i, at, s)
            d = table.line[i] - s
            e = d / max(np.hypot(d[0], d[1]), 1e-300)
            _add_tensor(table, i, table.damping_along[i] * np.outer(e, e), out)
        else:
            _add_tensor(table, i, table.damping[i], out)
