"""`central-difference`: central differences (code_aster's DIFF_CENTRE)."""

from __future__ import annotations

from typing import Literal

from fecontact.lumped.schemes.base import Steps
from fecontact.study.base import key


class CentralDifference(Steps):
    """Central differences, order 2."""

    scheme: Literal["central-difference"] = key("central differences, second order")
