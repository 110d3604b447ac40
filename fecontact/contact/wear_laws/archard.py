"""`archard`: wear depth proportional to pressure and slip; also the meaning of a plain number.

h = k ∫ p |ds|,   or for a whole surface   V = k ∫ N |ds|

k is Archard's dimensionless coefficient over the hardness (Archard 1953, doi:10.1063/1.1721448).
"""

from __future__ import annotations

from typing import Literal

from fecontact.contact.wear_laws.law import WearLaw, Works
from fecontact.study.base import key


class Archard(WearLaw):
    """Depth in proportion to pressure and slip."""

    law: Literal["archard"] = key("wear depth proportional to pressure and slip")

    def depth(self, pressed: Works, rubbed: Works) -> Works:
        return self.coefficient * pressed
