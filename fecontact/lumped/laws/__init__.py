"""Normal force laws of obstacles, one file each, with their study keys and their curve.

An obstacle without a law is linear. To add a law, write a file with a
:class:`~fecontact.lumped.laws.base.NormalLaw` and add its line here. Like the geometries, these
files import only the base of the study models and each other.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from fecontact.lumped.laws.base import Curve, NormalLaw
from fecontact.lumped.laws.buckling import Buckling
from fecontact.lumped.laws.elastoplastic import Elastoplastic
from fecontact.lumped.laws.force_table import ForceTable

LAWS: tuple[type[NormalLaw], ...] = (ForceTable, Buckling, Elastoplastic)

if TYPE_CHECKING:
    AnyLaw = NormalLaw  # the interface common to all laws
else:
    AnyLaw = Annotated[reduce(or_, LAWS), Field(discriminator="type")]

__all__ = ["LAWS", "AnyLaw", "Curve", "NormalLaw"]
