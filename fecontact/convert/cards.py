"""The keywords of an input file that have a counterpart in a study."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fecontact.convert.deck import Card
from fecontact.convert.groups import Groups
from fecontact.convert.units import Units
from fecontact.study.errors import InputError

SILENT = {
    *("NODE", "NSET", "ELSET", "SURFACE"),  # the mesh
    *("PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "INSTANCE", "END INSTANCE", "END STEP"),
}
_REQUESTS = "choose histories in [watch] and fields in [output]"
UNTOLD = {
    "PLASTIC": "bodies are elastic",
    "EXPANSION": "there are no temperatures",
    "CONTACT": "name each pair of surfaces in [contact]",
    "CONTACT INCLUSIONS": "name each pair of surfaces in [contact]",
    "TIE": "bodies that are tied must share their nodes",
    "RIGID BODY": "hold the body with [supports], or write its outline as [tools.NAME]",
    "RESTART": "`output.checkpoint_every` writes checkpoints",
    "CONTACT INTERFERENCE": "`contact.NAME.offset` is an interference",
    "CLEARANCE": "`contact.NAME.offset` is a clearance if negative",
    **dict.fromkeys(("OUTPUT", "NODE OUTPUT", "ELEMENT OUTPUT", "CONTACT OUTPUT"), _REQUESTS),
    **dict.fromkeys(("ENERGY OUTPUT", "NODE FILE", "EL FILE", "CONTACT FILE"), _REQUESTS),
    **dict.fromkeys(("NODE PRINT", "EL PRINT", "CONTACT PRINT", "MONITOR"), _REQUESTS),
}
_PLANES = {"CPE": "strain", "CPS": "stress", "CAX": "axisymmetric"}
_HELD = {"ENCASTRE": (1, 2), "PINNED": (1, 2), "XSYMM": (1, 1), "YSYMM": (2, 2)}
_TABLES = ("materials", "bodies", "functions", "supports", "loads", "contact", "watch")


class Model:
    """What has been translated so far: tables by kind and name, and what has been left."""

    def __init__(self, path: Path, units: Units, groups: Groups) -> None:
        self.path, self.units, self.groups = path, units, groups
        self.title, self.plane, self.time = path.stem, "", dict[str, Any]()
        self.tables: dict[str, dict[str, dict[str, Any]]] = {kind: {} for kind in _TABLES}
        self.comments: dict[tuple[str, str], str] = {}
        self.left: list[str] = []
        self.material, self.interaction = "", ""
        self.frictions: dict[str, float] = {}
        self.step: Card | None = None

    def leave(self, card: Card, why: str) -> None:
        """Note what is not translated."""
        self.left.append(f"line {card.number}: *{card.keyword}: {why}")

    def leave_options(self, card: Card, *known: str) -> None:
        """Note the options of a card beside those that are known."""
        for name, value in card.options.items():
            if name not in known:
                said = f"{name}={value}" if value else name
                self.leave(card, f"the option {said} is not translated")

    def add(self, kind: str, name: str, keys: dict[str, Any]) -> None:
        """Add a table; a second one of that name gets a number."""
        entries, own, count = self.tables[kind], name, 1
        while own in entries:
            count += 1
            own = f"{name}-{count}"
        entries[own] = keys

    def function(self, card: Card) -> dict[str, str]:
        """The key `function` of a load or a support: its amplitude, or what the step does."""
        name = card.options.get("AMPLITUDE")
        if name is not None:
            own = next((n for n in self.tables["functions"] if n.upper() == name.upper()), None)
            if own is None:
                raise card.at(self.path, f"has the amplitude {name!r}, which could not be read")
            return {"function": own}
        ramped = self.time.get("scheme") == "static" and self._how() != "STEP"
        if self.step is None or not (ramped or self._how() == "RAMP"):
            return {}
        self.tables["functions"].setdefault("ramp", {"type": "ramp", "end": self.time["end"]})
        return {"function": "ramp"}

    def _how(self) -> str:
        return "" if self.step is None else self.step.options.get("AMPLITUDE", "").upper()

    def finish(self) -> None:
        """What must be there for a study; histories of what is pressed and pulled."""
        for kind, keyword in (("materials", "MATERIAL"), ("bodies", "SOLID SECTION")):
            if not self.tables[kind]:
                raise self._lacks(keyword)
        if not self.time:
            raise self._lacks("STATIC or *DYNAMIC")
        spelt = {name.upper(): name for name in self.tables["materials"]}
        for body in self.tables["bodies"].values():
            body["material"] = spelt.get(body["material"].upper(), body["material"])
        for name, pair in self.tables["contact"].items():
            mu = self.frictions.get(pair.pop("interaction").upper(), 0.0)
            if mu:
                pair["friction"] = mu
            keys = {"type": "contact-force", "at": name, "component": "normal"}
            self.add("watch", f"{name}-force", keys)
        for name, support in self.tables["supports"].items():
            for way in ("x", "y"):
                if "function" in support and way in support:
                    keys = {"type": "reaction", "at": name, "component": way}
                    self.add("watch", f"{name}-{way}", keys)
        for name, material in self.tables["materials"].items():
            if "young" not in material:
                raise self._lacks(f"ELASTIC of the material {name}")
            if material.setdefault("density", 0.0) == 0.0:
                self.comments["materials", name] = "the file has no density"

    def _lacks(self, keyword: str) -> InputError:
        return InputError(f"{self.path}: there is no *{keyword}, without which there is no study")


def number(model: Model, card: Card, line: list[str], place: int, default: float) -> float:
    """A number of a line of data; the default where there is none."""
    word = line[place] if place < len(line) else ""
    try:
        value = float(word.upper().replace("D", "E")) if word else default
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise card.at(model.path, f"has {word!r} where a finite number must stand")
    return value


def _heading(model: Model, card: Card) -> None:
    text = ", ".join(card.lines[0]) if card.lines else ""
    model.title = text[:200] or model.title


def _element(model: Model, card: Card) -> None:
    """The plane of the study, from the type of its elements; the mesh reader takes the rest."""
    kind = card.options.get("TYPE", "").upper()
    plane = _PLANES.get(kind[:3])
    if plane is None:
        model.leave(card, f"{kind}: springs, dashpots and masses are [springs] and [point_masses]")
    elif model.plane not in ("", plane):
        raise card.at(model.path, f"has {kind}, but others are of plane {model.plane!r}; use one")
    else:
        model.plane = plane
        if kind[4:]:
            model.leave(card, f"{kind[4:]} of {kind}: elements are integrated in full")


def _material(model: Model, card: Card) -> None:
    model.material = card.options.get("NAME", "")
    if not model.material:
        raise card.at(model.path, "has no NAME=…")
    model.add("materials", model.material, {})


def _of_material(model: Model, card: Card) -> dict[str, Any]:
    if model.material not in model.tables["materials"] or not (card.lines or card.options):
        raise card.at(model.path, "must stand below a *MATERIAL and have a line of data")
    if len(card.lines) > 1:
        model.leave(card, "only its first line is read: properties do not depend on temperature")
    return model.tables["materials"][model.material]


def _elastic(model: Model, card: Card) -> None:
    keys = _of_material(model, card)
    if card.options.get("TYPE", "ISOTROPIC").upper()[:3] != "ISO":
        raise card.at(model.path, 'is not isotropic; write the material as law = "orthotropic"')
    if not card.lines:
        raise card.at(model.path, "has no line of data. Write Young's modulus and Poisson's ratio.")
    keys["young"] = number(model, card, card.lines[0], 0, 0.0) * model.units.stress
    keys["poisson"] = number(model, card, card.lines[0], 1, 0.0)


def _density(model: Model, card: Card) -> None:
    density = number(model, card, card.lines[0] if card.lines else [], 0, 0.0)
    _of_material(model, card)["density"] = density * model.units.density


def _damping(model: Model, card: Card) -> None:
    keys = _of_material(model, card)
    for name, own in (("ALPHA", "rayleigh_mass"), ("BETA", "rayleigh_stiffness")):
        if name in card.options:
            keys[own] = number(model, card, [card.options[name]], 0, 0.0)
    model.leave_options(card, "ALPHA", "BETA")


def _section(model: Model, card: Card) -> None:
    elset, material = (card.options.get(name, "") for name in ("ELSET", "MATERIAL"))
    cells = model.groups.cells(elset)
    if cells is None:
        raise model.groups.missing(elset)
    keys: dict[str, Any] = {"material": material}
    thickness = number(model, card, card.lines[0] if card.lines else [], 0, 0.0)
    if model.plane != "axisymmetric" and (thickness or model.units.length != 1.0):
        keys["thickness"] = (thickness or 1.0) * model.units.length
    model.add("bodies", cells, keys)
    model.leave_options(card, "ELSET", "MATERIAL")


def _amplitude(model: Model, card: Card) -> None:
    if card.options.get("DEFINITION", "TABULAR").upper() != "TABULAR":
        model.leave(card, 'only tables of time and value are read; use type = "sine" or the like')
        return
    words = [w for line in card.lines for w in line if w]
    values = [number(model, card, [word], 0, 0.0) for word in words]
    keys = {"type": "table", "times": values[::2], "values": values[1::2]}
    model.add("functions", card.options.get("NAME", "amplitude"), keys)
    model.leave_options(card, "NAME", "DEFINITION")


def _boundary(model: Model, card: Card) -> None:
    if card.options.get("TYPE", "DISPLACEMENT").upper() != "DISPLACEMENT":
        model.leave(card, "only displacements are prescribed")
        return
    model.leave_options(card, "AMPLITUDE", "TYPE")
    for line in card.lines:
        kind = line[1].upper() if len(line) > 1 else ""
        if kind and not kind.isdigit():
            if kind not in _HELD:
                model.leave(card, f"{kind} of {line[0]} has no meaning in a plane")
                continue
            (first, last), value = _HELD[kind], 0.0
        else:
            first = int(number(model, card, line, 1, 0.0))
            last = int(number(model, card, line, 2, first))
            value = number(model, card, line, 3, 0.0) * model.units.length
        name = model.groups.nodes(line[0])
        if name is None:
            raise model.groups.missing(line[0])
        ways = [way for way, dof in (("x", 1), ("y", 2)) if first <= dof <= last]
        if not ways:
            model.leave(card, f"degree of freedom {first} of {line[0]} is none of a plane")
            continue
        keys = dict.fromkeys(ways, value) | (model.function(card) if value else {})
        _support(model, name, keys)


def _support(model: Model, name: str, keys: dict[str, Any]) -> None:
    """Add to the support of that place with the same function, or a new one."""
    for own in model.tables["supports"].values():
        if own["on"] == name and own.get("function") == keys.get("function"):
            own.update(keys)
            return
    model.add("supports", name, {"on": name} | keys)


def _cload(model: Model, card: Card) -> None:
    model.leave_options(card, "AMPLITUDE")
    for line in card.lines:
        dof, value = (int(number(model, card, line, 1, 0.0)), number(model, card, line, 2, 0.0))
        points = model.groups.single(line[0])
        if points is None:
            raise model.groups.missing(line[0])
        if dof not in (1, 2):
            model.leave(card, f"degree of freedom {dof} of {line[0]} is none of a plane")
            continue
        force = [value * model.units.force * (dof == way) for way in (1, 2)]
        for point in points:
            keys = {"type": "point-force", "on": point, "value": force} | model.function(card)
            model.add("loads", f"force-{point}", keys)


def _dsload(model: Model, card: Card) -> None:
    model.leave_options(card, "AMPLITUDE")
    for line in card.lines:
        kind = line[1].upper() if len(line) > 1 else ""
        edge = model.groups.edges(line[0])
        if edge is None:
            raise model.groups.missing(line[0])
        value = number(model, card, line, 2, 0.0) * model.units.stress
        if kind == "P":
            keys: dict[str, Any] = {"type": "pressure", "on": edge, "value": value}
        elif kind == "TRVEC":
            x, y = (number(model, card, line, i, 0.0) for i in (3, 4))
            size = (x * x + y * y) ** 0.5 or 1.0
            keys = {"type": "traction", "on": edge, "value": [value * x / size, value * y / size]}
        else:
            model.leave(card, f"{kind} on {line[0]}: only P and TRVEC are translated")
            continue
        model.add("loads", f"load-{edge}", keys | model.function(card))


def _dload(model: Model, card: Card) -> None:
    model.leave_options(card, "AMPLITUDE")
    for line in card.lines:
        kind = line[1].upper() if len(line) > 1 else ""
        if kind != "GRAV":
            model.leave(card, f"{kind} on {line[0]}: load a *SURFACE with *DSLOAD instead")
            continue
        bodies = list(model.tables["bodies"])
        chosen = [b for b in bodies if b == model.groups.cells(line[0])] if line[0] else bodies
        if not chosen:
            model.leave(card, f"GRAV on {line[0]}, which is no set of a *SOLID SECTION")
        g, x, y = (number(model, card, line, i, 0.0) for i in (2, 3, 4))
        value = [g * x * model.units.length, g * y * model.units.length]
        for body in chosen:
            keys = {"type": "gravity", "on": body, "value": value} | model.function(card)
            model.add("loads", f"weight-{body}", keys)


def _interaction(model: Model, card: Card) -> None:
    model.interaction = card.options.get("NAME", "")


def _friction(model: Model, card: Card) -> None:
    model.leave_options(card)
    line = card.lines[0] if card.lines else []
    model.frictions[model.interaction.upper()] = number(model, card, line, 0, 0.0)
    if len(card.lines) > 1 or len([word for word in line if word]) > 1:
        model.leave(card, "only the first coefficient is read; see the friction laws of [contact]")


def _behavior(model: Model, card: Card) -> None:
    if card.options.get("PRESSURE-OVERCLOSURE", "HARD").upper() != "HARD":
        model.leave(card, 'contact is hard; method = "penalty" gives way with `normal_penalty`')


def _pair(model: Model, card: Card) -> None:
    model.leave_options(card, "INTERACTION", "TYPE", "ADJUST")
    adjust = card.options.get("ADJUST", "")
    for line in card.lines:
        names = [model.groups.edges(word) for word in line[:2] if word]
        if len(names) < 2:
            model.leave(card, f"contact of {line[0]} with itself")
            continue
        for word, name in zip(line, names, strict=False):
            if name is None:
                raise card.at(
                    model.path, f"names {word!r}, which is no *SURFACE of elements in the mesh"
                )
        keys: dict[str, Any] = {"slave": names[0], "master": names[1]}
        if adjust:
            keys["close_gaps_below"] = number(model, card, [adjust], 0, 0.0) * model.units.length
        keys["interaction"] = card.options.get("INTERACTION", "")
        model.add("contact", f"{names[0]}-{names[1]}", keys)


def _initial(model: Model, card: Card) -> None:
    if card.options.get("TYPE", "").upper() != "VELOCITY":
        model.leave(card, "only velocities of whole bodies are translated")
        return
    for line in card.lines:
        nodes, dof = model.groups.nodes(line[0]), int(number(model, card, line, 1, 0.0))
        moved = [b for b in model.tables["bodies"] if nodes and model.groups.whole_body(nodes, b)]
        if not moved or dof not in (1, 2):
            model.leave(card, f"{line[0]}: only velocities of whole bodies are translated")
        for body in moved[: dof in (1, 2)]:
            velocity = model.tables["bodies"][body].setdefault("velocity", [0.0, 0.0])
            velocity[dof - 1] = number(model, card, line, 2, 0.0) * model.units.length


def _step(model: Model, card: Card) -> None:
    model.step = card
    model.leave_options(card, "NAME", "NLGEOM", "INC", "AMPLITUDE")
    if card.options.get("NLGEOM", "NO").upper() != "NO":
        model.leave(
            card, 'NLGEOM: strains are small; a body that turns as a whole has motion = "turning"'
        )


def _static(model: Model, card: Card) -> None:
    _times(model, card, "static")


def _dynamic(model: Model, card: Card) -> None:
    if "EXPLICIT" in card.options:
        raise card.at(model.path, "is explicit; implicit steps (*DYNAMIC) are translated")
    quasi = card.options.get("APPLICATION", "").upper() == "QUASI-STATIC"
    _times(model, card, "implicit-euler" if quasi else "hht")
    if not quasi:
        model.time["alpha"] = number(model, card, [card.options.get("ALPHA", "")], 0, -0.05)
    model.leave_options(card, "DIRECT", "ALPHA", "APPLICATION")


def _times(model: Model, card: Card, scheme: str) -> None:
    line = card.lines[0] if card.lines else []
    end = number(model, card, line, 1, 1.0) or 1.0  # 0 stands for the default, as nothing does
    step = min(number(model, card, line, 0, end) or end, end)
    model.time = {"scheme": scheme, "step": step, "end": end}


READERS: dict[str, Callable[[Model, Card], None]] = {
    "HEADING": _heading,
    "ELEMENT": _element,
    "MATERIAL": _material,
    "ELASTIC": _elastic,
    "DENSITY": _density,
    "DAMPING": _damping,
    "SOLID SECTION": _section,
    "AMPLITUDE": _amplitude,
    "BOUNDARY": _boundary,
    "CLOAD": _cload,
    "DLOAD": _dload,
    "DSLOAD": _dsload,
    "SURFACE INTERACTION": _interaction,
    "FRICTION": _friction,
    "SURFACE BEHAVIOR": _behavior,
    "CONTACT PAIR": _pair,
    "INITIAL CONDITIONS": _initial,
    "STEP": _step,
    "STATIC": _static,
    "DYNAMIC": _dynamic,
}
