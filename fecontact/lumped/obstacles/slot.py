"""`slot`: two parallel faces with separate clearances to the mass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fecontact.lumped.obstacles.flat import Flat
from fecontact.study.base import Number, key, si

if TYPE_CHECKING:
    from fecontact.arrays import Array


class Slot(Flat):
    """Two faces, one ahead of the mass and one behind it, with separate clearances.

    Examples are a key in its keyway, a gate between stops and a worn guide, where the travel of the
    mass is measured and not the position of the centre. Contact where normal·u > ahead or −normal·u
    > behind.
    """

    type: Literal["slot"] = key("two fixed parallel planes with different gaps")
    ahead: Number = si("m", "gap of the undisplaced mass along the normal", ge=0)
    behind: Number = si("m", "gap of the undisplaced mass against the normal", ge=0)

    def clearances(self, away: Array) -> tuple[float, float]:
        return self.ahead, self.behind
