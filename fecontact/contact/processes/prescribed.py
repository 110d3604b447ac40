"""Prescribed motion of the contact surfaces: surface offsets of the slaves and positions of tools.

δ(s, t) = offset(s) · offset_function(t) − wear depth,   gap = gap of the meshes − δ

A change of δ in a step, or the motion of a tool, does work on the contacting body like a moving
support.

Two parts of δ follow from the meshes. With `gap_closure_tolerance`, a smaller gap of the meshes at
t = 0 is closed, and the offset acts in addition. With `overlap_ramp_time`, an initial overclosure
is removed linearly over this time, so that bodies are pressed apart gradually.

The wear depth is that of all previous steps (:mod:`fecontact.contact.processes.wear`).
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.contact.interface.layout import ContactLayout, Pair
from fecontact.contact.processes.wear import Wear


class Prescribed:
    """Surface offsets of the slaves and motion of the tools of all pairs.

    varies: True if any of them changes with time;
    tools_move: True if a tool moves;
    found: gaps of the slave nodes of each pair at t = 0, before gap closure, m;
    filled: gap closure, m;
    thickness: (2, m) offsets of the slaves at the end and at the start of the step, m;
    master_wear: (2, k) wear depth of the masters likewise, or (2, 0).
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
        self._time = 0.0  # start of the step, s
        self.thickness = np.zeros((2, self._size))
        self.master_wear = np.zeros((2, len(wear.of_master) if wear.opens else 0))
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
        """Close gaps and ramp overlaps as set for the pairs; gap: (m,) at t = 0, m."""
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
        """Start at a time, s: the surfaces at the end of the step are those at its start."""
        self.update(t)
        self.accept(t)

    @property
    def thickness_before(self) -> Array:
        """Return the offsets of the slaves at the start of the step (m,), m."""
        return self.thickness[1]

    @property
    def master_wear_before(self) -> Array:
        """Return the wear depth of the masters at the start of the step, (k,) or (0,), m."""
        return self.master_wear[1]

    def restore(self, t: float) -> None:
        """Restore the surfaces at time t, s, from the wear depths and the surfaces at the start of
        the step, which may contain a predicted wear.
        """
        before = self.thickness[1].copy(), self.master_wear[1].copy()
        self.start(t)
        self.thickness[1], self.master_wear[1] = before

    def update(self, t: float) -> None:
        """Set the surfaces at the end of the step to those at time t, s."""
        for n, (pair, edge) in enumerate(zip(self._pairs, self._edges, strict=True)):
            factor = 1.0 if pair.offset_in_time is None else pair.offset_in_time(t)
            over = pair.settings.overlap_ramp_time
            left = 0.0 if over is None else max(0.0, 1.0 - t / over)
            total = factor * self._offsets[n] + self.filled[n] + left * self._given_back[n]
            self.thickness[0, edge.multipliers] = total
            if pair.tool is not None:
                speed = pair.tool.speed
                if pair.tool.driven is None:  # otherwise its nodes define the pose
                    self._tools.pose[n, 0] = pair.tool.displacement(t)
                self._tools.travel[n] = 0.5 * (t - self._time) * (speed(self._time) + speed(t))
        if self._wear.opens:
            self.thickness[0] -= self._wear.opening
            self.master_wear[0] = self._wear.of_master[: self.master_wear.shape[1]]

    def accept(self, t: float) -> None:
        """Make the end of the step, at time t, s, the start of the next step."""
        self._time = t
        self.thickness[1] = self.thickness[0]
        self.master_wear[1] = self.master_wear[0]
        self._tools.pose[:, 1] = self._tools.pose[:, 0]

    def wear_off(self, foreseen: tuple[Array, Array]) -> None:
        """Update the surfaces for the wear of a step.

        foreseen: predicted wear of slaves and masters, m, in the gaps at the end of the step. The
        difference from the final wear is a drive in the next step.
        """
        self.thickness[1] -= foreseen[0]
        self.master_wear[1] += foreseen[1][: self.master_wear.shape[1]]
        self.update(self._time)
