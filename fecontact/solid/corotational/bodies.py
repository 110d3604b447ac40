"""Corotational bodies: frames, forces and rigid-body motions as sums over the nodes of all ranks.

:mod:`fecontact.solid.corotational.frame` contains the equations and the loops over the nodes of
this rank.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers, Mask
from fecontact.mesh.cells import Index
from fecontact.record import ModelMesh
from fecontact.solid.corotational.factor import CorotationalSurface, add_up_resultants
from fecontact.solid.corotational.frame import (
    CorotationalNodes,
    Frames,
    add_up_frames,
    add_up_mean_moments,
    add_up_moments,
    add_up_motion,
    add_up_spin,
    add_up_virial,
    deform,
    initial_guess,
    rotate,
    turn_forces,
)
from fecontact.solid.fem.dofs import SharedNodes

Product = Callable[[Array, Array], Array]
"""x, out ↦ out = a matrix times x."""
Total = Callable[[Array], Array]
"""Sum over all ranks, bitwise identical on each."""


class Step(NamedTuple):
    """Step from displacements `before` to `after` with the frames at both ends.

    Also cos, sin(φ/2) (b, 2) of the rotation φ between them, −π to π, and the mid-step axes (b, 2).
    """

    before: Array
    after: Array
    first: Frames
    last: Frames
    half: Array
    middle: Array


class CorotationalBodies:
    """Corotational parts of a mesh.

    of_node: (N,) body of each node, −1 if it is not corotational.
    index: (N, 2) free dofs of all nodes on this rank, −1 if not free here.
    mass: product with M.
    size: number of free dofs on this rank.
    nodes: corotational nodes of this rank.
    spread: M X on the free dofs.

    Without mass, all nodes have equal weight.
    """

    def __init__(
        self,
        mesh: ModelMesh,
        of_node: Integers,
        index: Index,
        mass: Product,
        size: int,
        total: Total,
    ) -> None:
        self.of_node: Integers = of_node
        self.count, self._total = int(of_node.max()) + 1, total
        self._points, self._size = mesh.points, size
        self.nodes = self._nodes(index, mass)
        x = np.zeros(size)
        x[self.nodes.dof] = self.nodes.place
        self.spread: Array = mass(x, np.zeros(size))
        self._moved = np.zeros(size)
        sums = np.zeros((self.count, 4))
        add_up_frames(self.nodes, x, sums)
        self._square = total(sums)[:, 2]  # Σ m X·X

    def _nodes(self, index: Index, mass: Product) -> CorotationalNodes:
        """Return the corotational nodes of this rank with masses, positions and inertia."""
        chosen = np.flatnonzero((self.of_node >= 0) & (index >= 0).all(axis=1))
        chosen = chosen[np.argsort(self.of_node[chosen], kind="stable")]
        dof, body, points = index[chosen], self.of_node[chosen], self._points[chosen]
        ones, product = np.zeros((2, self._size))
        ones[dof[:, 0]] = 1.0
        own = mass(ones, product)[dof[:, 0]]
        if self._total(np.array([own.sum()]))[0] == 0.0:  # All densities are zero.
            own = np.ones(len(own))
        sums: Array = np.zeros((self.count, 3))
        np.add.at(sums, body, np.column_stack([own, own[:, None] * points]))
        sums = self._total(sums)
        self._centre = sums[:, 1:] / sums[:, :1]
        place = points - self._centre[body]
        turned = np.zeros(self._size)
        turned[dof[:, 0]], turned[dof[:, 1]] = -place[:, 1], place[:, 0]
        mass(turned, product)
        inertia = np.zeros(self.count)
        np.add.at(inertia, body, np.sum(turned[dof] * product[dof], axis=1))
        first = np.searchsorted(body, np.arange(self.count + 1))
        return CorotationalNodes(
            dof, body, place, own, first, sums[:, 0].copy(), self._total(inertia)
        )

    def surface(self, contact: SharedNodes) -> CorotationalSurface:
        """Return bodies and positions of the contact nodes, on every rank."""
        nodes, dof = contact.node, contact.dof
        body = self.of_node[nodes]
        place = np.where((body >= 0)[:, None], self._points[nodes] - self._centre[body], 0.0)
        of_dof = np.zeros(contact.size, dtype=np.int64)
        for component in range(2):
            free = dof[:, component] >= 0
            of_dof[dof[free, component]] = np.flatnonzero(free)
        return CorotationalSurface(dof, body, place, of_dof)

    # Frames -------------------------------------------------------------------------------------

    def frames(self, u: Array) -> Frames:
        """Compute the frames at displacements u. Collective."""
        sums: Array = np.zeros((self.count, 4))
        add_up_frames(self.nodes, u, sums)
        sums = self._total(sums)
        along, across = self._square + sums[:, 2], sums[:, 3]
        h = np.hypot(along, across)
        centre = sums[:, :2] / self.nodes.total[:, None]
        return Frames(centre, np.stack([along / h, across / h], axis=1), h)

    def step(self, before: Array, first: Frames, after: Array) -> Step:
        """Compute the frames of a step from the frames at its start. Collective."""
        last = self.frames(after)
        (c0, s0), (c1, s1) = first.turn.T, last.turn.T
        half = 0.5 * np.arctan2(s1 * c0 - c1 * s0, c1 * c0 + s1 * s0)
        cos, sin = np.cos(half), np.sin(half)
        middle = np.stack([c0 * cos - s0 * sin, s0 * cos + c0 * sin], axis=1)
        return Step(before, after, first, last, np.stack([cos, sin], axis=1), middle)

    def deform(self, u: Array, frames: Frames, out: Array) -> Array:
        """Compute out = ū of corotational bodies, u of the others."""
        out[:] = u
        deform(self.nodes, u, frames.centre, frames.turn, out)
        return out

    def rotated(self, turn: Array, sense: float, vector: Array) -> Array:
        """Return R (sense 1.0) or Rᵀ (−1.0) times a vector; the vector is not modified."""
        out = vector.copy()
        rotate(self.nodes, turn, sense, vector, out)
        return out

    # Forces -------------------------------------------------------------------------------------

    def turn_forces(self, frames: Frames, strained: Array, force: Array) -> None:
        """Transform force in place: K ū → f of corotational bodies; strained: ū. Collective."""
        moment: Array = np.zeros(self.count)
        add_up_moments(self.nodes, strained, force, moment)
        moment, one = self._total(moment), np.ones(self.count)
        turn_forces(self.nodes, frames.turn, frames.h, moment, one, force)

    def turn_mean_forces(self, step: Step, force: Array) -> None:
        """Transform force in place: K ū_a → f̄ of corotational bodies. Collective."""
        moment, cos = self._mean_moments(step, force), step.half[:, 0].copy()
        h = 0.5 * cos * (step.first.h + step.last.h)
        turn_forces(self.nodes, step.middle, h, moment, cos, force)

    def _mean_moments(self, step: Step, force: Array) -> Array:
        """Return (b,) Σ ȳ × force. Collective."""
        first, last, out = step.first.centre, step.last.centre, np.zeros(self.count)
        add_up_mean_moments(
            self.nodes, step.before, step.after, first, last, step.middle, force, out
        )
        return self._total(out)

    def virial(self, turn: Array, force: Array) -> Array:
        """Return (b,) Σ X·Rᵀf, J. Collective."""
        virial: Array = np.zeros(self.count)
        add_up_virial(self.nodes, turn, force, virial)
        return self._total(virial)

    # Rigid motions ------------------------------------------------------------------------------

    def initial_guess(self, before: Array, frames: Frames, predicted: Array, out: Array) -> Array:
        """Compute out = predicted displacements, with corotational bodies moved rigidly.

        The rigid motion starts at `before`, with known frames, and follows the predicted motion.
        Collective.
        """
        nodes = self.nodes
        np.subtract(predicted, before, out=self._moved)
        moved: Array = np.zeros((self.count, 2))
        angle = np.zeros(self.count)
        add_up_motion(nodes, self._moved, moved)
        add_up_spin(nodes, frames.turn, frames.h, self._moved, angle)
        moved = self._total(moved) / nodes.total[:, None]
        out[:] = predicted
        initial_guess(nodes, before, frames.centre, moved, self._total(angle), out)
        return out

    def balance(self, step: Step, missing: Array, m: float, fastened: Mask, out: Array) -> Array:
        """Compute out = rigid-body correction at the end of a step that balances the residual
        forces.

        The correction balances the resultants of `missing` and their moments about the mean
        positions. It is 0 for `fastened` bodies (b,) and for bodies that are not corotational.
        Collective.

        A rotation by ε at the end of the step changes the angular momentum by (2/Δt) I ε, with m =
        2/Δt² of the scheme. The resulting change of the mean positions is included; it vanishes for
        forces in balance.
        """
        nodes, turned = self.nodes, self._moved
        rotate(nodes, step.middle, -1.0, missing, turned)
        sums: Array = np.zeros((self.count, 3))
        add_up_resultants(nodes, turned, sums)
        sums = self._total(sums)
        sums[:, 2] = self._mean_moments(step, turned)
        sums[fastened] = 0.0
        force, angle = sums[:, :2], sums[:, 2] / (m * nodes.inertia)
        cos, sin = step.middle.T
        moved = np.stack(
            [cos * force[:, 0] - sin * force[:, 1], sin * force[:, 0] + cos * force[:, 1]], axis=1
        )
        out[:] = step.after
        moved = moved / (m * nodes.total[:, None])
        initial_guess(nodes, step.after, step.last.centre, moved, angle, out)
        out -= step.after
        return out

    def spins(self, frames: Frames, v: Array) -> Array:
        """Return (b,) rates of θ, rad/s. Collective."""
        spin = np.zeros(self.count)
        add_up_spin(self.nodes, frames.turn, frames.h, v, spin)
        return self._total(spin)

    def add_spin(self, spin: Array, v: Array) -> None:
        """Add the velocities of rotations (b,), rad/s, of undeformed bodies to v."""
        nodes, rate = self.nodes, spin[self.nodes.body]
        v[nodes.dof[:, 0]] -= rate * nodes.place[:, 1]
        v[nodes.dof[:, 1]] += rate * nodes.place[:, 0]

    # Stresses -----------------------------------------------------------------------------------

    def in_space(self, stress: Array, node: Index | slice, frames: Frames) -> Array:
        """Return stresses xx, yy, zz, xy (n, 4) of nodes, rotated from the body frames to global
        axes.
        """
        padded = np.vstack([frames.turn, [1.0, 0.0]])  # −1: no rotation
        cos, sin = padded[self.of_node[node]].T
        xx, yy, zz, xy = stress.T
        along, shear = (xx - yy) * cos * sin, xy * (cos**2 - sin**2)
        return np.stack(
            [
                cos**2 * xx + sin**2 * yy - 2 * cos * sin * xy,
                sin**2 * xx + cos**2 * yy + 2 * cos * sin * xy,
                zz,
                along + shear,
            ],
            axis=1,
        )
