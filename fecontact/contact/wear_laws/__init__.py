"""The wear laws, one file each: its keys in a study, and its depth.

A new law is a file with a :class:`~fecontact.contact.wear_laws.law.WearLaw` and its line here. The
files import nothing but the base of a study's models, which is made of them.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from fecontact.contact.wear_laws.archard import Archard
from fecontact.contact.wear_laws.energy import Energy
from fecontact.contact.wear_laws.law import WearLaw
from fecontact.study.base import NUMBER, Number


def _chosen(value: Any) -> str | None:
    if isinstance(value, dict):
        law = value.get("law")
        return law if isinstance(law, str) else None
    return value.law if isinstance(value, WearLaw) else NUMBER


WearOrNumber = Annotated[
    Annotated[Number, Field(ge=0), Tag(NUMBER)]
    | Annotated[Archard, Tag("archard")]
    | Annotated[Energy, Tag("energy")],
    Discriminator(_chosen),
]
"""Archard's coefficient, or the table of a law."""


def law_of(wear: WearOrNumber) -> WearLaw | None:
    """The law that a table or a number means; None if nothing wears."""
    if isinstance(wear, WearLaw):
        return wear
    return Archard(law="archard", coefficient=wear) if wear > 0.0 else None
