"""The material laws, one module each: a settings table and the two matrices of `law.Law`.

A new law is a module here and its line in `Material`, which the study file's [materials.NAME] is
validated against (docs/how-to-add.md shows one).
"""

from typing import Annotated

from pydantic import Tag

from fecontact.solid.laws.isotropic import Isotropic
from fecontact.solid.laws.orthotropic import Orthotropic
from fecontact.study.base import choice

Material = Annotated[
    Annotated[Isotropic, Tag("isotropic")] | Annotated[Orthotropic, Tag("orthotropic")],
    choice("law", "isotropic"),
]

__all__ = ["Isotropic", "Material", "Orthotropic"]
