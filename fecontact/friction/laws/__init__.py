"""The friction laws, one file each: its keys in a study, and its function.

A new law is a file with a :class:`~fecontact.friction.laws.law.FrictionLaw`, its line here and its
line in :mod:`fecontact.friction.strength`. The files import nothing but the base of a study's
models, which is made of them.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Discriminator, Field, Tag

from fecontact.friction.laws.coulomb import Coulomb
from fecontact.friction.laws.directional import Directional
from fecontact.friction.laws.exponential import Exponential
from fecontact.friction.laws.law import FrictionLaw
from fecontact.friction.laws.pressure import Pressure
from fecontact.friction.laws.rate_and_state import RateAndState
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
)
"""All laws; compiled code knows each by its place here."""


Friction = Annotated[
    Annotated[Number, Field(ge=0, le=10), Tag(NUMBER)]
    | Annotated[Coulomb, Tag("coulomb")]
    | Annotated[Exponential, Tag("exponential")]
    | Annotated[Stribeck, Tag("stribeck")]
    | Annotated[Table, Tag("table")]
    | Annotated[SlipWeakening, Tag("slip-weakening")]
    | Annotated[RateAndState, Tag("rate-and-state")]
    | Annotated[Pressure, Tag("pressure")]
    | Annotated[Directional, Tag("directional")],
    Discriminator(law_or_number),
]
"""A Coulomb coefficient, or the table of a law."""


def in_words(friction: Friction) -> str:
    """Friction for the legend of a picture."""
    return friction.in_words() if isinstance(friction, FrictionLaw) else f"μ = {friction:g}"
