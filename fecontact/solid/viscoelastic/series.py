"""Maxwell branches of the linear viscoelastic bodies of a model.

The stress is the sum of an elastic part and of branches, each with a relaxation time,

    σ = C₀ ε − Σ C_i (ε − ε_i),    ε̇_i = ε̇ − ε_i/τ_i,

where C₀ is the instantaneous stiffness and ε_i the elastic strain of a branch. For isotropic
materials C_i consists of the bulk modulus k_i K₀ and the shear modulus g_i G₀.

In plane stress σ_zz = 0 couples both moduli. In the Laplace domain, the in-plane dilatation has the
modulus

    β(s) = (σ_xx + σ_yy)/(ε_xx + ε_yy) = 18 K G/(3K + 4G),

a rational function of s. Its partial fractions are a Prony series again, with other relaxation
times. They are the zeros of 3K + 4G, the eigenvalues of a diagonal matrix with a rank-one change,
and those times τ_i at which both moduli relax. The in-plane shear relaxes with G.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fecontact.mesh.cells import Index
from fecontact.record import Array
from fecontact.solid.laws.law import Elastic
from fecontact.solid.laws.prony import Moduli, Prony
from fecontact.study.errors import InputError

NEGLIGIBLE = 1e-13  # relative to the instantaneous modulus: a branch that is round-off
AREAL = np.array([[0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
IN_PLANE_SHEAR = np.array([[1.0, -1.0, 0, 0], [-1.0, 1.0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1.0]])


def check_relaxation(state: Mapping[str, Array], own: Mapping[str, Array]) -> None:
    """Raise InputError if a state does not contain the history variables of these bodies."""
    for name, values in own.items():
        if name not in state or state[name].shape != values.shape:
            raise InputError(
                "initial_state: that run has other viscoelastic bodies. Use the same bodies."
            )


class Branch(NamedTuple):
    """Maxwell branches with one relaxation time (s): their stiffness (cells, 4, 4), Pa."""

    time: float
    stiffness: Array


def branches_of_cells(materials: Sequence[Elastic], body: Index, thins: bool) -> list[Branch]:
    """Return the branches of all linear viscoelastic bodies, by relaxation time.

    materials: materials of the bodies.
    body: (cells,) index of the body.
    thins: True in plane stress.
    """
    found: dict[float, Array] = {}
    for number, material in enumerate(materials):
        series = material.relaxation
        if series is None or not material.linear:
            continue
        own = material.instantaneous().stiffness()
        moduli = Moduli(float(own[0, 0] - 4 * own[3, 3] / 3), float(own[3, 3]))
        for time, stiffness in (_sheet if thins else _solid)(series, moduli):
            matrices = found.setdefault(time, np.zeros((len(materials), 4, 4)))
            matrices[number] += stiffness
    return [Branch(time, matrices[body]) for time, matrices in sorted(found.items())]


def _solid(series: Prony, moduli: Moduli) -> list[tuple[float, Array]]:
    """Return relaxation times and stiffnesses of the branches, (4, 4) each."""
    terms = zip(series.tau, series.bulk, series.g, strict=True)
    return [(t, Moduli(k * moduli.bulk, g * moduli.shear).stiffness()) for t, k, g in terms]


def _sheet(series: Prony, moduli: Moduli) -> list[tuple[float, Array]]:
    """Return the same in plane stress."""
    found = [
        (time, g * moduli.shear * IN_PLANE_SHEAR)
        for time, g in zip(series.tau, series.g, strict=True)
    ]
    return found + [(time, beta * AREAL) for time, beta in areal_series(series, moduli)]


def areal_series(series: Prony, moduli: Moduli) -> list[tuple[float, float]]:
    """Return relaxation times (s) and moduli (Pa) of the in-plane dilatation in plane stress.

    moduli: instantaneous.
    """
    instantaneous = 18 * moduli.bulk * moduli.shear / (3 * moduli.bulk + 4 * moduli.shear)
    if series.uniform:
        terms = zip(series.tau, series.g, strict=True)
        return [(time, g * instantaneous) for time, g in terms]
    relaxing = np.array([series.tau, series.bulk, series.g])
    relaxing = relaxing[:, relaxing[1:].any(axis=0)]
    rates, which = np.unique(1.0 / relaxing[0], return_inverse=True)
    bulk = moduli.bulk * np.bincount(which, relaxing[1])
    shear = moduli.shear * np.bincount(which, relaxing[2])
    whole = 3 * moduli.bulk + 4 * moduli.shear
    coupled = (3 * bulk + 4 * shear) * rates / whole
    zeros = np.linalg.eigvalsh(np.diag(rates) - np.sqrt(np.outer(coupled, coupled)))
    found = []
    for rate in zeros:
        share = rates / (rates - rate)
        k, g = moduli.bulk - bulk @ share, moduli.shear - shear @ share
        slope = (3 * bulk + 4 * shear) @ (rates / (rates - rate) ** 2)
        found.append((1.0 / rate, -18 * k * g / (rate * slope)))
    both = (bulk > 0.0) & (shear > 0.0)
    harmonic = 18 * bulk[both] * shear[both] / (3 * bulk[both] + 4 * shear[both])
    found += zip(1.0 / rates[both], harmonic, strict=True)
    return [(float(time), float(beta)) for time, beta in found if beta > NEGLIGIBLE * instantaneous]
