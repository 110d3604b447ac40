"""`continuous`: pressures interpolated on the slave edge, the constraint integrated over it.

    p = Σ p_j ψ_j,   0 ≤ p_j ⟂ ∫ ψ_j g ds ≥ 0

with functions ψ_j biorthogonal to the shape functions of the edge
(:mod:`fecontact.contact.interface.points`). It passes the contact patch test on meshes that do not
match."""

from __future__ import annotations

from typing import ClassVar, Literal

from fecontact.contact.methods.base import ContactMethod
from fecontact.study.base import key


class Continuous(ContactMethod):
    """Pressures interpolated on the slave edge, the constraint integrated over it."""

    integrated: ClassVar[bool] = True

    method: Literal["continuous"] = key(
        "segment-based (mortar-type): pressures interpolated on the slave edge, "
        "constraint integrated over it"
    )
    quadrature: int = key("Gauss points per slave edge", 3, ge=1, le=20)

    @property
    def gauss_points(self) -> int:
        return self.quadrature
