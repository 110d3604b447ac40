"""Mass, damping and stiffness matrices of bodies, springs, dashpots and point masses in PETSc."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from petsc4py import PETSc

from fecontact.record import Array
from fecontact.solid.conditions.discrete import Discretes, add_edges, add_masses, add_springs
from fecontact.solid.conditions.foundations import EdgeTensors
from fecontact.solid.fem.forms import Forms
from fecontact.solid.fem.lumping import lumped_mass
from fecontact.solid.fem.materials import CellMaterials


@dataclass(frozen=True)
class Matrices:
    """Matrices K, C and M over all dofs, or over the free ones; C is None without damping.

    Iterates in the order of the derivative of u they multiply.
    """

    stiffness: PETSc.Mat
    damping: PETSc.Mat | None
    mass: PETSc.Mat

    def __iter__(self) -> Iterator[PETSc.Mat | None]:
        return iter((self.stiffness, self.damping, self.mass))


def assemble(
    forms: Forms,
    materials: CellMaterials,
    discretes: Discretes,
    foundations: Sequence[EdgeTensors],
    lumped: bool,
) -> Matrices:
    """Assemble K, C = Σ_bodies (a M + b K) + dashpots, and M (consistent or lumped) over all dofs.

    K excludes finite-strain and elastoplastic bodies, which `fecontact.solid.hyperelastic.model`
    adds.
    """
    space = forms.space
    linear = np.where(materials.linear[:, None, None], materials.stiffness, 0.0)
    stiffness = forms.stiffness(linear)
    mass = _mass(forms, materials.density, lumped)
    damping = None
    if materials.rayleigh_stiffness.any():
        factor = materials.rayleigh_stiffness[:, None, None]
        damping = forms.stiffness(factor * materials.stiffness)
    if materials.rayleigh_mass.any():
        proportional = _mass(forms, materials.density * materials.rayleigh_mass, lumped)
        if damping is None:
            damping = proportional
        else:
            damping.axpy(1.0, proportional, PETSc.Mat.Structure.SUBSET_NONZERO_PATTERN)
    damped = discretes.damping.any() or any(entry.damping.any() for entry in foundations)
    if damped and damping is None:
        damping = _diagonal(stiffness, np.zeros(stiffness.getLocalSize()[0]))
    add_springs(stiffness, space, discretes.ends, discretes.stiffness)
    add_masses(mass, space, discretes.mass_nodes, discretes.mass)
    if damping is not None:
        add_springs(damping, space, discretes.ends, discretes.damping)
    for entry in foundations:
        add_edges(stiffness, space, entry.at, entry.stiffness)
        if damping is not None:
            add_edges(damping, space, entry.at, entry.damping)
    return Matrices(stiffness, damping, mass)


def _mass(forms: Forms, density: Array, lumped: bool) -> PETSc.Mat:
    consistent = forms.mass(density)
    if not lumped:
        return consistent
    return _diagonal(consistent, lumped_mass(forms, density))


def without_zeros(matrix: PETSc.Mat) -> PETSc.Mat:
    """Return the matrix without stored off-diagonal zeros.

    Half of the stored entries of a mass matrix couple x with y and are zero.
    """
    first, columns, values = matrix.getValuesCSR()
    rows = np.arange(*matrix.getOwnershipRange())
    nonzero = (values != 0.0) | (columns == np.repeat(rows, np.diff(first)))
    start = np.concatenate([[0], np.cumsum(nonzero)])[first].astype(PETSc.IntType)
    csr = (start, columns[nonzero], values[nonzero])
    return PETSc.Mat().createAIJ(matrix.getSizes(), csr=csr, comm=matrix.comm)


def _diagonal(like: PETSc.Mat, values: Array) -> PETSc.Mat:
    """Return a diagonal matrix with the layout of another."""
    matrix = PETSc.Mat().createAIJ(like.getSizes(), nnz=(1, 0), comm=like.comm)
    diagonal = matrix.createVecLeft()
    diagonal.setArray(values)
    matrix.setDiagonal(diagonal)
    matrix.assemble()
    return matrix
