"""Base of the material laws: a settings table with common keys, and two matrices.

Stresses (σ_xx, σ_yy, σ_zz, σ_xy) and strains (ε_xx, ε_yy, ε_zz, γ_xy), with γ_xy = 2 ε_xy, are
three-dimensional. Material properties are symmetric about the x-y plane, so that no out-of-plane
shear occurs. The measure (`fecontact.solid.fem.measures`), not the law, treats the third direction
(plane strain, plane stress). A finite-strain law also has a stored energy
(`fecontact.solid.laws.hyperelastic`), an elastoplastic law history variables
(`fecontact.solid.laws.yielding`); their two matrices are those of small strain.

Laws import numpy inside functions, so that commands that only read a study start without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

from fecontact.solid.laws.prony import Moduli, Prony
from fecontact.study.base import Number, StudyModel, si

if TYPE_CHECKING:
    from fecontact.record import Array


def pascals(value: float) -> str:
    """Return a modulus or a stress, Pa, with an SI prefix: `210 GPa`."""
    prefixes = {9: "G", 6: "M", 3: "k", 0: ""}
    power = next(p for p in prefixes if p == 0 or abs(value) >= 10.0**p)
    return f"{value / 10.0**power:.4g} {prefixes[power]}Pa"


class Law(Protocol):
    """Linear elasticity, σ = C ε and ε = S σ; both matrices (4, 4), symmetric, C = S⁻¹."""

    def stiffness(self) -> Array:
        """Return C, Pa."""

    def compliance(self) -> Array:
        """Return S, 1/Pa."""


class Elastic(StudyModel):
    """Common keys of all materials: density and Rayleigh damping.

    C = rayleigh_mass·M + rayleigh_stiffness·K.

    finite: True for finite-strain laws.
    linear: True if the stress is C ε at any strain.
    small_strain: True if the law is accurate at small strain only.
    """

    finite: ClassVar[bool] = False
    linear: ClassVar[bool] = True
    small_strain: ClassVar[bool] = True

    density: Number = si("kg/m³", "density ρ; 0 is allowed for a fixed body", ge=0)
    rayleigh_mass: Number = si("1/s", "mass-proportional Rayleigh damping", 0.0, ge=0)
    rayleigh_stiffness: Number = si("s", "stiffness-proportional Rayleigh damping", 0.0, ge=0)

    @property
    def locks(self) -> bool:
        """Return True if the volume is constrained at each point instead of on average over a cell.

        For nearly incompressible bodies, `quad4` elements then lock.
        """
        return True

    def compliance(self) -> Array:
        """Return S of :class:`Law`, 1/Pa."""
        raise NotImplementedError

    def stiffness(self) -> Array:
        """Return C of :class:`Law`, Pa."""
        import numpy as np

        return np.asarray(np.linalg.inv(self.compliance()), dtype=np.float64)

    @property
    def relaxation(self) -> Prony | None:
        """Return the Prony series of a viscoelastic material, otherwise None."""
        return getattr(self, "prony", None)

    def instantaneous(self) -> Law:
        """Return the linear elasticity with the instantaneous moduli."""
        if self.relaxation is None:
            return self
        matrix, (shear, bulk) = self.stiffness(), self.relaxation.scales
        own = float(matrix[3, 3])
        return Moduli(bulk * float(matrix[0, 0] - 4 * own / 3), shear * own)

    @property
    def yields_at(self) -> float | None:
        """Return the yield stress, Pa, for comparison with von Mises stresses; None if unknown."""
        return getattr(self, "yield_stress", None)

    def describe(self) -> str:
        """Return a short text of the elastic constants, for legends."""
        raise NotImplementedError
