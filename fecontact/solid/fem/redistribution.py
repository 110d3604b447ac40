"""Mass redistribution: massless slave nodes for contact dynamics without spurious oscillations.

Mass on a contact node adds inertia to its constraint, so that the node bounces at every time step.
Without it the contact pressure follows from equilibrium alone and the semi-discrete problem
conserves energy (Khenous, Laborde & Renard 2008, doi:10.1016/j.euromechsol.2008.01.001). The rows
and columns of slave nodes are set to zero, M → M°, and the rest is scaled, M° → D M° D, by the
polynomial D = a + b x + c y + e r² that restores the mass, centre of mass and moment of inertia of
each body. This scaling cannot make M indefinite.
"""

from __future__ import annotations

import numpy as np

from mpi4py import MPI
from petsc4py import PETSc

from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.fem.materials import CellMaterials
from fecontact.solid.fem.space import NodalSpace
from fecontact.study.errors import InputError

ITERATIONS = 30
"""Limit of Newton iterations for the scaling; it converges in a few iterations or not at all."""


def redistribute(
    mass: PETSc.Mat, space: NodalSpace, materials: CellMaterials, slaves: Index
) -> None:
    """Zero the slave rows and columns of M and redistribute their mass within each body."""
    own = space.node[: space.owned_blocks]
    bodies = [_monomials(space, materials, body)[own] for body in np.unique(materials.body)]
    before = [_moments(mass, space.comm, monomials)[:, 0, 0] for monomials in bodies]
    mine = np.intersect1d(own, slaves)
    rows = (2 * space.block[mine][:, None] + np.arange(2)).ravel()
    mass.zeroRowsColumns(rows.astype(PETSc.IntType), diag=0.0)
    for monomials, wanted in zip(bodies, before, strict=True):
        inside = monomials[:, 0] > 0
        scale = np.where(
            inside, monomials @ _scaling(_moments(mass, space.comm, monomials), wanted), 1.0
        )
        factors = mass.createVecLeft()
        factors.setArray(np.repeat(scale, 2))
        mass.diagonalScale(factors, factors)


def row_sums(mass: PETSc.Mat) -> Array:
    """Return the mass that M gives to each owned node, (n, 2), kg."""
    ones, sums = mass.createVecs()
    ones.set(1.0)
    mass.mult(ones, sums)
    return np.array(sums.getArray()).reshape(-1, 2)


def _monomials(space: NodalSpace, materials: CellMaterials, body: int) -> Array:
    """Return 1, x, y, x² + y² at the nodes of a body, 0 elsewhere, (N, 4).

    Lengths are in body sizes.
    """
    nodes = np.unique(space.mesh.cells[materials.body == body])
    points = space.mesh.points[nodes]
    x, y = ((points - points.mean(axis=0)) / np.ptp(points, axis=0).max()).T
    result = np.zeros((len(space.mesh.points), 4))
    result[nodes] = np.stack([np.ones_like(x), x, y, x * x + y * y], axis=1)
    return result


def _moments(mass: PETSc.Mat, comm: MPI.Comm, monomials: Array) -> Array:
    """Return mass, both static moments and moment of inertia as quadratic forms, (4, 4, 4).

    Their value is cᵀ T c if the scaling is the polynomial with coefficients c; unscaled, T[0, 0].
    """
    one, x, y, _ = monomials.T
    vector, product = mass.createVecs()

    def form(left: Array, right: Array) -> Array:
        result = np.empty((4, 4))
        for column, monomial in enumerate(monomials.T):
            vector.setArray(np.stack([right * monomial, np.zeros_like(right)], axis=1).ravel())
            mass.mult(vector, product)
            result[:, column] = (left[:, None] * monomials).T @ product.getArray()[::2]
        return result

    forms = np.array([form(one, one), form(x, one), form(y, one), form(x, x) + form(y, y)])
    return np.asarray(comm.allreduce(forms, MPI.SUM))


def _scaling(forms: Array, wanted: Array) -> Array:
    """Return coefficients c with cᵀ T c = wanted for the four forms T, by Newton's method."""
    c = np.array([1.0, 0.0, 0.0, 0.0])
    for _ in range(ITERATIONS):
        error = np.einsum("k,mkl,l->m", c, forms, c) - wanted
        if np.abs(error).max() <= 1e-14 * np.abs(wanted).max():
            return c
        slope = np.einsum("mkl,l->mk", forms + forms.transpose(0, 2, 1), c)
        c = c - np.linalg.lstsq(slope, error, rcond=None)[0]
    raise InputError(
        "mesh: a body has too few nodes besides its slave nodes, which are massless with an "
        'explicit time.scheme or with time.impact = "redistributed-mass". Use at least two '
        'layers of elements, three with mass_matrix = "lumped".'
    )
