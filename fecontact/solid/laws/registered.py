"""User-defined stored energy, registered from Python and selected by name.

    def gent(F, shear, limit): …                 # ψ, Pa, in UFL
    fecontact.register_law("gent", gent)

and in the study: law = "registered", energy = "gent", values = { shear = …, limit = … }.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal

from fecontact.solid.laws.hyperelastic import Hyperelastic
from fecontact.study.base import Name, Number, Problem, in_toml, key, table, unknown
from fecontact.study.plugins import REGISTER, find, is_reading

if TYPE_CHECKING:
    from fecontact.record import Array

LAWS: dict[str, Callable[..., Any]] = {}
"""Registered energies by name."""

STEP = 1e-4  # of F, for derivatives of ψ in the reference configuration
AT_REST = 1e-5  # largest stress in the reference configuration, relative to the stiffness


def register_law(name: str, psi: Callable[..., Any]) -> None:
    """Register a stored energy for studies: F (UFL, 3 × 3) and constants by name ↦ ψ, Pa.

    >>> def neo(F, shear, bulk):
    ...     J = ufl.det(F)
    ...     return shear / 2 * (ufl.tr(F.T * F) - 3 - 2 * ufl.ln(J)) + bulk / 2 * (J - 1) ** 2
    >>> register_law("neo", neo)

    In a study: ``law = "registered"``, ``energy = "neo"``, ``values = {shear = 4e5, bulk = 2e6}``.
    """
    LAWS[name] = psi


class Registered(Hyperelastic):
    """User-defined hyperelastic law."""

    law: Literal["registered"] = key(
        "stored energy registered from Python (`fecontact.register_law`)"
    )
    energy: Name = key("registered name")
    values: dict[Name, Number] = table("constants of the energy by name, in SI units")

    @property
    def psi(self) -> Callable[..., Any]:  # type: ignore[override]
        """Return the registered function."""
        return LAWS[self.energy]

    def constants(self) -> dict[str, float]:
        return dict(self.values)

    def problems(self) -> Iterator[Problem]:
        yield from super().problems()
        if not find("laws", self.energy, LAWS):
            if not is_reading():
                yield ("energy",), unknown("registered law", self.energy, LAWS) + REGISTER
            return
        wanted = [*inspect.signature(self.psi).parameters][1:]
        for name in wanted:
            if name not in self.values:
                yield ("values",), f"has no {in_toml(name)}, which {in_toml(self.energy)} requires"
        for name in self.values:
            if name not in wanted:
                yield ("values", name), f"is not an argument of {in_toml(self.energy)}"

        if sorted(wanted) == sorted(self.values) and (wrong := self._stress_at_rest()):
            text = (
                f"is {in_toml(self.energy)}, which has a stress of {wrong:.3g} Pa in the "
                "undeformed state"
            )
            yield ("energy",), f"{text}. Change ψ such that its minimum is at F = I."

    def _energies(self, changes: Array) -> Array:
        """Return ψ at F = I + changes (n, 3, 3), Pa."""
        import numpy as np

        import ufl
        from ufl.algorithms.apply_algebra_lowering import apply_algebra_lowering

        gradients = np.eye(3) + changes
        found = [self.psi(ufl.as_matrix(f.tolist()), **self.values) for f in gradients]
        return np.array([float(apply_algebra_lowering(energy)(())) for energy in found])

    def _modes(self) -> Array:
        """Return small changes of F, (4, 3, 3): ε_xx, ε_yy, ε_zz, γ_xy."""
        import numpy as np

        modes = np.zeros((4, 3, 3))
        modes[[0, 1, 2], [0, 1, 2], [0, 1, 2]] = STEP
        modes[3, 0, 1] = modes[3, 1, 0] = STEP / 2
        return modes

    def _stress_at_rest(self) -> float:
        """Return the largest stress at F = I, Pa.

        Return 0 if it is negligible relative to the stiffness.
        """
        import numpy as np

        modes = self._modes()
        stress = np.abs(self._energies(modes) - self._energies(-modes)).max() / (2 * STEP)
        return float(stress) if stress > AT_REST * np.abs(self.stiffness()).max() else 0.0

    def stiffness(self) -> Array:
        """Return C at small strain, Pa, from differences of ψ."""
        import numpy as np

        modes = self._modes()
        pairs = modes[:, None] + modes, modes[:, None] - modes
        same, opposite, back, against = (
            self._energies(x.reshape(-1, 3, 3)).reshape(4, 4)
            for x in (pairs[0], pairs[1], -pairs[0], -pairs[1])
        )
        curvature: Array = same + back - opposite - against
        return np.asarray(curvature / (4 * STEP**2), dtype=np.float64)

    def compliance(self) -> Array:
        """Return S at small strain, 1/Pa."""
        import numpy as np

        return np.asarray(np.linalg.inv(self.stiffness()))

    def describe(self) -> str:
        return ", ".join([self.energy, *(f"{name} = {v:.3g}" for name, v in self.values.items())])
