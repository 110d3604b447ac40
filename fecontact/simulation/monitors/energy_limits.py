"""Quality limits of the energy of a dynamic run: spurious gain and loss, and unresolved vibration.

With h the step, A = ½ [v]·M[v] of the change of velocity in it and the kinetic energy T, an
oscillator of angular frequency ω has A = (ωh)² T in the mean. A state with A > 2 T is unresolved.
The measure is the kinetic energy of the unresolved states of a run, in the mean over all its states
and relative to the energy put in: 0.05 of an undamped oscillator with ωh = 1, 0.15 with ωh = 2
(three steps in a period), ½ at most.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fecontact.arrays import Array
from fecontact.dynamics.loop import TimeLoop
from fecontact.dynamics.schemes import Scheme
from fecontact.record import RunWarning, Scalar, wrong
from fecontact.simulation.output.totals import Totals

MIDWAY = 0.3  # α_f: with more, forces act near the middle of a step, as those of contact do
DOUBTFUL = 0.05  # of the energy put in: resolved impacts and friction make 0.002 of it
MADE = 0.1  # largest spurious energy gain, relative to the energy put in
LOST = 0.35  # largest energy loss by scheme and impacts, relative to the energy put in
FEWEST = 10  # states from which the resolution of a run is judged
AT_REST = 1e-3  # of the energy put in: less kinetic energy is rest
SETTLING = 8.0  # times the elastic energy at rest: the work at twice the static deflection is 4
UNRESOLVED = 0.15  # largest mean kinetic energy of unresolved states, relative likewise


class Resolution:
    """Samples of a run so far; sum: A and T of the unresolved states, J, and number of states."""

    def __init__(self) -> None:
        self.sum: Array = np.zeros(3)

    def sample(self, loop: TimeLoop, step: float) -> None:
        """Take account of a step of the given size, s. Collective."""
        if loop.scheme.inertia and step > 0.0:
            now, before = loop.now, loop.before
            change = float((now.v - before.v) @ (now.mv - before.mv))
            halves = 0.5 * np.array([change, float(now.v @ now.mv)])
            change, kinetic = loop.bulk.total(halves)
            self.sum += (change, kinetic, 1.0) if change > 2.0 * kinetic else (0.0, 0.0, 1.0)

    @property
    def mean(self) -> float:
        """The mean kinetic energy of unresolved states, J."""
        return float(self.sum[1] / self.sum[2]) if self.sum[2] >= FEWEST else 0.0

    @property
    def steps(self) -> float:
        """The number of steps in a period of the unresolved motion."""
        return float(2.0 * np.pi * np.sqrt(self.sum[1] / self.sum[0]))


def has_settled(loop: TimeLoop, totals: Totals) -> bool:
    """Return True if a run has done no more than settle into the equilibrium of its loads.

    A load that is applied suddenly does twice the work of the elastic energy of its equilibrium.
    The rest is vibration that decays: how it does so is not what such a run is for.
    """
    ledger = loop.ledger
    elastic = ledger.strain + ledger.springs + ledger.contact
    return ledger.kinetic <= AT_REST * totals.put_in <= AT_REST * SETTLING * elastic


def energy_scalars(totals: Totals, resolution: Resolution, settled: bool) -> dict[str, Scalar]:
    """Return the energy errors of a dynamic run, with their limits; settled: see has_settled."""
    share = totals.share
    if settled:
        unlimited = energy_scalars(totals, resolution, False)
        return {name: replace(scalar, limit=None) for name, scalar in unlimited.items()}
    return {
        "energy.gain": Scalar(
            share(totals.made),
            "1",
            "largest energy that scheme and contact have made, relative to the energy put in",
            MADE,
        ),
        "energy.loss": Scalar(
            share(totals.lost),
            "1",
            "energy dissipated by the time scheme and by impacts, relative to the energy put in",
            LOST,
        ),
        "time.resolution": Scalar(
            share(resolution.mean),
            "1",
            "mean kinetic energy of vibration that the steps do not resolve, relative to the "
            "energy put in",
            UNRESOLVED,
        ),
    }


def energy_warnings(
    scheme: Scheme, totals: Totals, resolution: Resolution, settled: bool
) -> list[RunWarning]:
    """Return warnings on energy that a dynamic run has made or lost, and on vibrations that its
    steps do not resolve; none if it has settled."""
    if settled:
        return []
    return [*_made(scheme, totals), *_lost(scheme, totals), *_unresolved(totals, resolution)]


def _made(scheme: Scheme, totals: Totals) -> list[RunWarning]:
    share = totals.share(totals.made)
    if share <= DOUBTFUL:
        return []
    coefficients, massless = scheme.coefficients(), scheme.on_impact.massless_contact_nodes
    cures = []
    if not massless:
        cures.append('take the mass off the contact nodes with time.impact = "redistributed-mass"')
    if coefficients.a_v != 0.0 and coefficients.alpha_f < MIDWAY:
        cures.insert(0, 'set time.scheme = "generalized-alpha"')
    if massless:
        cures.append("shorten time.step")
    if coefficients.a_v != 0.0:  # of backward Euler it is
        cures.append('dissipate the energy with time.scheme = "implicit-euler"')
    text = (
        f"energy.gain: the time scheme creates energy in impacts: {totals.made:.3g} J up to t = "
        f"{totals.made_at:.4g} s, {share:.2g} of the energy put in: {', or '.join(cures)}"
    )
    return [RunWarning(text, "not trusted" if share > MADE else "worth a look")]


def _lost(scheme: Scheme, totals: Totals) -> list[RunWarning]:
    share = totals.share(totals.lost)
    if share <= LOST:
        return []
    return [
        wrong(
            f"energy.loss: the time scheme and the landing of contact nodes dissipate "
            f"{totals.lost:.3g} J up to t = {totals.lost_at:.4g} s, {share:.2g} of the energy put "
            f"in, limit {LOST:.2g}: vibrations and rebounds are lost. Shorten time.step, choose a "
            "scheme with less numerical damping, give the material its own damping, or find an "
            'equilibrium with time.scheme = "static"'
        )
    ]


def _unresolved(totals: Totals, resolution: Resolution) -> list[RunWarning]:
    share = totals.share(resolution.mean)
    if share <= UNRESOLVED:
        return []
    steps = resolution.steps
    return [
        wrong(
            f"time.step: the vibration that carries the energy has only about {steps:.2g} steps in "
            f"a period: its frequency and its phase are wrong. Shorten time.step to "
            f"1/{np.ceil(20.0 / steps):g} of it"
        )
    ]
