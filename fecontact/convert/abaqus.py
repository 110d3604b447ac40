"""Conversion of plane or axisymmetric Abaqus and CalculiX input files to a study and its mesh.

Parts and instances are assembled. Sections, materials, supports, loads, springs, contact pairs,
rigid surfaces and amplitudes are translated, and steps become stages. Everything else is listed by
keyword and line; nothing is dropped silently. Numbers have no units in such files; they are assumed
to be in one system (`units`).
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fecontact.convert import contact, materials
from fecontact.convert.cards import IGNORED, READERS, UNSUPPORTED
from fecontact.convert.groups import Groups
from fecontact.convert.model import Keys, Model
from fecontact.convert.toml import entries, table
from fecontact.convert.units import UNITS
from fecontact.mesh.readers import deck
from fecontact.record import ModelMesh
from fecontact.study import study_from_dict
from fecontact.study.errors import InputError, StudyError, printable

SHOWN = 20  # stored fields of a run
# Definitions are read before the cards that refer to them, wherever they are.
_FIRST = ({"ELEMENT", "SURFACE"}, {"SOLID SECTION", "RIGID BODY"})


@dataclass(frozen=True)
class Converted:
    """Text of a study, its mesh, and one message for each item that is not translated."""

    study: str
    mesh: ModelMesh
    left: list[str]


def convert(path: Path, mesh_file: str, units: str = "m") -> Converted:
    """Translate an input file; mesh_file: the mesh file name in the study."""
    try:
        cards = deck.read(path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    model = Model(path, UNITS[units], Groups(path, UNITS[units].length))
    for card in sorted(cards, key=_phase):
        if card.keyword in READERS:
            READERS[card.keyword](model, card)
        elif card.keyword not in IGNORED:
            model.leave(card, UNSUPPORTED.get(card.keyword, "not supported"))
    stages = _finished(model)
    model.left.sort(key=_line)
    text = _text(model, mesh_file, stages)
    try:
        study_from_dict(tomllib.loads(text))
    except StudyError as error:
        lines = "\n".join(f"{path}: as a {message}" for message in error.messages)
        raise InputError(lines) from None
    return Converted(text, model.groups.mesh(), model.left)


def _phase(card: deck.Card) -> int:
    return next((i for i, early in enumerate(_FIRST) if card.keyword in early), len(_FIRST))


def _line(left: str) -> int:
    return int(left.split(":")[0].removeprefix("line "))


def _finished(model: Model) -> dict[str, Keys]:
    """Check that the study is complete, write the load histories, and return the stages."""
    for kind, keyword in (("materials", "MATERIAL"), ("bodies", "SOLID SECTION")):
        if not model.tables[kind]:
            raise _lacks(model, keyword)
    if model.step is None or not model.step.scheme:
        raise _lacks(model, "STATIC or *DYNAMIC")
    model.histories.finish()
    materials.finish(model)
    contact.finish(model)
    for name, support in model.tables["supports"].items():
        for way in ("x", "y"):
            if "function" in support and way in support:
                keys = {"type": "reaction", "at": name, "component": way}
                model.add("watch", f"{name}-{way}", keys)
    for name, material in model.tables["materials"].items():
        if not {"young", "c_10", "mu"} & material.keys():
            raise _lacks(model, f"ELASTIC of the material {printable(name)}")
        if material.setdefault("density", 0.0) == 0.0:
            model.comments["materials", name] = "the file has no density"
    return model.histories.stages()


def _lacks(model: Model, keyword: str) -> InputError:
    return InputError(f"{model.path}: *{keyword} not found. Add it to the file.")


def _text(model: Model, mesh_file: str, stages: dict[str, Keys]) -> str:
    """Return the study as text; its header lists the source and the items not translated."""
    taken = f"its numbers taken as {model.units.text}; here they are SI"
    head = [f"# Converted from {printable(model.path.name)}, {taken}."]
    head += ["# Not translated:", *(f"# - {line}" for line in model.left)] if model.left else []
    first: dict[str, Any] = {"title": model.title, "kind": "finite-element", "plane": model.plane}
    parts = ["\n".join(head) + "\n", entries(first), table(("mesh",), {"file": mesh_file})]
    for kind, named in model.tables.items():
        for name, keys in named.items():
            parts.append(table((kind, name), keys, model.comments.get((kind, name), "")))
    time = model.steps[0].timing | {"end": model.steps[-1].end}
    parts.append(table(("time",), time, "" if stages else "the step of the file"))
    for name, stage in stages.items():
        for kind, keys in stage.items():
            if kind == "time":
                parts.append(table(("stages", name, kind), keys))
            else:
                parts += [table(("stages", name, kind, n), inner) for n, inner in keys.items()]
    steps = sum(max(1, round((s.end - s.start) / s.size)) for s in model.steps)
    parts.append(table(("output",), {"fields_every": max(1, steps // SHOWN)}))
    return "\n".join(parts)
