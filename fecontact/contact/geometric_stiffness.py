"""Geometric stiffness of the contact forces, K_λ = −∂(Bᵀλ)/∂x.

Contact forces on the nodes are r = B(x)ᵀ λ. When the nodes move, normals rotate and points of
application shift. With constant λ, r changes by

Δr = −K_λ Δx,    K_λ = −∂(B(x)ᵀ λ)/∂x,

(P. Wriggers, Computational Contact Mechanics, 2006, ch. 4). For stiff bodies such as steel, K_λ is
negligible, and repeated detection with the stiffness of the bodies alone converges. If the
stiffness of the bodies is comparable with the pressures, pairings do not converge without K_λ, and
Newton's method needs it.

The rows B result from projections on polygons, parabolas and tools with averaged normals, or from
integrals over them. Each row depends on few nodes, so that K_λ is computed by finite differences of
whole pairings: nodes that no common row depends on are moved simultaneously (A. R. Curtis, M. J. D.
Powell & J. K. Reid 1974, doi:10.1093/imamat/13.1.117). For a rigid tool all nodes are moved
simultaneously.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.bulk import ContactNodes, Factor
from fecontact.contact.interface.constraint_matrix import tangent, unpacked
from fecontact.contact.interface.detection import detect
from fecontact.contact.interface.master import Master
from fecontact.contact.interface.rigid_surface import LATE, place
from fecontact.kernels import njit

MOVED = 1e-6  # of the shortest edge: displacement of the nodes for finite differences
SMALL_EIGENVALUE = 1e-12  # of the largest eigenvalue of G: smaller ones are 0 (x and y are one dof)


class GeometricStiffness(NamedTuple):
    """Geometric stiffness; dofs: (p,) contact dofs that K_λ couples; block: K_λ (p, p), N/m."""

    dofs: Integers
    block: Array

    def carried(self, at: Array, here: Array, nodes: ContactNodes) -> Array:
        """Return K_λ (at − here) on the contact dofs, N; positions (k, 2), m.

        Rows assembled at `at` include the rotation from `here` to `at`, which A with K_λ counts
        again.
        """
        moved, force = np.zeros((2, nodes.size))
        free = nodes.dof >= 0
        moved[nodes.dof[free]] = (at - here)[free]
        force[self.dofs] = self.block @ moved[self.dofs]
        return force

    def keeps_definite(self, factor: Factor) -> bool:
        """Return True if the symmetric part of A + Sᵀ K_λ S is positive definite, for a factor of A
        > 0.

        It is if G⁻¹ + K_λ is; |G| |K_λ| < 1 is sufficient. Collective.
        """
        g = factor.compliance(self.dofs)[:, self.dofs]
        if np.abs(g).sum(axis=1).max() * np.abs(self.block).sum(axis=1).max() < 1.0:
            return True
        own, axes = np.linalg.eigh(0.5 * (g + g.T))
        if own[0] < -SMALL_EIGENVALUE * own[-1]:
            return False
        root = axes * np.sqrt(np.maximum(own, 0.0))
        turned = root.T @ (0.5 * (self.block + self.block.T)) @ root
        return bool(np.linalg.eigvalsh(turned)[0] > -1.0)


class Neighbours(NamedTuple):
    """Contact nodes that share a segment with a node, including the node itself: those of node c
    are node[start[c]:start[c + 1]].
    """

    start: Integers
    node: Integers


def neighbours_of(count: int, sides: list[Master]) -> Neighbours:
    """Return the neighbours of `count` contact nodes on all sides."""
    found: list[set[int]] = [{c} for c in range(count)]
    for side in sides:
        for segment in side.segment:
            own = [int(c) for c in segment if c >= 0]
            for c in own:
                found[c].update(own)
    start = np.concatenate([[0], np.cumsum([len(own) for own in found])]).astype(np.int64)
    return Neighbours(start, np.array([c for own in found for c in sorted(own)], np.int64))


@njit
def stiffness_entries(context, neighbours, x, force, active, step):  # type: ignore[no-untyped-def]
    """Return the contact dofs (p,) that K_λ couples, and K_λ (p, p), N/m.

    x: (k, 2) positions, m;
    force: λ (2m,);
    active: (m,) active master vertices;
    step: displacement of the nodes for finite differences, m.
    """
    matrix, dof = detect(context, x, active), context.dof
    rows = unpacked(matrix[0], matrix[1], matrix[2])
    loaded = _loaded(rows, force)
    depends = _dependence(rows, loaded, neighbours, dof)
    colour, local, dofs = _coloured(depends, dof)
    block = np.zeros((len(dofs), len(dofs)))
    for shade in range(colour.max() + 1 if len(colour) else 0):
        for axis in range(2):
            moved = x.copy()
            for c in range(len(x)):
                if colour[c] == shade and dof[c, axis] >= 0:
                    moved[c, axis] += step
            other = detect(context, moved, active)
            new = unpacked(other[0], other[1], other[2])
            for i in range(len(loaded)):
                for c in np.flatnonzero(depends[i]):
                    if colour[c] == shade and dof[c, axis] >= 0:
                        column = block[:, local[c, axis]]
                        _add_change(rows, loaded[i], force, local, 1.0 / step, column)
                        _add_change(new, loaded[i], force, local, -1.0 / step, column)
    place(context.tools, LATE, x)  # resets force-controlled tools after the perturbed pairings
    return dofs, block


@njit
def _loaded(rows, force):  # type: ignore[no-untyped-def]
    """Return the rows with a force."""
    m = len(rows.weight)
    found = np.zeros(m, np.bool_)
    for j in range(m):
        found[j] = rows.used[j] > 0 and (force[j] != 0.0 or force[m + j] != 0.0)
    return np.flatnonzero(found)


@njit
def _dependence(rows, loaded, neighbours, dof):  # type: ignore[no-untyped-def]
    """Return (rows, nodes) True if a row with a force depends on the position of a free node: one
    of the nodes of the row, or a neighbour with which their normals are averaged.
    """
    depends = np.zeros((len(loaded), len(dof)), np.bool_)
    for i in range(len(loaded)):
        first = rows.start[loaded[i]]
        for entry in range(first, first + rows.used[loaded[i]]):
            c = rows.node[entry]
            for near in neighbours.node[neighbours.start[c] : neighbours.start[c + 1]]:
                depends[i, near] = dof[near, 0] >= 0 or dof[near, 1] >= 0
    return depends


@njit
def _coloured(depends, dof):  # type: ignore[no-untyped-def]
    """Return a colour for each node, −1 if no row depends on it, so that no row depends on two
    nodes of one colour; the index of the dofs of each node among those with a dependent row; and
    these dofs.
    """
    nodes = depends.shape[1]
    colour, local = np.full(nodes, -1), np.full((nodes, 2), -1)
    dofs, count = np.empty(2 * nodes, np.int64), 0
    taken = np.zeros((len(depends), nodes), np.bool_)  # colours of each row
    for c in range(nodes):
        own = np.flatnonzero(depends[:, c])
        if len(own) == 0:
            continue
        shade = _first_free(taken, own)
        colour[c] = shade
        for i in own:
            taken[i, shade] = True
        for axis in range(2):
            if dof[c, axis] >= 0:
                local[c, axis], dofs[count] = count, dof[c, axis]
                count += 1
    return colour, local, dofs[:count]


@njit
def _first_free(taken, own):  # type: ignore[no-untyped-def]
    """Return the first colour that none of these rows has."""
    shade = 0
    while True:
        free = True
        for i in own:
            free = free and not taken[i, shade]
        if free:
            return shade
        shade += 1


@njit
def _add_change(rows, j, force, local, factor, column):  # type: ignore[no-untyped-def]
    """Add factor times the forces of row j on the coupled dofs to column."""
    m = len(rows.weight)
    for i in range(rows.start[j], rows.start[j] + rows.used[j]):
        c = rows.node[i]
        for axis in range(2):
            if local[c, axis] >= 0:
                b_t = tangent(rows, i, axis)
                own = rows.normal[i, axis] * force[j] + b_t * force[m + j]
                column[local[c, axis]] += factor * own
