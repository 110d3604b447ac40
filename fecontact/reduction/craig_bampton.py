"""Craig–Bampton basis: constraint modes and modes with fixed interface.

T = [[1, 0], [Ψ, Φ]],   Ψ = −K_ii⁻¹ K_ib,   K_ii Φ = M_ii Φ Ω²

(R. R. Craig & M. C. C. Bampton 1968, doi:10.2514/3.4741). Static displacements K_ii⁻¹ f_i of the
loads complete the modes, so that the response to slow loads does not depend on their number.
"""

from __future__ import annotations

import numpy as np
import scipy.linalg

from fecontact.arrays import Array
from fecontact.reduction.basis import Basis
from fecontact.reduction.modes import Demand, requested_modes, ritz_vectors, without_contact
from fecontact.solid.solid import Solid
from fecontact.solid.solvers.interior import InteriorSystem
from fecontact.study.errors import InputError

FLOATING = 1e-9  # ω² over the next ones, below which a mode with fixed interface is a rigid motion


class CraigBampton(Basis):
    """Craig–Bampton basis of a linear model; loads: (p, n) on the free dofs of this rank."""

    def __init__(self, full: Solid, demand: Demand, loads: Array) -> None:
        super().__init__(full)
        self._inner = inner = InteriorSystem(full)
        self._inside = inner.inside
        model = without_contact(inner)
        modes = requested_modes(model, np.zeros((0, inner.size)), demand, full.comm)
        if len(modes.omega2) and modes.omega2[0] <= FLOATING * modes.omega2[-1]:
            raise InputError(
                f"{demand.where}: the interface (contact nodes, springs, point loads and history "
                "points) does not constrain the rigid-body motion of the body. Use method = "
                '"rubin" or add a history point.'
            )
        self._factor = inner.factor(0.0, 0.0, 1.0)
        static = np.array(
            [self._without(self._solve(f[self._inside]), modes.shapes) for f in loads]
        )
        vectors, omega2 = ritz_vectors(model, static.reshape(-1, inner.size))
        own = np.concatenate([modes.shapes, vectors])
        self.modes = np.zeros((len(own), full.size))
        self.modes[:, self._inside] = own
        self.omega2 = np.concatenate([modes.omega2, omega2])
        self.elastic = np.arange(len(own)) < len(modes.omega2)
        self.neglected = modes.neglected

    def _solve(self, force: Array) -> Array:
        """Return K_ii⁻¹ f_i."""
        return self._factor.solve(np.ascontiguousarray(force), np.empty(len(self._inside)))

    def _without(self, x: Array, shapes: Array) -> Array:
        """Return x without its part along M_ii-orthonormal shapes. Collective."""
        weighted = self._inner.mass(x, np.empty_like(x))
        return np.asarray(x - self.full.total(shapes @ weighted) @ shapes)

    def expand(self, z: Array) -> Array:
        """Return the interface displacements, −K_ii⁻¹ K_ib u_b inside, and the modes."""
        full, count = self.full, self.interface
        out = full.scatter(z[:count], np.zeros(full.size))
        force = full.stiffness(out, np.empty(full.size))
        out[self._inside] = -self._solve(force[self._inside])
        return np.asarray(out + z[count:] @ self.modes)

    def adjoint(self, force: Array) -> Array:
        """Return f_b − K_bi K_ii⁻¹ f_i and Φᵀ f_i."""
        full = self.full
        moved = np.zeros(full.size)
        moved[self._inside] = self._solve(force[self._inside])
        rest = force - full.stiffness(moved, np.empty(full.size))
        at_interface = full.gather(rest, np.empty(self.interface))
        return np.concatenate([at_interface, self.amplitudes(force)])

    def raw_stiffness(self, at_interface: Array) -> Array:
        """Return diag(K_bb + K_bi Ψ, Ω²)."""
        return np.asarray(scipy.linalg.block_diag(at_interface, np.diag(self.omega2)))

    def reduce(self, u: Array) -> Array:
        """Return u_b and η = Φᵀ M_ii (u_i − Ψ u_b)."""
        full, count = self.full, self.interface
        q = np.zeros(self.size)
        q[:count] = full.gather(u, np.empty(count))
        rest = u - self.expand(q)
        q[count:] = self.amplitudes(full.mass(rest, np.empty(full.size)))
        return q

    def neglected_response(self, residual: Array) -> Array:
        """Return K_ii⁻¹ r_i without its part along the modes."""
        out = np.zeros(self.full.size)
        out[self._inside] = self._without(
            self._solve(residual[self._inside]), self.modes[:, self._inside]
        )
        return out
