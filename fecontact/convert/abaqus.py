"""An Abaqus or CalculiX input file of a plane or axisymmetric model becomes a study and its mesh.

Sections, materials, supports, loads, contact pairs with friction, amplitudes and the first step are
translated. What is not is collected, keyword by keyword, with its line: nothing is dropped in
silence. Numbers have no units in such files; they are taken to be of one system (`units`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fecontact.convert import deck
from fecontact.convert.cards import READERS, SILENT, UNTOLD, Model
from fecontact.convert.deck import Card
from fecontact.convert.groups import Groups
from fecontact.convert.toml import entries, table
from fecontact.convert.units import UNITS
from fecontact.record import ModelMesh
from fecontact.study import study_from_dict
from fecontact.study.errors import InputError, StudyError

SHOWN = 20  # fields of a run that are kept


@dataclass(frozen=True)
class Converted:
    """The text of a study, its mesh, and what has not been translated, a sentence each."""

    study: str
    mesh: ModelMesh
    left: list[str]


def convert(path: Path, mesh_file: str, units: str = "m") -> Converted:
    """Translate an input file; mesh_file: what the study calls its mesh."""
    cards = deck.read(path)
    _refuse_assemblies(path, cards)
    model = Model(path, UNITS[units], Groups(path, UNITS[units].length))
    for card in _first_step(cards, model):
        if card.keyword in READERS:
            READERS[card.keyword](model, card)
        elif card.keyword not in SILENT:
            model.leave(card, UNTOLD.get(card.keyword, "it has no counterpart here"))
    model.finish()
    text = _text(model, mesh_file)
    try:
        study_from_dict(tomllib.loads(text))
    except StudyError as error:
        said = "\n".join(f"{path}: as a {message}" for message in error.messages)
        raise InputError(said) from None
    return Converted(text, model.groups.mesh(), model.left)


def _refuse_assemblies(path: Path, cards: Iterable[Card]) -> None:
    """One instance, where it is, may be read as if there were none; more have several node 1."""
    instances = [card for card in cards if card.keyword == "INSTANCE"]
    if len(instances) > 1 or any(card.lines for card in instances):
        raise instances[0].at(
            path,
            "puts parts together; write the file without parts and assemblies (in Abaqus/CAE: "
            "Model, Edit Attributes)",
        )


def _first_step(cards: Iterable[Card], model: Model) -> Iterable[Card]:
    """All cards but those of later steps."""
    steps = 0
    for card in cards:
        steps += card.keyword == "STEP"
        if steps < 2:
            yield card
        elif card.keyword == "STEP":
            model.leave(card, "only the first step is translated")


def _text(model: Model, mesh_file: str) -> str:
    """The study, its head saying where it comes from and what has been left."""
    taken = f"its numbers taken as {model.units.text}; here they are SI"
    head = [f"# Converted from {model.path.name}, {taken}."]
    head += ["# Not translated:", *(f"# - {line}" for line in model.left)] if model.left else []
    first: dict[str, Any] = {"title": model.title, "kind": "finite-element", "plane": model.plane}
    parts = ["\n".join(head) + "\n", entries(first), table(("mesh",), {"file": mesh_file})]
    for kind, named in model.tables.items():
        for name, keys in named.items():
            parts.append(table((kind, name), keys, model.comments.get((kind, name), "")))
    parts.append(table(("time",), model.time, "the first step of the file"))
    steps = max(1, round(model.time["end"] / model.time["step"]))
    parts.append(table(("output",), {"fields_every": max(1, steps // SHOWN)}))
    return "\n".join(parts)
