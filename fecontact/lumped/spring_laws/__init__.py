"""Nonlinear and inelastic spring laws, one file each: keys and numbers.

Such a spring acts along its `direction`, in parallel with its linear stiffness and damping. To add
a law, write a file with a :class:`~fecontact.lumped.spring_laws.base.SpringLaw` and add its line
here.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from fecontact.lumped.spring_laws.base import Branch, Link, SpringLaw
from fecontact.lumped.spring_laws.elastoplastic import ElastoplasticSpring
from fecontact.lumped.spring_laws.force_table import SpringTable
from fecontact.lumped.spring_laws.maxwell import Maxwell

SPRING_LAWS: tuple[type[SpringLaw], ...] = (SpringTable, ElastoplasticSpring, Maxwell)

if TYPE_CHECKING:
    AnySpringLaw = SpringLaw  # the interface common to all spring laws
else:
    AnySpringLaw = Annotated[reduce(or_, SPRING_LAWS), Field(discriminator="type")]

__all__ = ["SPRING_LAWS", "AnySpringLaw", "Branch", "Link", "SpringLaw"]
