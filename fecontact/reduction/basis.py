"""Bases of component mode synthesis: T maps reduced coordinates q to the free dofs, u = T q.

q = (u_b, η): the interface dofs, which are the contact dofs of the model, and the amplitudes of the
modes. A basis has raw coordinates z = L q in which its columns W are computed, T = W L. No column
is stored besides the modes: W z and Wᵀ f take one back-substitution each, so that a basis needs
little memory on any number of ranks. q and z are the same on every rank.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Mask
from fecontact.solid.solid import Solid


class ReducedMatrices(NamedTuple):
    """Dense M, C and K (size, size) in the coordinates q."""

    mass: Array
    damping: Array
    stiffness: Array


class Basis(ABC):
    """A basis of a linear model.

    full: the model; its contact dofs are the interface.
    interface: number of interface dofs.
    modes: (k, n) shapes on this rank: rigid-body modes, modes, static vectors of the loads.
    omega2: (k,) their ω², 1/s².
    elastic: (k,) True for the modes that are neither rigid-body modes nor static vectors.
    neglected: ω² of the first neglected mode.
    """

    def __init__(self, full: Solid) -> None:
        self.full = full
        self.interface = full.surface.size
        self.modes: Array
        self.omega2: Array
        self.elastic: Mask
        self.neglected: float

    @property
    def size(self) -> int:
        """Return the number of reduced coordinates."""
        return self.interface + len(self.omega2)

    @abstractmethod
    def expand(self, z: Array) -> Array:
        """Return W z on the free dofs of this rank. Collective."""

    @abstractmethod
    def adjoint(self, force: Array) -> Array:
        """Return Wᵀ f of forces on the free dofs of this rank, the same on every rank."""

    @abstractmethod
    def reduce(self, u: Array) -> Array:
        """Return q of displacements in the span of T, or of their projection. Collective."""

    @abstractmethod
    def raw_stiffness(self, at_interface: Array) -> Array:
        """Return Wᵀ K W; at_interface: (interface, interface) S K W_b, W_b: the first columns."""

    @abstractmethod
    def neglected_response(self, residual: Array) -> Array:
        """Return the static displacement of the neglected motion under forces. Collective."""

    def neglected_energy(self, v: Array, residual: Array) -> float:
        """Return the energy of the neglected motion, J. Collective.

        v: q̇; residual: forces on the free dofs of the full model that the reduced model does not
        balance, N. They deform the neglected motion statically.
        """
        moved = self.neglected_response(residual)
        return 0.5 * float(self.full.total(np.array([residual @ moved]))[0])

    def to_raw(self, q: Array) -> Array:
        """Return z = L q of a vector or of columns."""
        return q

    def transposed(self, z: Array) -> Array:
        """Return Lᵀ z of a vector or of columns."""
        return z

    def recover(self, q: Array) -> Array:
        """Return u = T q on the free dofs of this rank. Collective."""
        return self.expand(self.to_raw(q))

    def project(self, force: Array) -> Array:
        """Return Tᵀ f, the same on every rank. Collective."""
        return self.transposed(self.adjoint(force))

    def acceleration(self, a: Array) -> Array:
        """Return the accelerations q̈ of a motion; see :class:`MacNeal` for massless interfaces."""
        return a

    @cached_property
    def matrices(self) -> ReducedMatrices:
        """Return M, C, K in the coordinates q. Collective."""
        return ReducedMatrices(*map(self._congruent, self.raw))

    @cached_property
    def raw(self) -> ReducedMatrices:
        """Return Wᵀ M W, Wᵀ C W and Wᵀ K W. Collective."""
        full, size, count = self.full, self.size, self.interface
        products = [full.mass, full.damping] if full.has_damping else [full.mass]
        found, at_interface = np.zeros((2, size, size)), np.zeros((count, count))
        image = np.empty(full.size)
        for j in range(count):
            column = self.expand(np.eye(1, size, j)[0])
            at_interface[:, j] = full.gather(full.stiffness(column, image), np.empty(count))
            for out, product in zip(found, products, strict=False):
                out[:, j] = self.adjoint(product(column, image))
        for out, product in zip(found, products, strict=False):
            out[:count, count:] = out[count:, :count].T
            for j in range(len(self.modes)):
                shape: Array = self.modes[j].copy()
                out[count:, count + j] = self.amplitudes(product(shape, image))
        mass, damping = 0.5 * (found + found.transpose(0, 2, 1))
        return ReducedMatrices(mass, damping, self.raw_stiffness(at_interface))

    def amplitudes(self, force: Array) -> Array:
        """Return Φᵀ f, the same on every rank."""
        return self.full.total(self.modes @ force)

    def _congruent(self, raw: Array) -> Array:
        """Return Lᵀ X L, symmetric."""
        left = self.transposed(raw)
        whole = self.transposed(np.ascontiguousarray(left.T))
        return np.asarray(0.5 * (whole + whole.T))
