"""Contact methods, one file each: study keys and behaviour.

A new method is a file with a :class:`~fecontact.contact.methods.base.ContactMethod` and one line
here. The files import only the base of the study models.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Tag

from fecontact.contact.methods.augmented import AugmentedLagrangian
from fecontact.contact.methods.base import ContactMethod, Stiffness
from fecontact.contact.methods.continuous import Continuous
from fecontact.contact.methods.lagrangian import Lagrangian
from fecontact.contact.methods.penalty import Penalty
from fecontact.study.base import choice

__all__ = ["ContactMethod", "ContactPair", "Stiffness"]

ContactPair = Annotated[
    Annotated[Lagrangian, Tag("lagrangian")]
    | Annotated[Penalty, Tag("penalty")]
    | Annotated[AugmentedLagrangian, Tag("augmented-lagrangian")]
    | Annotated[Continuous, Tag("continuous")],
    choice("method", "lagrangian"),
]
