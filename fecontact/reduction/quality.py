"""Quality of a reduction: neglected energy, residual of the recovered field, frequencies."""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.record import Scalar
from fecontact.reduction.basis import Basis

NEGLECTED = 0.05  # limit of the neglected energy, relative to the energy input


def scalars_of(basis: Basis, found: Array, energy: float) -> dict[str, Scalar]:
    """Return the scalars of a reduction.

    found: (2,) largest neglected energy, J, and residual over the forces; energy: energy input, J.
    """
    highest = np.sqrt(basis.omega2[basis.elastic].max(initial=0.0)) / (2.0 * np.pi)
    scalars = {
        "reduction.neglected_energy": Scalar(
            float(found[0]) / energy,
            "1",
            "largest energy of the neglected motion (of the massless interface: its kinetic "
            "energy), relative to the energy input",
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
