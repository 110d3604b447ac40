"""Reduction of a finite-element model; sweeps over other settings use it again."""

from __future__ import annotations

import hashlib

import numpy as np

from fecontact.arrays import Array
from fecontact.modal.wavelength import wavelength_in_elements
from fecontact.reduction.basis import Basis
from fecontact.reduction.craig_bampton import CraigBampton
from fecontact.reduction.free_interface import MacNeal, Rubin
from fecontact.reduction.massless import MasslessCraigBampton
from fecontact.reduction.model import ReducedSolid
from fecontact.reduction.modes import Demand
from fecontact.solid.conditions.interface import MAX_INTERFACE
from fecontact.solid.solid import Solid
from fecontact.study.errors import InputError
from fecontact.study.finite_element import FiniteElementStudy

METHODS: dict[str, type[CraigBampton] | type[Rubin]] = {
    "craig-bampton": CraigBampton,
    "massless-craig-bampton": MasslessCraigBampton,
    "rubin": Rubin,
    "macneal": MacNeal,
}
ELEMENTS = 4.0  # elements per wavelength of the highest mode, limit
STORED = 2  # reductions kept for the next model of this process

_stored: dict[str, Basis] = {}


def reduced(study: FiniteElementStudy, full: Solid) -> Solid:
    """Return the model of a study with its bodies reduced; the full model without reduced bodies.

    Collective. Raise InputError if the model cannot be reduced as requested.
    """
    if not study.reduced:
        return full
    name = study.reduced[0]
    choices = [body.reduction for body in study.bodies.values() if body.reduction is not None]
    number = None if choices[0].modes is None else sum(c.modes or 0 for c in choices)
    demand = Demand(number, choices[0].frequency, f"bodies.{name}.reduction")
    _check_sizes(full, demand)
    patterns = _directions(full)
    digest = _digest(full, patterns, f"{choices[0].method} {demand}")
    if digest not in _stored:
        basis = METHODS[choices[0].method](full, demand, patterns)
        _check_wavelength(full, basis, demand)
        while len(_stored) >= STORED:
            _stored.pop(next(iter(_stored)))
        _stored[digest] = basis
    return ReducedSolid(full, _stored[digest])


def _check_sizes(full: Solid, demand: Demand) -> None:
    """Raise InputError for an interface that is too long, or for more modes than dofs."""
    size = int(full.comm.allreduce(full.size))
    if full.surface.size > MAX_INTERFACE:
        raise InputError(
            f"{demand.where}: the interface has {full.surface.size} dofs (limit {MAX_INTERFACE}). "
            "Use a coarser contact edge or the full model."
        )
    inside = size - full.surface.size
    if demand.number is not None and demand.number > inside:
        raise InputError(
            f"{demand.where}.modes is {demand.number}, but the body has only {inside} dofs besides "
            f"its {full.surface.size} interface dofs. Reduce it."
        )


def _check_wavelength(full: Solid, basis: Basis, demand: Demand) -> None:
    """Raise InputError if the mesh does not resolve a requested frequency. Collective."""
    highest = np.flatnonzero(basis.elastic)
    if demand.frequency is None or not len(highest):
        return
    shape = full.comm.bcast(full.spread(basis.modes[highest[-1]].copy()))
    waves = wavelength_in_elements(full.mesh, shape)
    if waves < ELEMENTS:
        raise InputError(
            f"{demand.where}.frequency is {demand.frequency:g} Hz, which the mesh does not "
            f"resolve: the highest mode has {waves:.1f} elements per wavelength (limit "
            f"{ELEMENTS:g}). Refine the mesh or reduce the frequency."
        )


def _directions(full: Solid) -> Array:
    """Return the load patterns (p, size) with the norm 1, without those that are zero."""
    patterns = full.load_patterns
    if not len(patterns):
        return np.zeros((0, full.size))
    length = np.sqrt(full.total(np.einsum("ij,ij->i", patterns, patterns)))
    acting = length > 0.0
    # Round-off of other load factors must not make another reduction necessary.
    return np.asarray(np.round(patterns[acting] / length[acting, None], 12))


def _digest(full: Solid, patterns: Array, choice: str) -> str:
    """Return a name of the reduction: matrices, interface, loads and choice. Collective."""
    matrices, _, contact, _ = full.parts()
    own = hashlib.blake2b(choice.encode())
    for matrix in matrices:
        for part in () if matrix is None else matrix.getValuesCSR():
            own.update(np.ascontiguousarray(part).tobytes())
    for part in (contact.mine, contact.local, patterns):
        own.update(np.ascontiguousarray(part).tobytes())
    every = full.comm.allgather(own.hexdigest())
    return hashlib.blake2b("".join(every).encode()).hexdigest()
