"""The wear laws, one file each: its keys in a study, and its depth.

A new law is a file with a :class:`~fecontact.contact.wear_laws.law.WearLaw` and its line here. The
files import nothing but the base of a study's models, which is made of them.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Discriminator, Field, Tag

from fecontact.contact.wear_laws.archard import Archard
from fecontact.contact.wear_laws.energy import Energy
from fecontact.contact.wear_laws.law import WearLaw
from fecontact.study.base import NUMBER, Number, law_or_number

WearOrNumber = Annotated[
    Annotated[Number, Field(ge=0), Tag(NUMBER)]
    | Annotated[Archard, Tag("archard")]
    | Annotated[Energy, Tag("energy")],
    Discriminator(law_or_number),
]
"""Archard's coefficient, or the table of a law."""


def law_of(wear: WearOrNumber) -> WearLaw | None:
    """The law that a table or a number means; None if nothing wears."""
    if isinstance(wear, WearLaw):
        return wear
    return Archard(law="archard", coefficient=wear) if wear > 0.0 else None
