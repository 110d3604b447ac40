"""Interface of the wear laws: wear depth due to sliding.

A law gives the total wear depth of two sliding surfaces from two works per area: that of the
pressure, ∫ p |ds|, and that of friction, ∫ |τ| |ds|.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from fecontact.study.base import Number, StudyModel, si

if TYPE_CHECKING:  # a study is read without numpy
    from fecontact.arrays import Array

Works = TypeVar("Works", float, "Array")


class WearLaw(StudyModel):
    """A wear law of a contact pair or a lumped obstacle."""

    law: str
    coefficient: Number = si("1/Pa", "wear depth per work per area", gt=0)

    def depth(self, pressed: Works, rubbed: Works) -> Works:
        """Return the wear depth, m, for works of pressure and of friction, J/m²; linear in both."""
        raise NotImplementedError
