"""`penalty`: a stiffness at each slave node (:mod:`fecontact.contact.methods.stiffness`).

λ_n = E_N (−g)₊,   λ_t = −E_T × elastic slip, at most μ λ_n

In the local contact problem this is a compliance 1/E on the diagonal of W.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from fecontact.contact.methods.stiffness import WithStiffness
from fecontact.study.base import key


class Penalty(WithStiffness):
    """A stiffness at each slave node."""

    soft: ClassVar[bool] = True

    method: Literal["penalty"] = key("penalty stiffness at the slave nodes")

    @property
    def given_stiffness(self) -> float | None:
        return None if self.normal_penalty == "auto" else float(self.normal_penalty)
