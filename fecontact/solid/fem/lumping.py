"""Lumped mass matrices with positive entries for every element type."""

from __future__ import annotations

import numpy as np

import basix
from dolfinx import la

from fecontact import compat
from fecontact.record import Array
from fecontact.solid.fem.forms import Forms, PieceForms


def lumped_mass(forms: Forms, density: Array) -> Array:
    """Return the diagonal of the lumped mass matrix at the dofs owned by this rank, kg.

    The mass of each cell is distributed in proportion to the diagonal of its consistent mass
    matrix, m_i = m_e ∫ρN_i² / Σ_j ∫ρN_j². Unlike row sums this is positive also for quad8 and tri6;
    on parallelograms of quad4 and on tri3 both agree (Hinton, Rock & Zienkiewicz 1976, A note on
    mass lumping and related processes in the finite element method, doi:10.1002/eqe.4290040305).
    """
    return forms.space.vector([_of_piece(piece, density) for piece in forms.pieces])


def _of_piece(forms: PieceForms, density: Array) -> Array:
    """Return the lumped mass of the cells of one kind, kg."""
    piece = forms.piece
    element = piece.element.scalar
    points, weights = basix.make_quadrature(element.cell_type, piece.element.quadrature)
    table = element.tabulate(1, points)
    shape, gradients = table[0], table[1:]
    nodes = piece.domain.geometry.x[compat.geometry_dofmap(piece.domain)][..., :2]
    jacobian = np.einsum("dqn,cnx->cqdx", gradients, nodes, optimize=True)
    places = np.einsum("qn,cnx->cqx", shape, nodes, optimize=True)
    volume = np.abs(np.linalg.det(jacobian)) * weights * forms.depth(places)
    diagonal = volume @ shape**2
    cell_mass = density[piece.cell] * volume.sum(axis=1)
    share = diagonal * (cell_mass / diagonal.sum(axis=1))[:, None]

    dofmap = piece.space.dofmap
    total = la.vector(dofmap.index_map, 1)
    total.array[:] = 0.0
    np.add.at(total.array, dofmap.list, share)
    return np.repeat(compat.owned(total), 2)
