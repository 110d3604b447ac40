"""General contact of an input file: *CONTACT with inclusions and property assignments."""

from __future__ import annotations

from fecontact.convert.contact import add_pair
from fecontact.convert.model import Model
from fecontact.mesh.readers.deck import Card
from fecontact.study.models.general_contact import ALL


def general(model: Model, card: Card) -> None:
    """Translate *CONTACT: the cards that follow define it."""
    model.leave_options(card, "OP")


def inclusions(model: Model, card: Card) -> None:
    """Translate *CONTACT INCLUSIONS: all exterior surfaces, or pairs of surfaces."""
    model.leave_options(card, "ALL EXTERIOR")
    if "ALL EXTERIOR" in card.options:
        model.tables["contact"].setdefault(ALL, {})
        model.comments["contact", ALL] = "all bodies and tools, each body also with itself"
    for line in card.lines:
        names = [word for word in line[:2] if word]
        if names:
            add_pair(model, card, names, {})


def properties(model: Model, card: Card) -> None:
    """Translate *CONTACT PROPERTY ASSIGNMENT: one interaction for all surfaces."""
    model.leave_options(card)
    for line in card.lines:
        first, second, name = [*line, "", "", ""][:3]
        if first or second:
            model.leave(card, f"{first}, {second}: write a pair in [contact] with its friction")
        else:
            model.general_interaction = name
