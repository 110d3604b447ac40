"""Wear laws, one file each: study keys and wear depth.

A new law is a file with a :class:`~fecontact.contact.wear_laws.law.WearLaw` and one line here. The
files import only the base of the study models.
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
"""Specific wear coefficient k, or the table of a law."""


def law_of(wear: WearOrNumber) -> WearLaw | None:
    """Return the law of a table or a number; None without wear."""
    if isinstance(wear, WearLaw):
        return wear
    return Archard(law="archard", coefficient=wear) if wear > 0.0 else None
