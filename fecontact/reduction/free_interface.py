"""Free-interface bases: modes of the free body and residual attachment modes.

u = Φ η + R Sᵀ f,   R = K⁺ − Φ_e Ω_e⁻² Φ_eᵀ,   u_b = S Φ η + R_bb f

R is the flexibility of the neglected modes; of a free body, K⁺ is the flexibility under loads in
equilibrium with the inertia of its rigid motion (inertia relief). Rubin keeps the mass of the
attachment modes R Sᵀ (S. Rubin 1975, doi:10.2514/3.60497). MacNeal neglects it (R. H. MacNeal 1971,
doi:10.1016/0045-7949(71)90031-9), which makes the interface massless: a node that impacts has no
inertia and does not oscillate (D. Monjaraz-Tec, J. Gross & M. Krack 2022,
doi:10.1016/j.compstruc.2021.106698).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import scipy.linalg

from fecontact.arrays import Array
from fecontact.modal.rigid import rigid_modes
from fecontact.reduction.basis import Basis, ReducedMatrices
from fecontact.reduction.modes import Demand, requested_modes, ritz_vectors, without_contact
from fecontact.solid.solid import Solid
from fecontact.study.errors import InputError

SHIFT = 1e-4  # of the first neglected ω²
ITERATIONS = 3  # the error decreases by SHIFT in each
NEGLIGIBLE = 1e-10  # response to a load relative to the whole one that is round-off


class Rubin(Basis):
    """Free-interface basis with residual attachment modes.

    loads: (p, n) patterns on the free dofs of this rank.
    """

    def __init__(self, full: Solid, demand: Demand, loads: Array) -> None:
        super().__init__(full)
        model = without_contact(full)
        rigid = rigid_modes(model, full, full.mesh.points).shapes
        modes = requested_modes(model, rigid, demand, full.comm)
        true = np.concatenate([rigid, modes.shapes])
        self._true, self.modes = len(true), true
        self.omega2 = np.concatenate([np.zeros(len(rigid)), modes.omega2])
        if not np.isfinite(modes.neglected):
            raise InputError(_too_many(demand, len(modes.omega2), self.interface))
        self._shift = SHIFT * modes.neglected
        self._factor = full.factor(self._shift, 0.0, 1.0)
        self._flexibility = self._residual_flexibility()
        try:
            self._inverse = scipy.linalg.cho_factor(self._flexibility)
        except np.linalg.LinAlgError:
            number = len(modes.omega2)
            raise InputError(_too_many(demand, number, self.interface)) from None
        vectors, omega2 = ritz_vectors(model, self._inner_responses(loads))
        self.modes = np.concatenate([true, vectors])
        self.omega2 = np.concatenate([self.omega2, omega2])
        self.elastic = np.zeros(len(self.omega2), bool)
        self.elastic[len(rigid) : len(true)] = True
        self.neglected = modes.neglected
        self._at_interface = np.array([self._gather(x) for x in self.modes]).T  # S Φ

    def _gather(self, x: Array) -> Array:
        return self.full.gather(x, np.empty(self.interface))

    def _residual_response(self, force: Array) -> Array:
        """Return R f: the static displacement of the modes that are neither rigid nor kept.

        K x = f without the inertia forces of the kept modes, by iterations with K + s M, which is
        regular; s is so far below the first neglected ω² that few are needed. Collective.
        """
        full, true = self.full, self.modes[: self._true]
        count = len(true)
        part, inertia = np.empty(full.size), self.amplitudes(force)
        rest = force - full.mass(inertia[:count] @ true, part)
        x = self._factor.solve(rest, np.empty(full.size))
        for _ in range(ITERATIONS):
            x -= self.amplitudes(full.mass(x, part))[:count] @ true
            self._factor.solve(rest + self._shift * full.mass(x, part), x)
        x -= self.amplitudes(full.mass(x, part))[:count] @ true
        own = inertia[count:] / self.omega2[count:]
        return np.asarray(x - own @ self.modes[count:])

    def _attachment(self, force: Array) -> Array:
        """Return R Sᵀ f of forces on the interface dofs. Collective."""
        return self._residual_response(self.full.scatter(force, np.zeros(self.full.size)))

    def _residual_flexibility(self) -> Array:
        """Return R_bb, m/N. Collective."""
        out = np.array([self._gather(self._attachment(unit)) for unit in np.eye(self.interface)])
        return np.asarray(0.5 * (out + out.T))

    def _inner_responses(self, loads: Array) -> Array:
        """Return the responses to loads with a fixed interface, (p, n), in the neglected modes.

        They change neither the attachment modes nor R_bb. A load on the interface or on the kept
        modes alone has none. Collective.
        """
        full, found = self.full, list[Array]()
        for load in loads:
            x = self._residual_response(load)
            x -= self._attachment(scipy.linalg.cho_solve(self._inverse, self._gather(x)))
            whole = self._factor.solve(load, np.empty(full.size))
            squares = full.total(np.array([x @ x, whole @ whole]))
            if squares[0] > NEGLIGIBLE**2 * squares[1]:
                found.append(x)
        return np.array(found).reshape(-1, full.size)

    def expand(self, z: Array) -> Array:
        """Return Φ η + R Sᵀ f for z = (f, η)."""
        count = self.interface
        return np.asarray(self._attachment(z[:count]) + z[count:] @ self.modes)

    def adjoint(self, force: Array) -> Array:
        """Return S R f and Φᵀ f."""
        moved = self._gather(self._residual_response(force))
        return np.concatenate([moved, self.amplitudes(force)])

    def to_raw(self, q: Array) -> Array:
        """Return f = R_bb⁻¹ (u_b − S Φ η) and η."""
        count = self.interface
        rest = q[:count] - self._at_interface @ q[count:]
        return np.concatenate([scipy.linalg.cho_solve(self._inverse, rest), q[count:]])

    def transposed(self, z: Array) -> Array:
        """Return R_bb⁻¹ z_b and z_η − (S Φ)ᵀ R_bb⁻¹ z_b."""
        count = self.interface
        force = scipy.linalg.cho_solve(self._inverse, z[:count])
        return np.concatenate([force, z[count:] - self._at_interface.T @ force])

    def raw_stiffness(self, at_interface: Array) -> Array:
        """Return diag(R_bb, Ω²)."""
        return np.asarray(scipy.linalg.block_diag(self._flexibility, np.diag(self.omega2)))

    def reduce(self, u: Array) -> Array:
        """Return u_b and η: Φᵀ M u of modes, Φᵀ K u/ω² of static vectors."""
        full, count, part = self.full, self._true, np.empty(self.full.size)
        amplitude = self.amplitudes(full.mass(u, part))
        amplitude[count:] = self.amplitudes(full.stiffness(u, part))[count:] / self.omega2[count:]
        return np.concatenate([self._gather(u), amplitude])

    def neglected_response(self, residual: Array) -> Array:
        """Return R r without its part along the attachment modes."""
        moved = self._residual_response(residual)
        force = scipy.linalg.cho_solve(self._inverse, self._gather(moved))
        at = self.full.scatter(force, np.zeros(self.full.size))
        return np.asarray(moved - self._residual_response(at))


class MacNeal(Rubin):
    """Free-interface basis without the mass of the attachment modes."""

    @cached_property
    def raw(self) -> ReducedMatrices:
        """Return diag(0, 1), Wᵀ C W and diag(R_bb, Ω²). Collective."""
        mass = np.diag((np.arange(self.size) >= self.interface).astype(float))
        if self.full.has_damping:
            return super().raw._replace(mass=mass)
        stiffness = self.raw_stiffness(self._flexibility)
        return ReducedMatrices(mass, np.zeros_like(mass), stiffness)

    def neglected_energy(self, v: Array, residual: Array) -> float:
        """Return the kinetic energy of the attachment modes, J."""
        z = self.to_raw(v)
        z[self.interface :] = 0.0
        moved = self.expand(z)
        inertia = self.full.mass(moved, np.empty_like(moved))
        return 0.5 * float(self.full.total(np.array([moved @ inertia]))[0])

    def acceleration(self, a: Array) -> Array:
        """Return S Φ η̈ and η̈: massless dofs have no acceleration in the equations of motion."""
        modal = a[self.interface :]
        return np.concatenate([self._at_interface @ modal, modal])


def _too_many(demand: Demand, number: int, interface: int) -> str:
    key = "modes" if demand.frequency is None else "frequency"
    return (
        f"{demand.where}: with {number} modes no flexibility remains for the attachment modes of "
        f"the {interface} interface dofs. Reduce `{key}`."
    )
