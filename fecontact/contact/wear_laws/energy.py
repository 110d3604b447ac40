"""`energy`: wear depth proportional to the friction work.

h = α ∫ |τ| |ds|

The dissipated energy correlates wear volumes over strokes and friction coefficients, where
Archard's law needs a coefficient for each (Fouvry, Kapsa & Vincent 1996, Wear 200). For constant
friction it is Archard's law with k = α μ.
"""

from __future__ import annotations

from typing import Literal

from fecontact.contact.wear_laws.law import WearLaw, Works
from fecontact.study.base import key


class Energy(WearLaw):
    """Depth in proportion to the work of friction."""

    law: Literal["energy"] = key("wear depth proportional to the friction work")

    def depth(self, pressed: Works, rubbed: Works) -> Works:
        return self.coefficient * rubbed
