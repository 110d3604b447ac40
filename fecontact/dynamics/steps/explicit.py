"""Explicit step: nodes with mass move first, massless contact nodes are in equilibrium with them.

With β = 0 the correction δ of :mod:`fecontact.dynamics.schemes.form` vanishes at dofs with mass:
their positions at the end of a step follow from its start. Massless contact nodes c are in
equilibrium with them under the contact forces,

u_i = u_n + Δt v_n + ½Δt² a_n,    K_cc u_c = f_c − K_ci u_i + r_c,    M a = f − K u + Sᵀr,

all at the end of the step. A is therefore K_cc alone, small and independent of the step size, and M
is diagonal. A master with mass does not respond within a step; the forces on it enter its
acceleration. Equilibrium and the energy balance are satisfied at the end of each step, as for every
scheme of the form.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from fecontact.arrays import Array, Integers
from fecontact.bulk import Bulk
from fecontact.contact.problem import ContactProblem
from fecontact.dynamics.motion import Motion
from fecontact.kernels import kernel
from fecontact.study.errors import InputError

DIAGONAL = 1e-12  # relative difference up to which M counts as diagonal


class MasslessFactor:
    """K_cc of the massless contact dofs, as a factor for all dofs: other dofs do not respond.

    Its columns are products with K, so that the interface of a structural model is sufficient. If
    supports fix a node along an inclined direction, x and y of a contact node depend on one dof, S
    Sᵀ = P with the projection P on the free directions (:mod:`fecontact.solid.linear.inclined`);
    the response is then (K_cc + k (1 − P))⁻¹ P.

    count: number of massless dofs.
    Raise `numpy.linalg.LinAlgError` if K_cc is singular.
    """

    stabilised: Integers = np.zeros(0, np.int64)
    spring_stiffness: Array = np.zeros(0)

    def __init__(self, bulk: Bulk) -> None:
        self._bulk, size = bulk, bulk.surface.size
        light = bulk.gather(bulk.massless.astype(float), np.empty(size))
        self.where: Integers = np.flatnonzero(light)
        unit, x, out = np.zeros(size), np.zeros(bulk.size), np.empty(bulk.size)
        stiffness, possible = np.empty((2, len(self.where), len(self.where)))
        for column, dof in enumerate(self.where):
            unit[dof], x[:] = 1.0, 0.0
            bulk.stiffness(bulk.scatter(unit, x), out)
            stiffness[:, column] = bulk.gather(out, np.empty(size))[self.where]
            possible[:, column] = bulk.gather(x, np.empty(size))[self.where]
            unit[dof] = 0.0
        self.count = round(np.trace(possible))
        self._possible = None if self.count == len(self.where) else possible
        if len(self.where):
            scale = np.trace(stiffness) / self.count
            stiffness += scale * (np.eye(len(self.where)) - possible)
            self._factor = cho_factor(0.5 * (stiffness + stiffness.T))
        self._b = np.zeros(size)

    def _respond(self, b: Array) -> Array:
        """Return the displacement of the contact dofs under forces b on them, (size,) or
        (size, n).
        """
        out = np.zeros(b.shape)
        if len(self.where):
            own = b[self.where] if self._possible is None else self._possible @ b[self.where]
            out[self.where] = cho_solve(self._factor, own, check_finite=False)
        return out

    def solve(self, b: Array, out: Array) -> Array:
        moved = self._respond(self._bulk.gather(b, np.empty(len(self._b))))
        out[:] = 0.0
        return self._bulk.scatter(moved, out)

    def compliance(self, dofs: Integers) -> Array:
        unit = np.zeros((len(self._b), len(dofs)))
        unit[dofs, np.arange(len(dofs))] = 1.0
        return self._respond(unit).T

    def interface_solution(self, b: Array) -> Array:
        return self._respond(self._bulk.gather(b, self._b))

    def solution_with_contact(self, force: Array, out: Array) -> Array:
        out[:] = 0.0
        return self._bulk.scatter(self._respond(self._b + force), out)


class ExplicitStep:
    """Diagonal of M and K_cc for an explicit scheme.

    mass: (size,) kg/m, 0 for massless dofs.
    Raise InputError if M is not diagonal, if there is damping, if dofs other than those of slave
    nodes are massless, or if slave nodes have mass.
    """

    def __init__(self, bulk: Bulk, contact: ContactProblem) -> None:
        self.mass = bulk.mass(np.ones(bulk.size), np.empty(bulk.size))
        trial = np.random.default_rng(0).uniform(0.5, 1.5, bulk.size)
        off = np.abs(bulk.mass(trial, np.empty(bulk.size)) - self.mass * trial)
        if bulk.total(np.array([np.sum(off > DIAGONAL * self.mass * trial)]))[0] > 0:
            raise InputError(
                "mass_matrix: an explicit scheme needs a diagonal mass matrix. Set mass_matrix = "
                '"lumped".'
            )
        if bulk.nonlinear:
            raise InputError(
                "time.scheme: an explicit scheme is not supported for nonlinear bodies. Use an "
                "implicit scheme."
            )
        if bulk.has_damping:
            raise InputError(
                "time.scheme: damping is not supported with an explicit scheme. Set the Rayleigh "
                "coefficients and dashpots to 0 or use an implicit scheme."
            )
        self.factor = MasslessFactor(bulk)
        light = bulk.total(np.array([np.count_nonzero(bulk.massless)]))[0]
        if light != self.factor.count:
            raise InputError(
                f"materials: {light - self.factor.count:g} free dofs that are not contact dofs "
                "have no mass, which an explicit scheme needs. Set a density for all free bodies."
            )
        _check_slaves(contact, self.factor.where)
        self._inverse = np.zeros(bulk.size)
        np.divide(1.0, self.mass, out=self._inverse, where=~bulk.massless)

    def start(self, motion: Motion, contact_force: Array) -> None:
        """Compute the initial acceleration."""
        motion.a[:] = self._inverse * (motion.f - motion.ku + contact_force)

    def update(
        self, step: float, now: Motion, new: Motion, d: Array, parts: tuple[Array, Array, Array]
    ) -> None:
        """Compute u, v, a at the end of a step; d is the predictor and becomes the increment.

        parts: the correction; K times predictor and correction; the contact forces.
        """
        correction, kd, r = parts
        update(
            step,
            self._inverse,
            correction,
            kd,
            r,
            d,
            *(now.u, now.v, now.a, now.ku, new.f),
            *(new.u, new.v, new.a),
        )


def _check_slaves(contact: ContactProblem, light: Integers) -> None:
    """Raise InputError for a slave node on which contact forces could not act: it has mass, or it
    is fixed while its master is free.
    """
    dof, index = contact.nodes.dof, {int(n): c for c, n in enumerate(contact.nodes.node)}
    for pair in contact.pairs:
        slaves, masters = (
            dof[[index[int(n)] for n in np.unique(edges)]] for edges in (pair.slave, pair.master)
        )
        if not np.isin(slaves[slaves >= 0], light).all():
            raise InputError(
                f"contact.{pair.name}.slave: {pair.settings.slave!r} has nodes with mass, but an "
                "explicit scheme needs massless slave nodes. Use the massless edge as slave, or "
                "an implicit scheme."
            )
        if (slaves < 0).all(axis=1).any() and (masters >= 0).any():
            raise InputError(
                f"contact.{pair.name}.slave: {pair.settings.slave!r} has constrained nodes and "
                "its master is free. With an explicit scheme the slave must be free. Swap slave "
                "and master."
            )


@kernel
def update(step, inverse, correction, kd, r, d, *motions):  # type: ignore[no-untyped-def]
    """Compute the update of :class:`ExplicitStep`; inverse: 1/M, 0 for massless dofs, whose
    velocity is the mean of the step.

    motions: u, v, a and K u at the start, loads at the end, u, v and a at the end.
    """
    u, v, a, ku, f1, u1, v1, a1 = motions
    for i in range(len(u)):
        d[i] += correction[i]
        u1[i] = u[i] + d[i]
        a1[i] = inverse[i] * (f1[i] - ku[i] - kd[i] + r[i])
        if inverse[i] > 0.0:
            v1[i] = v[i] + 0.5 * step * (a[i] + a1[i])
        else:
            v1[i] = d[i] / step
