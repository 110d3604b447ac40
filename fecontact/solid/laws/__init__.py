"""Material laws, one module each.

A law is a settings table with the two matrices of `law.Law`, the stored energy of
`hyperelastic.Hyperelastic`, or the return mapping of `yielding.Yielding`. To add a law, add a
module here and its line in `Material`, against which [materials.NAME] of the study file is
validated (see docs/how-to-add.md).
"""

from typing import Annotated

from pydantic import Tag

from fecontact.solid.laws.elastoplastic import Elastoplastic
from fecontact.solid.laws.hencky import Hencky
from fecontact.solid.laws.isotropic import Isotropic
from fecontact.solid.laws.mooney_rivlin import MooneyRivlin
from fecontact.solid.laws.neo_hookean import NeoHookean
from fecontact.solid.laws.ogden import Ogden
from fecontact.solid.laws.orthotropic import Orthotropic
from fecontact.solid.laws.registered import Registered
from fecontact.solid.laws.simo_miehe import SimoMiehe
from fecontact.solid.laws.st_venant_kirchhoff import StVenantKirchhoff
from fecontact.solid.laws.yeoh import Yeoh
from fecontact.study.base import choice

Material = Annotated[
    Annotated[Isotropic, Tag("isotropic")]
    | Annotated[Orthotropic, Tag("orthotropic")]
    | Annotated[StVenantKirchhoff, Tag("st-venant-kirchhoff")]
    | Annotated[NeoHookean, Tag("neo-hookean")]
    | Annotated[Hencky, Tag("hencky")]
    | Annotated[SimoMiehe, Tag("simo-miehe")]
    | Annotated[MooneyRivlin, Tag("mooney-rivlin")]
    | Annotated[Yeoh, Tag("yeoh")]
    | Annotated[Ogden, Tag("ogden")]
    | Annotated[Registered, Tag("registered")]
    | Annotated[Elastoplastic, Tag("elastoplastic")],
    choice("law", "isotropic"),
]

__all__ = [
    "Elastoplastic",
    "Hencky",
    "Isotropic",
    "Material",
    "MooneyRivlin",
    "NeoHookean",
    "Ogden",
    "Orthotropic",
    "Registered",
    "SimoMiehe",
    "StVenantKirchhoff",
    "Yeoh",
]
