"""`maxwell`: spring and dashpot in series."""

from __future__ import annotations

from typing import ClassVar, Literal

from fecontact.lumped.spring_laws.base import Branch, SpringLaw
from fecontact.study.base import Number, key, si


class Maxwell(SpringLaw):
    """Maxwell branch: stiff under fast loading, compliant under slow loading.

    In parallel with the linear stiffness of the same spring it is the standard linear solid. The
    dashpot is undeflected at t = 0.
    """

    drags: ClassVar[bool] = True

    type: Literal["maxwell"] = key("spring and dashpot in series")
    stiffness: Number = si("N/m", "stiffness of the spring", gt=0)
    damping: Number = si("N·s/m", "damping of the dashpot", gt=0)

    def element(self) -> Branch:
        return Branch(self.stiffness, self.damping)
