"""History variables of all elastoplastic bodies of a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fecontact.record import Array
from fecontact.solid.plasticity.model import HISTORY_VARIABLES, YieldingPiece


class History:
    """History variables (points, 9) of the elastoplastic cells of every kind, on every rank.

    pieces: the cells of each kind on this rank.
    """

    def __init__(self, pieces: Sequence[YieldingPiece]) -> None:
        self.pieces = pieces

    def of_all_ranks(self, before: bool = False) -> Array:
        """Return the history variables, (points, 9), on every rank; collective.

        before: return the values before the last step.
        """
        every = (piece.history_of_all_ranks(before) for piece in self.pieces)
        return np.concatenate([np.zeros((0, HISTORY_VARIABLES)), *every])

    def set(self, values: Array) -> None:
        """Set the history variables."""
        for piece, own in self._of_pieces(values):
            piece.set_history_variables(own)

    def restore_committed(self, values: Array) -> None:
        """Restore the history variables of the last step after its forces have been evaluated."""
        for piece, own in self._of_pieces(values):
            piece.restore_committed(own)

    def max_plastic_strain(self) -> float:
        """Return the largest equivalent plastic strain on this rank."""
        return max((piece.max_plastic_strain() for piece in self.pieces), default=0.0)

    def work_of_strain(self) -> float:
        """Return the plastic work of the equivalent plastic strain on this rank, J."""
        return sum(piece.work_of_strain() for piece in self.pieces)

    def _of_pieces(self, values: Array) -> Iterator[tuple[YieldingPiece, Array]]:
        ends = np.cumsum([piece.points for piece in self.pieces])
        return zip(self.pieces, np.split(values, ends[:-1]), strict=True)
