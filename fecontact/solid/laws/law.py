"""What every material law is: a settings table with common keys, and two matrices.

Stresses (σ_xx, σ_yy, σ_zz, σ_xy) and strains (ε_xx, ε_yy, ε_zz, γ_xy), with γ_xy = 2 ε_xy, are
those of a body in space whose properties are symmetric about the x-y plane, so that no shear out of
the plane arises. What the third direction does (plane strain, plane stress) is not the law's
affair but the measure's (`fecontact.solid.fem.measures`). A law of finite strain has a stored
energy besides (`fecontact.solid.laws.hyperelastic`), one of bodies that yield a memory
(`fecontact.solid.laws.yielding`); their two matrices are those of small strains.

A law imports numpy where it makes a matrix, not at its head: commands that only read a study start
without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

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
        """C, Pa."""

    def compliance(self) -> Array:
        """S, 1/Pa."""


class Elastic(StudyModel):
    """The keys that materials of every law have: density and Rayleigh damping.

    C = rayleigh_mass·M + rayleigh_stiffness·K. finite: whether strains may be large; linear:
    whether the stress is C ε at any strain.
    """

    finite: ClassVar[bool] = False
    linear: ClassVar[bool] = True

    density: Number = si("kg/m³", "density ρ; 0 is allowed for a fixed body", ge=0)
    rayleigh_mass: Number = si("1/s", "mass-proportional Rayleigh damping", 0.0, ge=0)
    rayleigh_stiffness: Number = si("s", "stiffness-proportional Rayleigh damping", 0.0, ge=0)

    @property
    def locks(self) -> bool:
        """Whether cells keep their volume at each point, not on the whole: of a body that hardly
        changes its volume QUAD4 are far too stiff then."""
        return True

    def compliance(self) -> Array:
        """S of :class:`Law`, 1/Pa."""
        raise NotImplementedError

    def stiffness(self) -> Array:
        """C of :class:`Law`, Pa."""
        import numpy as np

        return np.asarray(np.linalg.inv(self.compliance()), dtype=np.float64)

    @property
    def yields_at(self) -> float | None:
        """The yield stress, Pa, to which von Mises stresses are compared; None if not known."""
        return getattr(self, "yield_stress", None)

    def in_words(self) -> str:
        """The elastic constants in a few words, for legends."""
        raise NotImplementedError
