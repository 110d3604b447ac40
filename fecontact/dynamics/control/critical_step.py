"""Critical time step of an explicit scheme: Δt = 2/ω.

ω is the highest frequency of the nodes with mass, in the stiffest state that contact can cause:
massless slave nodes stick to a master, x_c = T x. On a fixed master they do not move; on a moving
master they add their stiffness to its nodes, with T of the initial pairing.

ω² = largest eigenvalue of M^(−½) Eᵀ K E M^(−½),   E = (1, T)

by the Lanczos method. The residual is added, so that the estimate is not below the computed
eigenvalue (C. Lanczos 1950, doi:10.6028/jres.045.026).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import eigh_tridiagonal

from fecontact.arrays import Array
from fecontact.bulk import Bulk
from fecontact.contact.problem import ContactProblem
from fecontact.study.errors import InputError

ITERATIONS = 200  # limit of products with K; about 30 are usual
PRECISION = 1e-4  # of ω²


def critical_step(bulk: Bulk, contact: ContactProblem, mass: Array) -> float:
    """Return 2/ω, s, infinite if no dof has both mass and stiffness. Collective.

    mass: the diagonal of M.
    """
    root = np.zeros(bulk.size)
    np.divide(1.0, np.sqrt(mass), out=root, where=~bulk.massless)
    tie = _tie(contact, bulk)
    out = np.empty(bulk.size)

    def apply(x: Array) -> Array:
        moved = root * x
        if tie is not None:
            at_contact = bulk.gather(moved, np.empty(bulk.surface.size))
            bulk.scatter(tie @ at_contact, moved)
        bulk.stiffness(moved, out)
        result: Array = root * out
        if tie is not None:
            forces = bulk.gather(out, np.empty(bulk.surface.size))
            result += root * bulk.scatter(tie.T @ forces, np.zeros(bulk.size))
        return result

    def dot(x: Array, y: Array) -> float:
        return float(bulk.total(np.array([x @ y]))[0])

    start = np.where(bulk.massless, 0.0, np.random.default_rng(0).standard_normal(bulk.size))
    square = _largest_eigenvalue(apply, dot, start)
    return 2.0 / square**0.5 if square > 0.0 else np.inf


def check_stable(bulk: Bulk, contact: ContactProblem, mass: Array, step: float) -> None:
    """Raise InputError if a step is longer than the critical step. Collective."""
    longest = critical_step(bulk, contact, mass)
    if step > longest:
        raise InputError(
            f"time.step is {step:g} s; with an explicit scheme it must not exceed the critical "
            f"step of this mesh, {_rounded_down(longest):g} s"
        )


def _rounded_down(x: float) -> float:
    """Return x rounded down to three digits."""
    unit = 10.0 ** (math.floor(math.log10(x)) - 2)
    return math.floor(x / unit) * unit


def _largest_eigenvalue(apply, dot, x: Array) -> float:  # type: ignore[no-untyped-def]
    """Return an upper estimate of the largest eigenvalue of a symmetric operator; x: start
    vector.
    """
    length = dot(x, x) ** 0.5
    if length == 0.0:
        return 0.0
    x, before = x / length, np.zeros_like(x)
    diagonal: list[float] = []
    beside: list[float] = [0.0]
    found = 0.0
    for _ in range(ITERATIONS):
        y = apply(x) - beside[-1] * before
        diagonal.append(dot(x, y))
        y -= diagonal[-1] * x
        beside.append(dot(y, y) ** 0.5)
        last = len(diagonal) - 1
        values, vectors = eigh_tridiagonal(
            diagonal, beside[1:-1], select="i", select_range=(last, last)
        )
        found, residual = float(values[0]), abs(beside[-1] * float(vectors[-1, 0]))
        if residual <= PRECISION * found or beside[-1] == 0.0:
            return found + residual
        before, x = x, y / beside[-1]
    return found + residual


def _tie(contact: ContactProblem, bulk: Bulk) -> Array | None:
    """Return T on the contact dofs: massless slaves follow their masters; None if no master moves.

    The rows Σ N_s x_s − Σ N_m x_m of the pairing are solved for the slave nodes.
    """
    rows, a, dof = contact.rows.rows, contact.layout, bulk.surface.dof
    light = bulk.gather(bulk.massless.astype(float), np.empty(bulk.surface.size)) != 0.0
    slave = np.zeros(len(dof), bool)
    slave[a.node[: a.slaves]] = True
    if not np.any(~light) or not np.any(dof[~slave] >= 0):
        return None
    weights = np.zeros((a.slaves, len(dof)))
    for j in range(a.slaves):
        entries = slice(rows.start[j], rows.start[j] + rows.used[j])
        normals = rows.normal[entries]
        own = normals[rows.node[entries] == a.node[j]]
        if len(own):
            weights[j, rows.node[entries]] = normals @ (own[0] / np.linalg.norm(own[0]))
    slaves, masters = np.flatnonzero(slave), np.flatnonzero(~slave)
    follow = -np.linalg.lstsq(weights[:, slaves], weights[:, masters], rcond=None)[0]
    tie = np.zeros((bulk.surface.size, bulk.surface.size))
    for component in range(2):
        s, m = dof[slaves, component], dof[masters, component]
        s_free, m_free = np.flatnonzero(s >= 0), np.flatnonzero(m >= 0)
        tie[np.ix_(s[s_free], m[m_free])] = follow[np.ix_(s_free, m_free)]
    tie[~light] = 0.0
    return tie
