"""Friction laws, one file each, with their study keys and their function.

To add a law, write a file with a :class:`~fecontact.friction.laws.law.FrictionLaw` and add its line
here. The files import only the base of the study models, which are built from them.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Discriminator, Field, Tag

from fecontact.friction.laws.cohesion import Cohesion
from fecontact.friction.laws.coulomb import Coulomb
from fecontact.friction.laws.directional import Directional
from fecontact.friction.laws.exponential import Exponential
from fecontact.friction.laws.law import FrictionLaw
from fecontact.friction.laws.pressure import Pressure
from fecontact.friction.laws.rate_and_state import RateAndState
from fecontact.friction.laws.registered import Registered
from fecontact.friction.laws.slip_weakening import SlipWeakening
from fecontact.friction.laws.stribeck import Stribeck
from fecontact.friction.laws.table import Table
from fecontact.study.base import NUMBER, Number, law_or_number

LAWS: tuple[type[FrictionLaw], ...] = (
    Coulomb,
    Exponential,
    Stribeck,
    Table,
    SlipWeakening,
    RateAndState,
    Pressure,
    Directional,
    Cohesion,
    Registered,
)
"""All laws; compiled code identifies each by its index."""


if TYPE_CHECKING:
    Friction = float | FrictionLaw
else:
    _number = Annotated[Number, Field(ge=0, le=10), Tag(NUMBER)]
    _tables = (Annotated[law, Tag(law.name())] for law in LAWS)
    Friction = Annotated[reduce(or_, _tables, _number), Discriminator(law_or_number)]
"""A Coulomb coefficient, or the table of a law."""


def describe(friction: Friction) -> str:
    """Return the friction as text for the legend of a figure."""
    return friction.describe() if isinstance(friction, FrictionLaw) else f"μ = {friction:g}"
