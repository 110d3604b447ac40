"""Base of the elastoplastic laws: small strain, with history variables at every point.

The stress depends on the strain and on the history variables of a point: the plastic strain and the
equivalent plastic strain, its accumulated magnitude. A law consists of its keys, one
return-mapping function of arrays for many points, and its plastic work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from fecontact.solid.laws.law import Elastic

if TYPE_CHECKING:
    from fecontact.record import Array


class Flow(NamedTuple):
    """Result of the return mapping of n points.

    Stress (n, 4), Pa; plastic strain (n, 4) with γ_xy = 2 ε_xy; equivalent plastic strain (n,);
    consistent tangent ∂σ/∂ε (n, 4, 4), Pa.
    """

    stress: Array
    plastic: Array
    equivalent: Array
    tangent: Array


class Yielding(Elastic):
    """Common keys of elastoplastic materials.

    return_map: strain (n, 4), plastic strain (n, 4) and equivalent plastic strain (n,) at the start
        of a step, and the keys of the law by name, (n,) each ↦ :class:`Flow` at its end.
    plastic_work: equivalent plastic strain ᾱ (n,) and the keys ↦ ∫ q dᾱ (n,), J/m³, with the flow
        stress q.
    """

    linear: ClassVar[bool] = False
    return_map: ClassVar[Callable[..., Flow]]
    plastic_work: ClassVar[Callable[..., Array]]

    @property
    def locks(self) -> bool:
        return False

    def constants(self) -> dict[str, float]:
        """Return the arguments of `return_map` besides strains."""
        common = {*Elastic.model_fields, "law"}
        return {name: getattr(self, name) for name in type(self).model_fields if name not in common}
