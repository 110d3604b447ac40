"""What of the contact surfaces is known at all times, whatever the nodes do: how thick slave sides
are beyond their mesh.

    δ(s, t) = offset(s) · offset_function(t),   gap = that of the meshes − δ

Where δ changes in a step it does work on what it presses against, as a moving support does.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.setup import Arrangement, Pair


class Prescribed:
    """The prescribed thickness of the slave sides of all pairs; varies: whether it does in time."""

    def __init__(self, pairs: list[Pair], arrangement: Arrangement) -> None:
        edges = [arrangement.edges[pair.name] for pair in pairs]
        self._parts = [
            (edge.multipliers, pair.settings.offset_at(edge.arc), pair.offset_in_time)
            for pair, edge in zip(pairs, edges, strict=True)
        ]
        self._size = len(arrangement.pair)
        self.varies = any(factor is not None for *_, factor in self._parts)

    def thickness(self, t: float) -> Array:
        """(m,) at a time, m; 0 of master vertices."""
        out = np.zeros(self._size)
        for where, values, factor in self._parts:
            out[where] = values if factor is None else factor(t) * values
        return out
