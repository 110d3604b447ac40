"""Supported and unsupported keywords of an input file."""

from __future__ import annotations

from collections.abc import Callable

from fecontact.convert import contact, general_contact, loads, materials
from fecontact.convert.model import Model
from fecontact.mesh.readers.deck import Card

IGNORED = {
    *("NODE", "NSET", "ELSET"),  # the mesh
    *("PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "INSTANCE", "END INSTANCE", "END STEP"),
    "PREPRINT",
}
_JOIN = "Give the bodies common nodes, *TIE them, or define a contact pair with `adhesion`"
_REQUESTS = "choose histories in [watch] and fields in [output]"
UNSUPPORTED = {
    "EXPANSION": "temperatures are not supported",
    "CONTACT EXCLUSIONS": "name the bodies in contact in `contact.all.bodies`",
    "COUPLING": "put the support or load on the surface itself",
    "KINEMATIC": "put the support on the surface itself",
    "DISTRIBUTING": "put the load on the surface itself",
    "VISCOELASTIC": "set `prony` of the material",
    "PRESSURE PENETRATION": 'add a load of type = "pressure-penetration"',
    "FREQUENCY": "add [modes] and run `fecontact modes`",
    "EQUATION": f"not supported. {_JOIN}",
    "MPC": f"not supported, the nodes are not connected. {_JOIN}",
    "RESTART": "`output.checkpoint_every` writes checkpoints",
    **dict.fromkeys(("OUTPUT", "NODE OUTPUT", "ELEMENT OUTPUT", "CONTACT OUTPUT"), _REQUESTS),
    **dict.fromkeys(("ENERGY OUTPUT", "NODE FILE", "EL FILE", "CONTACT FILE"), _REQUESTS),
    **dict.fromkeys(("NODE PRINT", "EL PRINT", "CONTACT PRINT", "MONITOR"), _REQUESTS),
}


def _heading(model: Model, card: Card) -> None:
    text = ", ".join(card.lines[0]) if card.lines else ""
    model.title = "".join(c for c in text if c.isprintable())[:200] or model.title


READERS: dict[str, Callable[[Model, Card], None]] = {
    "HEADING": _heading,
    "ELEMENT": materials.element,
    "MATERIAL": materials.material,
    "ELASTIC": materials.elastic,
    "HYPERELASTIC": materials.hyperelastic,
    "PLASTIC": materials.plastic,
    "DENSITY": materials.density,
    "DAMPING": materials.damping,
    "SOLID SECTION": materials.section,
    "AMPLITUDE": loads.amplitude,
    "BOUNDARY": loads.boundary,
    "PRE-TENSION SECTION": loads.pretension,
    "CLOAD": loads.cload,
    "DLOAD": loads.dload,
    "DSLOAD": loads.dsload,
    "SPRING": loads.spring,
    "DASHPOT": loads.spring,
    "MASS": loads.mass,
    "INITIAL CONDITIONS": loads.initial,
    "STEP": loads.step,
    "STATIC": loads.static,
    "DYNAMIC": loads.dynamic,
    "SURFACE": contact.surface,
    "SURFACE INTERACTION": contact.interaction,
    "FRICTION": contact.friction,
    "SURFACE BEHAVIOR": contact.behavior,
    "CONTACT PAIR": contact.pair,
    "TIE": contact.tie,
    "CONTACT INTERFERENCE": contact.interference,
    "CLEARANCE": contact.clearance,
    "MODEL CHANGE": contact.model_change,
    "CONTACT": general_contact.general,
    "CONTACT INCLUSIONS": general_contact.inclusions,
    "CONTACT PROPERTY ASSIGNMENT": general_contact.properties,
    "RIGID BODY": contact.rigid_body,
}
