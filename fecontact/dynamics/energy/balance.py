"""Energy balance of a run, with the numerical dissipation of the time scheme in closed form.

Write [x] = x_{n+1} − x_n and ⟨x⟩ = ½(x_n + x_{n+1}). From the update formulas of
:mod:`fecontact.dynamics.schemes.form`

[u] = Δt⟨v⟩ + Δt² e,    e = (a_u − a_v/2) a_n + (β − γ/2) a_{n+1}
Δt a_w = [v] + Δt d,    d = (α_m − a_v) a_n + (1 − α_m − γ) a_{n+1},

so that the work of the inertia forces is [u]·M a_w = [½ v·M v] + Δt e·M[v] + [u]·M d, while [u]·K
u_w = [½ u·K u] + (½ − α_f)[u]·K[u]. The equilibrium of the step times [u] is then the identity

[T + V] = [u]·⟨f⟩ − [u]·C⟨v⟩ + [u]·Sᵀr − D,
D = Δt e·M[v] + [u]·M d + (½ − α_f)[u]·(K[u] + C[v] − [f]),

after Krenk (2006), "Energy conservation in Newmark based time integration algorithms". D is the
numerical dissipation. It vanishes for average acceleration with the contact force constant in time.
For Newmark's scheme it contains the algorithmic damping (γ − ½) and the difference between contact
forces at the end of the step and their mean over it.

For finite-strain and elastoplastic bodies, [u]·⟨f_int⟩ replaces [V]. Its difference from the change
of the stored energy plus the plastic work (:mod:`fecontact.solid.plasticity.model`) and the
dissipation of viscoelastic bodies (:mod:`fecontact.solid.viscoelastic`) is also numerical
dissipation.

The work of the contact forces splits into friction, stored energy of penalties and loss by normal
contact (:class:`fecontact.contact.solution.ContactWork`). No term is computed as a remainder, so
that `balance_error` measures how well the equations of the step are solved, down to the round-off
of the works: a body that a support moves by 2 m has nodal forces K u and f of 1e11 N that cancel,
and their last digits do work.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.solution import ContactWork
from fecontact.dynamics.schemes.form import Coefficients
from fecontact.kernels import summing


class StepEnergies(NamedTuple):
    """Kinetic and spring energy at the end of a step; change of the elastic energy, work of loads
    and supports, dissipation by damping, by plastic flow, by viscoelasticity and by the scheme in
    it; round-off of these; J.
    """

    kinetic: float
    elastic_change: float
    springs: float
    load: float
    damping: float
    plastic: float
    viscous: float
    numerical: float
    rounding: float
    stabilization: float = 0.0  # released by a jump of a static analysis


class Energies(NamedTuple):
    """Energy of motion, bodies, springs and penalties at one time, J."""

    kinetic: float
    strain: float
    springs: float
    contact: float


@dataclass
class Ledger:
    """Current energies, and works and dissipations since t = 0, all in J.

    balance_error = (kinetic + strain + springs + contact) − initial − stage_change − external_work
    + friction + contact_loss + damping + plastic + viscous + stabilization + numerical;
    zero up to round-off.
    """

    kinetic: float = 0.0
    strain: float = 0.0  # of the bodies
    springs: float = 0.0
    contact: float = 0.0  # stored by penalties
    external_work: float = 0.0  # of loads and moving supports
    friction: float = 0.0
    contact_loss: float = 0.0
    damping: float = 0.0
    plastic: float = 0.0  # plastic work of elastoplastic bodies
    viscous: float = 0.0  # dissipation of viscoelastic bodies
    stabilization: float = 0.0  # released by jumps of a static analysis
    numerical: float = 0.0
    initial: float = 0.0
    stage_change: float = (
        0.0  # energy added by stage changes; a removed spring takes its energy with it
    )
    balance_error: float = 0.0
    rounding: float = 0.0  # round-off of the works above

    def start(self, energies: Energies) -> None:
        """Set the initial energies."""
        self.kinetic, self.strain, self.springs, self.contact = energies
        self.initial = sum(energies)

    def switch(self, before: Energies, after: Energies) -> None:
        """Record a stage change of bodies, supports or contact: the energies before and
        after it.
        """
        for name, old, new in zip(Energies._fields, before, after, strict=True):
            setattr(self, name, getattr(self, name) + (new - old))
        self.stage_change += sum(after) - sum(before)

    def add(self, step: StepEnergies, contact: ContactWork) -> None:
        """Add the energies, works and dissipations of a step."""
        elastic = self.strain + self.springs + step.elastic_change
        self.kinetic, self.strain, self.springs = step.kinetic, elastic - step.springs, step.springs
        self.contact = contact.stored
        self.external_work += step.load + contact.support
        self.friction += contact.friction
        self.contact_loss += contact.loss
        self.damping += step.damping
        self.plastic += step.plastic
        self.viscous += step.viscous
        self.stabilization += step.stabilization
        self.numerical += step.numerical
        self.rounding += step.rounding + contact.rounding
        spent = self.friction + self.contact_loss + self.damping + self.plastic + self.viscous
        spent += self.stabilization + self.numerical
        present = self.kinetic + elastic + self.contact
        put_in = self.initial + self.stage_change
        self.balance_error = present - put_in - self.external_work + spent

    def state(self) -> Array:
        """Return all entries in order."""
        return np.array([getattr(self, field.name) for field in fields(self)])

    def restore(self, state: Array) -> None:
        """Restore a state."""
        for field, value in zip(fields(self), state, strict=True):
            setattr(self, field.name, float(value))


@summing
def carry_and_add_up(parts, step, *others):  # type: ignore[no-untyped-def]
    """Compute K u and M v at the end of a step, as :func:`fecontact.dynamics.motion.update` does
    for u and v, and the energy terms of the step.

    parts: (8,) this rank's share of ½ v·M v at the end, [½ u·K u], work of loads, of C, and D;
    squares of the residual of the equilibrium and of the forces in it; the sum of the absolute
    works of K u and of loads;
    others: K u and M v at the end, which are set; [u], K times predictor and correction, contact
    forces; a, f, K u, M v, M a, C v at the start; v, a, f, M a, C v at the end; the coefficients of
    the scheme.

    The forces include M v/Δt, which would stop the body in one step, and K u at the start. Without
    other forces, the residual is then small if it changes the motion little, or if it is round-off
    of removed forces.
    """
    (ku1, mv1, d, kp, kc, r), (a, f, ku, mv, ma, cv) = others[:6], others[6:12]
    (v1, a1, f1, ma1, cv1), scheme = others[12:17], Coefficients(*others[17:])
    early_v, late_v = scheme.inertia * step * scheme.a_v, scheme.inertia * step * scheme.gamma
    e0 = scheme.inertia * step * (scheme.a_u - 0.5 * scheme.a_v)
    e1 = scheme.inertia * step * (scheme.beta - 0.5 * scheme.gamma)
    h0 = scheme.inertia * (scheme.alpha_m - scheme.a_v)
    h1 = scheme.inertia * (1.0 - scheme.alpha_m - scheme.gamma)
    late, early, middle = 1.0 - scheme.alpha_f, scheme.alpha_f, 0.5 - scheme.alpha_f
    stop = scheme.inertia / step
    kinetic, elastic, load, damping, numerical = 0.0, 0.0, 0.0, 0.0, 0.0
    residual, forces, works = 0.0, 0.0, 0.0
    for i in range(len(d)):
        kd = kp[i] + kc[i]
        ku1[i] = ku[i] + kd
        mv_end = scheme.inertia * mv[i] + early_v * ma[i] + late_v * ma1[i]
        mv1[i] = mv_end
        kinetic += v1[i] * mv_end
        elastic += d[i] * (ku[i] + 0.5 * kd)
        load += d[i] * (f[i] + f1[i])
        damping += d[i] * (cv[i] + cv1[i])
        numerical += (
            middle * d[i] * (kd + cv1[i] - cv[i] - (f1[i] - f[i]))
            + (e0 * a[i] + e1 * a1[i]) * (mv_end - mv[i])
            + d[i] * (h0 * ma[i] + h1 * ma1[i])
        )
        inertia = (1.0 - scheme.alpha_m) * ma1[i] + scheme.alpha_m * ma[i]
        inner = ku[i] + late * (kd + cv1[i]) + early * cv[i]
        outer = late * f1[i] + early * f[i] + r[i]
        stopping = stop * mv_end
        residual += (inertia + inner - outer) ** 2
        forces += inertia**2 + inner**2 + outer**2 + stopping**2 + ku[i] ** 2
        works += abs(d[i]) * (abs(ku[i]) + abs(f1[i]))
    parts[0], parts[1], parts[2], parts[3] = 0.5 * kinetic, elastic, 0.5 * load, 0.5 * damping
    parts[4], parts[5], parts[6], parts[7] = numerical, residual, forces, works
