"""`devogelaere`: De Vogelaere's method (code_aster's DEVOGE)."""

from __future__ import annotations

from typing import Literal

from fecontact.lumped.schemes.base import Steps
from fecontact.study.base import key


class Devogelaere(Steps):
    """De Vogelaere, order 4."""

    scheme: Literal["devogelaere"] = key("De Vogelaere, fourth order")
