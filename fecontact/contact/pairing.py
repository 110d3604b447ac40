"""Which points of the masters the slaves face, at given positions."""

from __future__ import annotations

import numpy as np

from fecontact.contact.bulk import Array, ContactNodes
from fecontact.contact.newton import Mask
from fecontact.contact.points import gauss_points, joined
from fecontact.contact.projection import Geometry, locate
from fecontact.contact.rows import Rows, pair_points
from fecontact.contact.setup import Arrangement
from fecontact.contact.vertices import Sunk, add_rows, look


class Pairing:
    """Makes the rows of all multipliers; knows where the masters are as long as they stay there.

    geometry: of the masters where they were last; nodal: whether slaves are nodes only, so that
    rows always have the same room.
    """

    geometry: Geometry

    def __init__(
        self, nodes: ContactNodes, arrangement: Arrangement, x: Array, held: Array
    ) -> None:
        self._arrangement, self._rest, self._dof = arrangement, nodes.coordinates, nodes.dof
        self._multipliers = len(arrangement.pair)
        self.nodal = len(arrangement.integrated.pair) == 0
        segments = arrangement.master.segment
        self._rigid = bool(np.all(nodes.dof[segments[segments >= 0]] < 0))
        self.locate(x, held)

    def locate(self, x: Array, held: Array) -> None:
        """Take note of where the masters are."""
        self.geometry, self._held = locate(self._arrangement.master, x), held

    def stands(self, held: Array) -> bool:
        """Whether the masters still are where `geometry` has them, held nodes being at `held`."""
        return self._rigid and held is self._held

    def rows(self, x: Array, held: Array, awake: Mask, sunk: Sunk | None = None) -> Rows:
        """The pairing at positions x of the contact nodes, of which held ones are at `held`.

        awake: (m,) multipliers of master vertices that take part; sunk: where these are, if known.
        """
        a = self._arrangement
        if not self.stands(held):
            self.locate(x, held)
        points = a.points
        if not self.nodal:
            more = gauss_points(
                a.integrated, a.master, self.geometry, x, self._rest, a.gauss, a.gauss_weight
            )
            points = joined(points, more)
        rows = pair_points(
            points, a.integrated, a.master, self.geometry, x, self._dof, self._multipliers
        )
        if awake.any():
            sunk = sunk if sunk is not None else self.sunk(x)
            add_rows(rows, a.vertices, a.edges_as_master, sunk, awake, x)
        return rows

    def sunk(self, x: Array) -> Sunk:
        """Where the master vertices are among the slave edges, contact nodes being at x."""
        a = self._arrangement
        return look(a.vertices, a.edges_as_master, a.master, x)
