"""Stability of static equilibria: every small motion admitted by contact must require work.

With the stiffness A of the bodies, including the geometric stiffness of the contact forces,
condensed to the contact dofs, Σ = G⁻¹ = (S A⁻¹ Sᵀ)⁻¹, and without the stabilising springs ρ in A,
the equilibrium is stable if

vᵀ (Σ − ρ) v > 0   for all v with C v = 0

and A without the contact dofs is positive definite, because the negative eigenvalues of both add up
(E. V. Haynsworth, Linear Algebra and its Applications 1, 1968, p. 73). C contains the normal rows
of closed nodes and the tangential rows of sticking nodes. If A without the contact dofs is not
positive definite, the bodies are unstable for any contact. Slipping nodes are assumed free to slip:
friction is neglected.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

from fecontact.arrays import Array
from fecontact.bulk import Bulk, Factor
from fecontact.contact.problem import ContactProblem
from fecontact.record import OPEN, STICK

ROUNDING = 1e-9  # of the largest eigenvalue: a motion that takes less work can be rigid
TURNS = 8  # inverse iterations for the softest mode


def unstable_motion(bulk: Bulk, factor: Factor, contact: ContactProblem) -> Array | None:
    """Return a motion of the free dofs that takes no work, or None. Collective.

    factor: the last factor of the structural model, with K_λ.
    """
    if not bulk.interior_definite:
        motion = np.random.default_rng(0).normal(size=bulk.size)
        for _ in range(TURNS):
            factor.solve(motion, motion)
            motion /= max(float(np.sqrt(bulk.total(np.array([motion @ motion]))[0])), 1e-300)
        return motion
    size = bulk.surface.size
    g = factor.compliance(np.arange(size))
    own, axes = np.linalg.eigh(0.5 * (g + g.T))
    moves = np.abs(own) > ROUNDING * np.abs(own).max(initial=0.0)  # x and y may be one dof
    sigma, axes = np.diag(1.0 / own[moves]), axes[:, moves]
    springs = axes[factor.stabilised].T @ (
        factor.spring_stiffness[:, None] * axes[factor.stabilised]
    )
    free = null_space(_contact_constraints(contact) @ axes)
    values, vectors = np.linalg.eigh(free.T @ (sigma - springs) @ free)
    if len(values) == 0 or values[0] >= -ROUNDING * abs(values[-1]):
        return None
    motion = bulk.scatter(axes @ sigma @ free @ vectors[:, 0], np.zeros(bulk.size))
    return factor.solve(motion, motion)


def constrained_motion(bulk: Bulk, factor: Factor, contact: ContactProblem) -> Array | None:
    """Return a motion admitted by contact that takes no work at a controlled load, or None.

    It is the softest one, by inverse iteration with the constraints C v = 0: along a path, an
    eigenvalue that becomes negative is the smallest when it does. K_λ is neglected. Collective.
    factor: that of the last iteration, with the load factor as an unknown.
    """
    c, size = _contact_constraints(contact), bulk.surface.size
    moved: Array = np.zeros((0, bulk.size))
    if len(c):
        forces = (bulk.scatter(row, np.zeros(bulk.size)) for row in c)
        moved = np.array([factor.solve(force, force) for force in forces])
    at_contact = np.array([bulk.gather(row, np.zeros(size)) for row in moved])
    motion, force = np.random.default_rng(0).normal(size=bulk.size), np.zeros(bulk.size)
    for _ in range(TURNS):
        factor.solve(motion, motion)
        if len(c):
            closing = c @ bulk.gather(motion, np.zeros(size))
            motion -= np.linalg.lstsq(c @ at_contact.T, closing, rcond=None)[0] @ moved
        motion /= max(float(np.sqrt(bulk.total(np.array([motion @ motion]))[0])), 1e-300)
    work = float(bulk.total(np.array([motion @ bulk.stiffness(motion, force)]))[0])
    return motion if work < 0.0 else None


def _contact_constraints(contact: ContactProblem) -> Array:
    """Return C (c, n) over the contact dofs."""
    rows, dof = contact.rows.rows, contact.nodes.dof
    constraints = [(j, False) for j in np.flatnonzero(contact.status != OPEN)]
    constraints += [(j, True) for j in np.flatnonzero(contact.status == STICK)]
    c = np.zeros((len(constraints), contact.nodes.size))
    for row, (j, tangential) in enumerate(constraints):
        for i in range(int(rows.start[j]), int(rows.start[j] + rows.used[j])):
            x, y = rows.normal[i]
            for d, value in zip(dof[rows.node[i]], (y, -x) if tangential else (x, y), strict=True):
                if d >= 0:
                    c[row, d] += value
    return c
