"""`lagrangian`: a multiplier (nodal force) at each slave node; no penetration.

0 ≤ λ_n ⟂ g ≥ 0   at the slave nodes

This is the local contact problem itself (:mod:`fecontact.contact.local.active_set`).
"""

from __future__ import annotations

from typing import Literal

from fecontact.contact.methods.base import ContactMethod
from fecontact.study.base import key


class Lagrangian(ContactMethod):
    """Multipliers at the slave nodes."""

    method: Literal["lagrangian"] = key(
        "Lagrange multipliers at the slave nodes, no penetration", "lagrangian"
    )
