"""Time schemes by their study key. A new scheme is one file and one line here.

A file contains a whole scheme: the keys of its table [time] and its coefficients. The study model
of that table is built from these, so that the files import only :mod:`fecontact.study.base` and
each other.
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
    Time = Scheme  # readers use the common interface, not the keys of one scheme
else:
    _tables = (Annotated[model, Tag(name)] for name, model in SCHEMES.items())
    Time = Annotated[reduce(or_, _tables), choice("scheme", "generalized-alpha")]

__all__ = ["SCHEMES", "Coefficients", "Scheme", "Time"]
