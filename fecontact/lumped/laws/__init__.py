"""The laws of an obstacle's normal force, one file each: its keys in a study, and its curve.

An obstacle without a law is linear. A new one is a file with a
:class:`~fecontact.lumped.laws.base.NormalLaw` and its line here. Like the geometries, the files
import nothing but the base of a study's models and each other.
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
    AnyLaw = NormalLaw  # an obstacle asks what every law answers
else:
    AnyLaw = Annotated[reduce(or_, LAWS), Field(discriminator="type")]

__all__ = ["LAWS", "AnyLaw", "Curve", "NormalLaw"]
