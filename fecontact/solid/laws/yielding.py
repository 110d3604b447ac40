"""What every law of bodies that yield is: small strains, and a memory at every point.

The stress depends on the strain and on what a point remembers of its past: its plastic strain and
the length of the way that one has gone, the equivalent plastic strain. So a law is its keys and one
function of arrays, which brings the stresses of many points back to where they may be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from fecontact.solid.laws.law import Elastic

if TYPE_CHECKING:
    from fecontact.record import Array


class Flow(NamedTuple):
    """What n points come to: stress (n, 4), Pa; plastic strain (n, 4) with γ_xy = 2 ε_xy; the
    equivalent plastic strain (n,); tangent ∂σ/∂ε (n, 4, 4), Pa, of the function that found them."""

    stress: Array
    plastic: Array
    equivalent: Array
    tangent: Array


class Yielding(Elastic):
    """The keys of materials that yield.

    flow: strain (n, 4), plastic strain (n, 4) and equivalent plastic strain (n,) at the begin of a
    step, and the law's own keys by name, (n,) each ↦ :class:`Flow` at its end.
    """

    linear: ClassVar[bool] = False
    return_map: ClassVar[Callable[..., Flow]]

    @property
    def locks(self) -> bool:
        return False

    def constants(self) -> dict[str, float]:
        """The numbers that `flow` takes besides strains."""
        common = {*Elastic.model_fields, "law"}
        return {name: getattr(self, name) for name in type(self).model_fields if name not in common}
