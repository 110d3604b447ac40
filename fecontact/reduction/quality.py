"""Quality of a reduction: neglected energy, residual of the recovered field, frequencies."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.record import Scalar
from fecontact.reduction.basis import Basis

NEGLECTED = 0.01  # limit of the relative neglected energy: amplitudes are its root, 10 %
RIGID = 1e-9  # strain energy over energy input, below which a body does not deform


def scalars_of(basis: Basis, found: Array, energy: float) -> dict[str, Scalar]:
    """Return the scalars of a reduction.

    found: (3,) largest neglected energy, J, residual over the forces and strain energy, J;
    energy: energy input, J.

    The energy input of a long slide or of a fast body is far larger than the energy of its
    deformation, in which contact forces and stresses are accurate or not.
    """
    highest = np.sqrt(basis.omega2[basis.elastic].max(initial=0.0)) / (2.0 * np.pi)
    scalars = {
        "reduction.neglected_energy": Scalar(
            float(found[0]) / max(float(found[2]), RIGID * energy),
            "1",
            "largest energy of the neglected motion (of the massless interface: its kinetic "
            "energy), relative to the largest strain energy",
            NEGLECTED,
        ),
        "reduction.residual": Scalar(
            float(found[1]), "1", "largest residual of the recovered field, relative to the forces"
        ),
        "reduction.frequency": Scalar(float(highest), "Hz", "highest frequency of the modes"),
    }
    if np.isfinite(basis.neglected):
        lowest = np.sqrt(basis.neglected) / (2.0 * np.pi)
        scalars["reduction.neglected_frequency"] = Scalar(
            float(lowest), "Hz", "lowest frequency of the neglected modes"
        )
    return scalars


def note_on(basis: Basis, dofs: int, step: float) -> str:
    """Return a description of the reduction; dofs: of the full model; step: s."""
    modes = int(np.count_nonzero(basis.elastic))
    rigid = int(np.count_nonzero(basis.omega2 == 0.0))
    static = len(basis.omega2) - modes - rigid
    highest = np.sqrt(basis.omega2[basis.elastic].max(initial=0.0)) / (2.0 * np.pi)
    parts = [f"{basis.interface} interface dofs", f"{modes} modes"]
    parts += [f"{rigid} rigid-body modes"] if rigid else []
    parts += [f"{static} static vectors of loads"] if static else []
    neglected = "all modes are retained"
    if np.isfinite(basis.neglected):
        neglected = f"neglected above {np.sqrt(basis.neglected) / (2.0 * np.pi):.4g} Hz"
    return (
        f"reduction: {basis.size} coordinates ({', '.join(parts)}) instead of {dofs} dofs; modes "
        f"up to {highest:.4g} Hz, {neglected}; {1.0 / (highest * step) if highest else np.inf:.3g} "
        "steps per period of the highest mode"
    )
