"""Modes of a model about the present state of its time loop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.dynamics.loop import TimeLoop
from fecontact.modal.closed import closed_contact
from fecontact.modal.linear import LinearisedModel
from fecontact.modal.real import real_modes
from fecontact.modal.rigid import rigid_modes
from fecontact.modal.sliding import complex_modes
from fecontact.modal.wavelength import wavelength_in_elements
from fecontact.record import ModeSet, RunWarning, wrong
from fecontact.solid.solid import Solid
from fecontact.study.errors import InputError
from fecontact.study.models.modes import Modes

RESOLVED = 0.02  # estimated relative error of a frequency, limit of the warning
RESIDUAL = 1e-6  # largest relative residual of a mode


@dataclass(frozen=True)
class _Found:
    """Eigenvalues λ (n,), 1/s, and shapes (n, size) on this rank."""

    values: np.ndarray
    shapes: np.ndarray


def modes_of(solid: Solid, loop: TimeLoop, settings: Modes, computed: bool) -> ModeSet:
    """Return the modes about the present state. Collective.

    computed: True if the contact statuses come from a step, False at t = 0.
    """
    bulk, u, t = loop.bulk, loop.now.u, loop.time
    if bulk.nonlinear:
        bulk.hold(t)
        force = np.empty(bulk.size)
        bulk.internal(u, force)
        bulk.linearise(u, force)
    contact, friction = loop.contact, settings.sliding
    if friction and not computed:
        raise InputError(
            'modes.sliding needs a sliding equilibrium. Set modes.at = "end" and let the study '
            "compute one."
        )
    closed = closed_contact(contact, settings.contact, computed, friction)
    dofs: Integers = np.zeros(0, np.int64)
    block: Array = np.zeros((0, 0))
    if computed and closed.count and contact.force.any():
        geometric = contact.current_geometric_stiffness()
        dofs, block = geometric.dofs, geometric.block
        if not friction:
            block = 0.5 * (block + block.T)
    model = LinearisedModel(bulk, closed, dofs, block)
    field = solid.nodal(u[: solid.size], t)
    position = solid.mesh.points + solid.comm.bcast(field)
    rigid = rigid_modes(model, solid, position)
    if friction:
        found = _Found(*complex_modes(model, rigid.shapes, settings.number, solid.comm))
    else:
        omega2, shapes = real_modes(model, rigid.shapes, settings.number, solid.comm)
        roots = np.sqrt(np.abs(omega2))
        found = _Found(np.where(omega2 >= 0.0, 1j * roots, roots), shapes)
    modes = _mode_set(model, solid, found, friction)
    modes.rigid, modes.time, modes.contact = rigid.names, t, settings.contact
    modes.tied, modes.sliding = closed.tied, closed.sliding
    modes.mesh_error = _mesh_errors(solid, loop, found, friction)
    modes.warnings = [*_instabilities(modes, found, friction), *_unresolved(modes)]
    if friction and not closed.sliding:
        modes.warnings.append(
            RunWarning(
                "modes.sliding: no contact node slides in this state, so friction has no effect on "
                "the modes. Remove modes.sliding, or use a state in which nodes slide."
            )
        )
    return modes


def _mode_set(model: LinearisedModel, solid: Solid, found: _Found, complex_: bool) -> ModeSet:
    """Return the numbers of the modes, with shapes whose largest component is 1."""
    values, shapes = found.values, found.shapes
    nodal = np.array([_spread(solid, shape) for shape in shapes])
    nodal = np.asarray(solid.comm.bcast(nodal)).reshape(len(values), -1, 2)
    flat = nodal.reshape(len(values), -1)
    largest = flat[np.arange(len(flat)), np.abs(flat).argmax(axis=1)]
    scale = 1.0 / np.where(largest == 0.0, 1.0, largest)
    shapes = shapes * scale[:, None]
    total = model.bulk.total
    real, imaginary = shapes.real.copy(), shapes.imag.copy()
    weighted = np.array([model.mass(x) for x in real])
    mass = np.einsum("ij,ij->i", real, weighted)
    mass += np.array([x @ model.mass(x) for x in imaginary]) if complex_ else 0.0
    mass = total(mass)
    growth = np.where(np.abs(values) > 0.0, values.real, 0.0)
    damping = -growth / np.abs(values).clip(1e-300)
    effective: Array = np.zeros((0, 2))
    moving: Array = np.zeros(0)
    if not complex_:
        effective, moving = _effective(model, solid, weighted, mass)
        damped = np.array([x @ model.damping(x) for x in real]) if model.bulk.has_damping else 0.0
        damping = total(damped + np.zeros(len(mass))) / (2.0 * np.abs(values) * mass).clip(1e-300)
    return ModeSet(
        frequency=np.abs(values.imag) / (2.0 * np.pi),
        growth=growth if complex_ else None,
        damping=damping,
        shapes=(nodal * scale[:, None, None]) if complex_ else (nodal * scale[:, None, None]).real,
        mass=mass,
        effective=effective,
        moving=moving,
        mesh_error=np.zeros(0),
        rigid=[],
        time=0.0,
        contact="",
        tied=0,
        sliding=0,
        mesh=solid.mesh,
    )


def _spread(solid: Solid, shape: np.ndarray) -> np.ndarray:
    """Return a shape at all nodes, (N, 2), on rank 0. Collective."""
    own = shape[: solid.size]
    if not np.iscomplexobj(own):
        return solid.spread(own)
    real = solid.spread(np.ascontiguousarray(own.real))
    return np.asarray(real + 1j * solid.spread(np.ascontiguousarray(own.imag)))


def _effective(
    model: LinearisedModel, solid: Solid, weighted: Array, mass: Array
) -> tuple[Array, Array]:
    """Return effective masses (n, 2) and the mass of the free dofs (2,), kg."""
    units = np.zeros((2, model.size))
    for axis in range(2):
        field = np.zeros(solid.mesh.points.shape)
        field[:, axis] = 1.0
        units[axis, : solid.size] = solid.at_free_dofs(field)
    total = model.bulk.total
    excited = total(np.ascontiguousarray(weighted @ units.T).ravel()).reshape(-1, 2)
    moving = total(np.array([x @ model.mass(x) for x in units]))
    return excited**2 / mass[:, None], moving


def _mesh_errors(solid: Solid, loop: TimeLoop, found: _Found, complex_: bool) -> Array:
    """Return half the relative error of each mode's strain energy, estimated from the jumps of its
    stress; empty for models whose stress is not linear in u.
    """
    if loop.bulk.nonlinear or solid.yields:
        return np.zeros(0)
    still = np.zeros(solid.size)
    if solid.energy_error_estimate(still, loop.time).any():  # prescribed dofs have moved
        return np.zeros(0)
    errors = []
    for shape in found.shapes:
        parts = [np.ascontiguousarray(shape.real[: solid.size])]
        if complex_:
            parts.append(np.ascontiguousarray(shape.imag[: solid.size]))
        added, energy = np.sum(
            [solid.energy_error_estimate(x, loop.time) for x in parts], axis=(0, 1)
        )
        errors.append(0.5 * added / energy if energy > 0.0 else 0.0)
    return np.array(errors)


def _instabilities(modes: ModeSet, found: _Found, complex_: bool) -> list[RunWarning]:
    """Return a warning if the state is unstable."""
    if complex_:
        return []
    negative = int(np.sum((found.values.imag == 0.0) & (found.values.real > 0.0)))
    if not negative:
        return []
    return [
        wrong(
            f"modes: {negative} modes have ω² < 0: the state at t = {modes.time:g} s is an "
            "unstable equilibrium. Reduce the load or support the bodies."
        )
    ]


def _unresolved(modes: ModeSet) -> list[RunWarning]:
    """Return a warning for modes that the mesh does not resolve."""
    coarse = np.flatnonzero(modes.mesh_error > RESOLVED)
    if not len(coarse) or modes.mesh is None:
        return []
    worst = int(coarse[modes.mesh_error[coarse].argmax()])
    several = f"modes {coarse[0] + 1} to {coarse[-1] + 1}" if len(coarse) > 1 else "1 mode"
    error = 100 * min(modes.mesh_error[worst], 0.5)
    waves = wavelength_in_elements(modes.mesh, np.asarray(modes.shapes[worst]))
    return [
        RunWarning(
            f"modes: the mesh does not resolve {several}: the frequency of mode {worst + 1} "
            f"({modes.frequency[worst]:.4g} Hz) is too high by about {error:.2g} % or more (limit "
            f"{100 * RESOLVED:g} %), with about "
            f"{waves:.1f} elements per wavelength. Refine the mesh or reduce modes.number."
        )
    ]
