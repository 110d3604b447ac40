"""What of the contact surfaces is known before a step, whatever the nodes do in it: how thick slave
sides are beyond their mesh.

    δ(s, t) = offset(s) · offset_function(t) − worn depth,   gap = that of the meshes − δ

Where δ changes in a step it does work on what it presses against, as a moving support does. The
worn depth is that of all steps before (Archard: wear times ∫ pressure · |d slip|, where
`wear_opens_gap`), so that a step wears with the pressures it begins with: an explicit rule, stable
as long as a step wears off less than the pressure squeezes the node's edge together.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.setup import Arrangement, Pair


class Prescribed:
    """The thickness of the slave sides of all pairs; varies: whether it does in time; wears: by
    how much of the wear energy it falls, (m,) 1/Pa."""

    def __init__(self, pairs: list[Pair], arrangement: Arrangement) -> None:
        edges = [arrangement.edges[pair.name] for pair in pairs]
        self._parts = [
            (edge.multipliers, pair.settings.offset_at(edge.arc), pair.offset_in_time)
            for pair, edge in zip(pairs, edges, strict=True)
        ]
        opens = np.array([pair.settings.wear_opens_gap for pair in pairs], bool)
        self.wears = np.where(opens[arrangement.pair], arrangement.wear, 0.0)
        self.wears[arrangement.slaves :] = 0.0  # the wear of a vertex is that of the slaves around
        self.varies = any(factor is not None for *_, factor in self._parts) or bool(opens.any())

    def thickness(self, t: float, wear_energy: Array) -> Array:
        """(m,) at a time, m, after a wear energy (m,) in J/m²; 0 of master vertices."""
        out = np.zeros(len(wear_energy))
        for where, values, factor in self._parts:
            out[where] = values if factor is None else factor(t) * values
        return out - self.wears * wear_energy
