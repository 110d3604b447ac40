"""Keys of the table [time] of a lumped study, by scheme.

Each scheme has a file here with its keys, and a file in :mod:`fecontact.lumped.integrators` with
its kernel, which takes them as numbers. A study is therefore read without compiled code.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Tag

from fecontact.lumped.schemes.adaptive_order2 import AdaptiveOrder2
from fecontact.lumped.schemes.base import Steps
from fecontact.lumped.schemes.central_difference import CentralDifference
from fecontact.lumped.schemes.devogelaere import Devogelaere
from fecontact.lumped.schemes.euler import Euler
from fecontact.lumped.schemes.exact import Exact
from fecontact.lumped.schemes.newmark import Hht, Newmark
from fecontact.lumped.schemes.runge_kutta import RK32, RK54
from fecontact.lumped.schemes.tchamwa import Tchamwa
from fecontact.study.base import choice

SCHEMES: dict[str, type[Steps]] = {
    "euler": Euler,
    "tchamwa": Tchamwa,
    "central-difference": CentralDifference,
    "devogelaere": Devogelaere,
    "adaptive-order2": AdaptiveOrder2,
    "rk32": RK32,
    "rk54": RK54,
    "newmark": Newmark,
    "hht": Hht,
    "exact": Exact,
}

if TYPE_CHECKING:
    Time = Steps  # the interface common to all schemes
else:
    _tables = (Annotated[model, Tag(name)] for name, model in SCHEMES.items())
    Time = Annotated[reduce(or_, _tables), choice("scheme", "exact")]

__all__ = ["SCHEMES", "Steps", "Time"]
