"""`lagrangian`: a multiplier, a nodal force, at each slave node; nothing penetrates.

    0 ≤ λ_n ⟂ g ≥ 0   at the slave nodes

The small contact problem as it stands (:mod:`fecontact.contact.local.active_set`).
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
