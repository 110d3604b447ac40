"""`euler`: symplectic Euler (code_aster's EULER)."""

from __future__ import annotations

from typing import Literal

from fecontact.lumped.schemes.base import Steps
from fecontact.study.base import key


class Euler(Steps):
    """Symplectic Euler, order 1."""

    scheme: Literal["euler"] = key("symplectic Euler, first order")
