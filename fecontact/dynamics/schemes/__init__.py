"""The time schemes, by the name a study gives them. A new one is one file and one line here.

A file holds a scheme whole: the keys of its table [time] and its coefficients. The study's model of
that table is made of these, so they import nothing but :mod:`fecontact.study.base` and each other.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Tag

from fecontact.dynamics.schemes.average_acceleration import AverageAcceleration
from fecontact.dynamics.schemes.base import Scheme
from fecontact.dynamics.schemes.central_difference import CentralDifference
from fecontact.dynamics.schemes.energy_momentum import EnergyMomentum
from fecontact.dynamics.schemes.form import Coefficients
from fecontact.dynamics.schemes.generalized_alpha import GeneralizedAlpha
from fecontact.dynamics.schemes.hht import Hht
from fecontact.dynamics.schemes.implicit_euler import ImplicitEuler
from fecontact.dynamics.schemes.newmark import Newmark
from fecontact.dynamics.schemes.static import Static
from fecontact.dynamics.schemes.wbz_alpha import WbzAlpha
from fecontact.study.base import choice

SCHEMES: dict[str, type[Scheme]] = {
    "hht": Hht,
    "newmark": Newmark,
    "generalized-alpha": GeneralizedAlpha,
    "wbz-alpha": WbzAlpha,
    "average-acceleration": AverageAcceleration,
    "energy-momentum": EnergyMomentum,
    "implicit-euler": ImplicitEuler,
    "central-difference": CentralDifference,
    "static": Static,
}

if TYPE_CHECKING:
    Time = Scheme  # a study's readers ask what every scheme answers, not for the keys of one
else:
    _tables = (Annotated[model, Tag(name)] for name, model in SCHEMES.items())
    Time = Annotated[reduce(or_, _tables), choice("scheme", "generalized-alpha")]

__all__ = ["SCHEMES", "Coefficients", "Scheme", "Time"]
