"""Modes of a reduced model: by number or up to a frequency, and the first neglected one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.sparse

from mpi4py import MPI

from fecontact.arrays import Array
from fecontact.bulk import Bulk
from fecontact.modal.closed import Constraints
from fecontact.modal.linear import LinearisedModel
from fecontact.modal.real import lowest_modes
from fecontact.study.errors import InputError
from fecontact.study.models.modes import MAX_MODES

FIRST = 16  # modes computed first if a frequency is given; then twice as many, and so on
# fraction of the strain energy of a load: smaller parts outside the modes are round-off
NEGLIGIBLE = 1e-10


@dataclass(frozen=True)
class Demand:
    """Requested modes: their number, or the highest frequency, Hz; `where` is the study key."""

    number: int | None
    frequency: float | None
    where: str


@dataclass(frozen=True)
class Modes:
    """M-orthonormal shapes (k, size) on this rank with ω² (k,), 1/s², ascending.

    neglected: ω² of the next mode, infinite if all modes are retained.
    """

    shapes: Array
    omega2: Array
    neglected: float


def without_contact(bulk: Bulk) -> LinearisedModel:
    """Return the linearised equations of a model with open contact."""
    size = bulk.surface.size
    none = Constraints(
        scipy.sparse.csr_array((0, size)), scipy.sparse.csr_array((size, 0)), np.zeros(0), 0, 0
    )
    return LinearisedModel(bulk, none, np.zeros(0, np.int64), np.zeros((0, 0)))


def requested_modes(model: LinearisedModel, rigid: Array, demand: Demand, comm: MPI.Comm) -> Modes:
    """Return the requested modes; rigid: rigid-body modes, which are not among them. Collective.

    Raise InputError if the model has fewer modes.
    """
    number = demand.number if demand.number is not None else FIRST
    while True:
        omega2, shapes = lowest_modes(model, rigid, number + 1, comm)
        if demand.number is not None:
            break
        limit = (2.0 * np.pi * (demand.frequency or 0.0)) ** 2
        kept = int(np.searchsorted(omega2, limit))
        if kept < len(omega2) or len(omega2) <= number:
            number = kept
            break
        number = 2 * number
        if number > MAX_MODES:
            raise InputError(
                f"{demand.where}.frequency is {demand.frequency:g} Hz; more than {MAX_MODES} modes "
                "lie below it. Reduce it."
            )
    if demand.number is not None and len(omega2) < number:
        raise InputError(
            f"{demand.where}.modes is {number}, but the body has only {len(omega2)} modes. Set it "
            f"to {len(omega2)} or less."
        )
    if number == 0:
        lowest = f"{np.sqrt(omega2[0]) / (2.0 * np.pi):.4g} Hz" if len(omega2) else "none"
        raise InputError(
            f"{demand.where}.frequency is {demand.frequency:g} Hz, below the lowest natural "
            f"frequency of the model ({lowest}). Increase it, or set `modes`."
        )
    neglected = float(omega2[number]) if len(omega2) > number else np.inf
    return Modes(shapes[:number], omega2[:number], neglected)


def ritz_vectors(model: LinearisedModel, static: Array) -> tuple[Array, Array]:
    """Return M- and K-orthogonal vectors (p, size) of the span of static displacements, with their
    ω² (p,). Collective.

    static: (p, size) static displacements, M-orthogonal to all modes. Vectors without a part of
    their own are left out, for example those of a load that acts on interface dofs only.
    """
    total = model.bulk.total
    static = static[total(np.abs(static).sum(axis=1)) > 0.0]
    if not len(static):
        return static, np.zeros(0)
    forces = np.array([model.stiffness(x) for x in static])
    weighted = np.array([model.mass(x) for x in static])
    k: Array
    m: Array
    k, m = (
        total(np.ascontiguousarray(static @ y.T).ravel()).reshape(len(static), len(static))
        for y in (forces, weighted)
    )
    scale = 1.0 / np.sqrt(np.diag(k).clip(1e-300))
    k, m = (0.5 * (x + x.T) * np.outer(scale, scale) for x in (k, m))
    energy, axes = np.linalg.eigh(k)
    own = energy > NEGLIGIBLE * energy[-1]
    base = axes[:, own] / np.sqrt(energy[own])
    theta, turned = scipy.linalg.eigh(base.T @ m @ base)
    heavy = theta > 1e-14 * theta[-1]
    vectors = scale[:, None] * (base @ (turned[:, heavy] / np.sqrt(theta[heavy])))
    return np.ascontiguousarray(vectors.T @ static), 1.0 / theta[heavy]
