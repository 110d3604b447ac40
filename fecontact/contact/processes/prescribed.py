"""What of the contact surfaces is known before a step, whatever the nodes do in it: how thick slave
sides are beyond their mesh, and where rigid tools are.

    δ(s, t) = offset(s) · offset_function(t) − worn depth,   gap = that of the meshes − δ

Where δ changes in a step, or a tool moves, it does work on what it presses against, as a moving
support does.

Two parts of δ come from the meshes as they are: with `gap_closure_tolerance`, a gap of the meshes
at t = 0 that is smaller than this counts as filled, and the offset acts beyond it; with
`overlap_ramp_time`, an overlap at t = 0 is given back linearly over this time, so that bodies
are pressed into each other's way gently.

The worn depth is that of all steps before (:mod:`fecontact.contact.processes.wear`).
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.interface.layout import ContactLayout, Pair
from fecontact.contact.processes.wear import Wear


class Prescribed:
    """Thickness of slave sides and motion of tools of all pairs; varies: whether anything of it
    does in time; tools_move: whether a tool does.

    found: of each pair the gaps (m) of its slave nodes at t = 0, before any were changed; filled:
    what of them was.
    thickness: (2, m) of slave sides at the end and at the begin of the step, m; worn: (2, k) off
    the masters likewise, or (2, 0).
    """

    def __init__(self, pairs: list[Pair], layout: ContactLayout, wear: Wear) -> None:
        self._pairs, self._tools, self._wear = pairs, layout.tools, wear
        self._edges = [layout.edges[pair.name] for pair in pairs]
        self._offsets = [
            pair.settings.offset_at(edge.arc) for pair, edge in zip(pairs, self._edges, strict=True)
        ]
        self.filled: list[Array] = [np.zeros(len(offset)) for offset in self._offsets]
        self._given_back = [np.zeros(len(offset)) for offset in self._offsets]
        self._size = len(layout.pair)
        self._time = 0.0  # of the begin of the step, s
        self.thickness = np.zeros((2, self._size))
        self.worn = np.zeros((2, len(wear.of_master) if wear.opens else 0))
        self.found: list[Array] = []
        self.tools_move = any(pair.tool is not None and pair.tool.moves for pair in pairs)
        self.varies = (
            self.tools_move
            or wear.opens
            or any(
                pair.offset_in_time is not None or pair.settings.overlap_ramp_time is not None
                for pair in pairs
            )
        )
        self.start(0.0)

    def adjust(self, gap: Array) -> None:
        """Fill gaps and give back overlaps as pairs ask for; gap: (m,) at t = 0, m."""
        for pair, edge, filled, back in zip(
            self._pairs, self._edges, self.filled, self._given_back, strict=True
        ):
            own, settings = gap[edge.multipliers], pair.settings
            self.found.append(own.copy())
            if settings.gap_closure_tolerance is not None:
                of_meshes = own + self.thickness[0, edge.multipliers]
                near = (of_meshes > 0.0) & (of_meshes < settings.gap_closure_tolerance)
                filled[near] = of_meshes[near]
            if settings.overlap_ramp_time is not None:
                back[own < 0.0] = own[own < 0.0]
        self.start(0.0)

    def start(self, t: float) -> None:
        """Begin at a time, s: what is known of the end of a step is what is known of its begin."""
        self.update(t)
        self.accept(t)

    def update(self, t: float) -> None:
        """Make the end of the step that of a time, s."""
        for n, (pair, edge) in enumerate(zip(self._pairs, self._edges, strict=True)):
            factor = 1.0 if pair.offset_in_time is None else pair.offset_in_time(t)
            over = pair.settings.overlap_ramp_time
            left = 0.0 if over is None else max(0.0, 1.0 - t / over)
            total = factor * self._offsets[n] + self.filled[n] + left * self._given_back[n]
            self.thickness[0, edge.multipliers] = total
            if pair.tool is not None:
                speed = pair.tool.speed
                if pair.tool.nodes is None:  # a driven tool is where its nodes are
                    self._tools.pose[n, 0] = pair.tool.displacement(t)
                self._tools.travel[n] = 0.5 * (t - self._time) * (speed(self._time) + speed(t))
        if self._wear.opens:
            self.thickness[0] -= self._wear.opening
            self.worn[0] = self._wear.of_master[: self.worn.shape[1]]

    def accept(self, t: float) -> None:
        """Make the end of the step, at a time in s, the begin of the next."""
        self._time = t
        self.thickness[1] = self.thickness[0]
        self.worn[1] = self.worn[0]
        self._tools.pose[:, 1] = self._tools.pose[:, 0]

    def wear_off(self, foreseen: tuple[Array, Array]) -> None:
        """After a step: the surfaces as they are worn now, at its end; foreseen: what the step took
        off slaves and masters, m, which the gaps at its end were found with. What differs drives
        the surfaces in the next step."""
        self.thickness[1] -= foreseen[0]
        self.worn[1] += foreseen[1][: self.worn.shape[1]]
        self.update(self._time)
