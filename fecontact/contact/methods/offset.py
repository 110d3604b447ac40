"""Surface offset along the slave edge of a pair."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import Strict

from fecontact.study.base import Number, Problem, StudyModel, si

if TYPE_CHECKING:
    from fecontact.record import Array

BEYOND = 1e-6  # of an edge's length: tolerance for a table that does not reach its ends


class AlongEdge(StudyModel):
    """Piecewise linear along the slave edge."""

    at: Annotated[tuple[Number, ...], Strict(False)] = si(
        "m",
        "increasing arc lengths from the first node of the slave edge, with the body on "
        "the left; upwards on a right edge, to the left on a top edge",
        min_length=2,
    )
    values: Annotated[tuple[Number, ...], Strict(False)] = si("m", "offsets at these arc lengths")

    def problems(self) -> Iterator[Problem]:
        if len(self.at) != len(self.values):
            yield (
                ("values",),
                f"has {len(self.values)} entries; it must have one for each of the "
                f"{len(self.at)} arc lengths",
            )
        for i, (nearer, farther) in enumerate(itertools.pairwise(self.at), start=1):
            if farther <= nearer:
                yield (
                    ("at", i),
                    f"is {farther:g} m; it must be larger than the previous one, {nearer:g} m",
                )
                return

    def covers(self, length: float) -> bool:
        """Return True if the table covers an edge of the given length, m."""
        return self.at[0] <= BEYOND * length and self.at[-1] >= (1.0 - BEYOND) * length

    def value(self, arc: Array) -> Array:
        """Return the values at arc lengths, m."""
        import numpy as np  # a study is read without it

        return np.interp(arc, self.at, self.values)
