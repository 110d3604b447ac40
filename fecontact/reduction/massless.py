"""Craig–Bampton basis with massless interface dofs.

With η' = η + B u_b, B = Φᵀ M Ψ, the mass of the Craig–Bampton model is block-diagonal,

M_r = [[M_bb − Bᵀ B, 0], [0, 1]],   K_r = [[K_bb + Bᵀ Ω² B, −Bᵀ Ω²], [−Ω² B, Ω²]].

M_bb − Bᵀ B is the inertia that the modes with fixed interface do not represent; it tends to zero
with their number. Without it the interface is massless: a node that impacts does not oscillate, and
while contact lasts the modes are those of the body in contact (D. Monjaraz-Tec, J. Gross & M. Krack
2022, doi:10.1016/j.compstruc.2021.106698). Its part in rigid-body motions, Rᵀ (M_bb − Bᵀ B) R,
belongs to the neglected modes and is added to the highest ones. With Y = B R and Z = Ω² Y,

M_ηη = 1 + Z (YᵀZ)⁻¹ Rᵀ (M_bb − Bᵀ B) R (ZᵀY)⁻¹ Zᵀ,

so that mass, centre of mass and moment of inertia of free bodies are exact.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from fecontact.arrays import Array
from fecontact.modal.rigid import unsupported_motions
from fecontact.reduction.basis import ReducedMatrices
from fecontact.reduction.craig_bampton import CraigBampton
from fecontact.reduction.modes import Demand, without_contact
from fecontact.solid.solid import Solid


class MasslessCraigBampton(CraigBampton):
    """Craig–Bampton basis without the inertia of the interface dofs."""

    def __init__(self, full: Solid, demand: Demand, loads: Array) -> None:
        super().__init__(full, demand, loads)
        count = self.interface
        raw = self.raw.mass
        self._coupling = raw[count:, :count]  # B
        self._lost = raw[:count, :count] - self._coupling.T @ self._coupling
        rigid = unsupported_motions(without_contact(full), full)
        rigid = rigid[full.total(np.einsum("ij,ij->i", rigid, rigid)) > 0.0]
        moved = [full.gather(x, np.empty(count)) for x in rigid]
        self._rigid = np.array(moved).reshape(-1, count).T  # R

    def to_raw(self, q: Array) -> Array:
        """Return u_b and η = η' − B u_b."""
        count = self.interface
        return np.concatenate([q[:count], q[count:] - self._coupling @ q[:count]])

    def transposed(self, z: Array) -> Array:
        """Return z_b − Bᵀ z_η and z_η."""
        count = self.interface
        return np.concatenate([z[:count] - self._coupling.T @ z[count:], z[count:]])

    def reduce(self, u: Array) -> Array:
        """Return u_b and η' = Φᵀ M_ii (u_i − Ψ u_b) + B u_b."""
        q = super().reduce(u)
        q[self.interface :] += self._coupling @ q[: self.interface]
        return q

    @cached_property
    def matrices(self) -> ReducedMatrices:
        """Return M, C, K in the coordinates (u_b, η')."""
        mass, damping, stiffness = super().matrices
        count = self.interface
        mass = np.diag((np.arange(self.size) >= count).astype(float))
        along = self._coupling @ self._rigid  # Y
        if along.shape[1]:
            high = (self.omega2 / self.omega2.max())[:, None] * along  # Z
            dual = high @ np.linalg.inv(along.T @ high)
            mass[count:, count:] += dual @ (self._rigid.T @ self._lost @ self._rigid) @ dual.T
        return ReducedMatrices(mass, damping, stiffness)

    def neglected_energy(self, v: Array, residual: Array) -> float:
        """Return ½ v_b·(M_bb − Bᵀ B) v_b of the interface velocities relative to the rigid motion
        with the same momentum, J.
        """
        own, count = v[: self.interface], self.interface
        if self._rigid.shape[1]:
            along = self._coupling @ self._rigid
            momentum = self.matrices.mass[count:, count:] @ along
            rigid = np.linalg.solve(along.T @ momentum, momentum.T @ v[count:])
            own = own - self._rigid @ rigid
        return 0.5 * float(own @ self._lost @ own)
