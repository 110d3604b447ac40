"""Contact pairs, ties and rigid surfaces of an input file."""

from __future__ import annotations

import math
from typing import Any

from fecontact.convert.model import Keys, Model
from fecontact.mesh.readers.deck import Card

TIED = 1e12  # Pa; a bond that never fails; a stronger one costs forces their last digits
_TIED_FRICTION = 10.0
_EXACT = 'the constraint is exact (method = "lagrangian"); method = "{}" is the equivalent'
_METHODS = {"PENALTY": "penalty", "AUGMENTED LAGRANGE": "augmented-lagrangian"}


def interaction(model: Model, card: Card) -> None:
    """Translate *SURFACE INTERACTION; the cards that follow belong to it."""
    model.interaction = card.options.get("NAME", "")
    model.leave_options(card, "NAME")


def friction(model: Model, card: Card) -> None:
    """Translate *FRICTION: Coulomb's coefficient; a large one if ROUGH."""
    model.leave_options(card, "SLIP TOLERANCE", "ELASTIC SLIP", "ROUGH")
    line = card.lines[0] if card.lines else []
    rough = _TIED_FRICTION if "ROUGH" in card.options else 0.0
    model.frictions[model.interaction.upper()] = model.number(card, line, 0, rough)
    if len(card.lines) > 1 or len([word for word in line if word]) > 1:
        model.leave(card, "only the first coefficient is read; see the friction laws of [contact]")


def behavior(model: Model, card: Card) -> None:
    """Translate *SURFACE BEHAVIOR: hard contact with an exact constraint."""
    if card.options.get("PRESSURE-OVERCLOSURE", "HARD").upper() != "HARD":
        model.leave(card, 'contact is hard; method = "penalty" is compliant with `normal_penalty`')
    hints = {option: _EXACT.format(method) for option, method in _METHODS.items()}
    model.leave_options(card, "PRESSURE-OVERCLOSURE", "DIRECT", "NO SEPARATION", hints=hints)
    if "NO SEPARATION" in card.options:
        model.bonded.add(model.interaction.upper())
        model.leave(card, "NO SEPARATION: only nodes in contact at the start are bonded")


def pair(model: Model, card: Card) -> None:
    """Translate *CONTACT PAIR: slave, master."""
    model.leave_options(card, "INTERACTION", "TYPE", "ADJUST", "SMALL SLIDING")
    if card.options.get("TYPE", "").upper() == "SURFACE TO SURFACE":
        model.leave(card, f"TYPE=SURFACE TO SURFACE: {_EXACT.format('continuous')}")
    settings: Keys = {"interaction": card.options.get("INTERACTION", "")}
    if adjust := card.options.get("ADJUST", ""):
        settings["gap_closure_tolerance"] = model.number(card, [adjust], 0) * model.units.length
    for line in card.lines:
        names = [word for word in line[:2] if word]
        if names:
            add_pair(model, card, names, settings)


def add_pair(model: Model, card: Card, names: list[str], settings: Keys) -> None:
    """Add a pair of two surfaces; one surface is in contact with itself."""
    keys = _surfaces(model, card, names if len(names) > 1 else names * 2) | settings
    model.add("contact", f"{keys['slave']}-{keys['master']}", keys)


def _surfaces(model: Model, card: Card, names: list[str]) -> Keys:
    """Return slave and master edges; the master can be a tool."""
    found: list[str] = []
    for i, word in enumerate(names):
        tool = model.tool_of.get(_bare(model.tool_of, word)) if i == 1 else None
        name = tool or model.groups.edges(word)
        if name is None:
            raise model.wrong(
                card, f"uses {word!r}, which is not a *SURFACE of elements in the mesh"
            )
        found.append(name)
    return {"slave": found[0], "master": found[1]}


def _bare(known: dict[str, Any], word: str) -> str:
    """Return a known name in capitals: with its instance, or without if that is unique."""
    word = word.upper()
    ends = [name for name in known if name.rpartition(".")[2] == word]
    return ends[0] if word not in known and len(ends) == 1 else word


def tie(model: Model, card: Card) -> None:
    """Translate *TIE: a permanent bond of nodes that are in contact at the start."""
    model.leave_options(card, "NAME", "ADJUST", "POSITION TOLERANCE", "TYPE")
    reach = card.options.get("POSITION TOLERANCE", "")
    for line in card.lines:
        keys = _surfaces(model, card, [word for word in line[:2] if word])
        keys |= {"friction": _TIED_FRICTION, "adhesion": TIED}
        gap = model.number(card, [reach], 0) * model.units.length
        keys["gap_closure_tolerance"] = gap or model.groups.extent() * 1e-3
        name = card.options.get("NAME") or f"{keys['slave']}-{keys['master']}"
        model.comments["contact", model.add("contact", name, keys)] = "tied"


def interference(model: Model, card: Card) -> None:
    """Translate *CONTACT INTERFERENCE: the initial overlap is removed over the step."""
    step = model.step
    if step is None or len(model.steps) > 1:
        model.leave(card, "it is translated in the first step only; see `contact.NAME.offset`")
        return
    model.leave_options(card, "OP", "TYPE", "SHRINK", "AMPLITUDE")
    for line in card.lines:
        for keys in _named(model, line[0], line[1] if len(line) > 1 else ""):
            keys["overlap_ramp_time"] = (step.end or 1.0) - step.start
            if "AMPLITUDE" in card.options:
                model.leave(card, "the overlap is removed linearly, without the amplitude")


def clearance(model: Model, card: Card) -> None:
    """Translate *CLEARANCE: added to the gap of the mesh."""
    model.leave_options(card, "MASTER", "SLAVE", "VALUE")
    found = _named(model, card.options.get("SLAVE", ""), card.options.get("MASTER", ""))
    if not found:
        model.leave(card, "no *CONTACT PAIR with these surfaces precedes it")
    for keys in found:
        keys["offset"] = (
            -model.number(card, [card.options.get("VALUE", "")], 0) * model.units.length
        )
        model.leave(card, "the clearance is added to the gap of the mesh")


def model_change(model: Model, card: Card) -> None:
    """Translate *MODEL CHANGE, TYPE=CONTACT PAIR: pairs are deactivated and activated."""
    if card.options.get("TYPE", "").upper() != "CONTACT PAIR" or model.step is None:
        model.leave(card, "only contact pairs can be activated and deactivated")
        return
    number, active = len(model.steps) - 1, "ADD" in card.options
    for line in card.lines:
        for keys in _named(model, line[0], line[1] if len(line) > 1 else ""):
            if number == 0:
                keys["active"] = active
            else:
                keys.setdefault("switched", {})[number] = active


def _named(model: Model, slave: str, master: str) -> list[Keys]:
    edge = model.groups.edges(slave)
    other = model.tool_of.get(_bare(model.tool_of, master)) or model.groups.edges(master)
    pairs = model.tables["contact"].values()
    named = [keys for keys in pairs if "slave" in keys]  # general contact has no surfaces
    return [keys for keys in named if keys["slave"] == edge and other in (keys["master"], None)]


def surface(model: Model, card: Card) -> None:
    """Store *SURFACE, TYPE=SEGMENTS, an analytical outline, for *RIGID BODY."""
    model.leave_options(card, "NAME", "TYPE", "INTERNAL")
    if card.options.get("TYPE", "").upper() == "SEGMENTS":
        model.outlines[card.options.get("NAME", "").upper()] = card
    elif card.options.get("TYPE", "ELEMENT").upper() == "NODE":
        model.leave(card, "surfaces of nodes are not translated; use surfaces of elements")
    for line in card.lines:
        if len(line) > 1 and line[1].upper() in ("SPOS", "SNEG"):
            model.rigid_surfaces[card.options.get("NAME", "").upper()] = line[0]


def rigid_body(model: Model, card: Card) -> None:
    """Translate *RIGID BODY: a tool from an analytical surface or from rigid elements."""
    model.leave_options(card, "REF NODE", "ANALYTICAL SURFACE", "ELSET", "POSITION")
    node = card.options.get("REF NODE", "")
    name = model.groups.nodes(node)
    if name is None:
        raise model.groups.missing(node)
    row = model.groups.row(name)
    about = model.groups.place(row)
    analytical = card.options.get("ANALYTICAL SURFACE", "")
    elset = card.options.get("ELSET", "")
    if analytical:
        outline = model.outlines.get(_bare(model.outlines, analytical))
        if outline is None:
            raise model.wrong(card, f"has the surface {analytical!r}, which is not found")
        tool = _outline(model, outline, analytical)
        model.tool_of[outline.options.get("NAME", "").upper()] = tool
    else:
        group = model.groups.edges(elset)
        if group is None:
            model.leave(card, f"{elset}: only analytical surfaces and R2D2, RAX2 are translated")
            return
        tool = model.add("tools", f"tool-{elset}", {"type": "segments", "group": group})
        for own, elements in model.rigid_surfaces.items():
            if model.groups.edges(elements) == group:
                model.tool_of[own] = tool
    model.tables["tools"][tool]["reference_point"] = list(about)
    model.reference_nodes[row] = tool


def _outline(model: Model, card: Card, name: str) -> str:
    """Return a tool of lines and arcs; its side is determined when its pairs are known."""
    here = (0.0, 0.0)
    parts: list[Keys] = []
    length = model.units.length
    for line in card.lines:
        x, y = (model.number(card, line, i) * length for i in (1, 2))
        kind = line[0].upper()
        if kind == "LINE":
            if parts and parts[-1]["type"] == "polyline":
                parts[-1]["points"].append([x, y])
            else:
                parts.append({"type": "polyline", "points": [list(here), [x, y]]})
        elif kind == "CIRCL":
            centre = tuple(model.number(card, line, i) * length for i in (3, 4))
            parts.append(_arc(model, card, here, (x, y), (centre[0], centre[1])))
        elif kind != "START":
            raise model.wrong(card, f"has {line[0]!r}; only START, LINE and CIRCL are translated")
        here = (x, y)
    if not parts:
        raise model.wrong(card, "has no LINE and no CIRCL")
    if len(parts) == 1:
        return model.add("tools", name, parts[0])
    names = [model.add("tools", f"{name}-{i + 1}", part) for i, part in enumerate(parts)]
    return model.add("tools", name, {"type": "composite", "of": names})


def _arc(
    model: Model,
    card: Card,
    start: tuple[float, float],
    end: tuple[float, float],
    centre: tuple[float, float],
) -> Keys:
    """Return an arc of less than 180 degrees between two points, in the order of its points."""
    first, last = (
        math.degrees(math.atan2(p[1] - centre[1], p[0] - centre[0])) for p in (start, end)
    )
    turn = (last - first + 180.0) % 360.0 - 180.0
    if not math.isclose(math.dist(start, centre), math.dist(end, centre), rel_tol=1e-4):
        raise model.wrong(card, "has an arc whose ends are at different distances from its centre")
    keys: Keys = {"type": "arc", "center": list(centre), "radius": math.dist(start, centre)}
    low, high = (first, first + turn) if turn > 0 else (first + turn, first)
    # With the tool on the left, an anticlockwise arc is a convex surface.
    return keys | {"start": low, "end": high, "contact_side": "outside" if turn > 0 else "inside"}


def finish(model: Model) -> None:
    """Complete friction of the pairs, sides of the tools, and histories of their forces."""
    for name, keys in model.tables["contact"].items():
        interaction = keys.pop("interaction", "") or model.general_interaction
        if coefficient := model.frictions.get(interaction.upper(), 0.0):
            keys.setdefault("friction", coefficient)
        if interaction.upper() in model.bonded:
            keys.setdefault("adhesion", TIED)
        if "slave" not in keys:  # general contact
            for tool in _whole_tools(model):
                _turn(model, tool, model.groups.centre())
            continue
        watch = {"type": "contact-force", "at": name, "component": "normal"}
        model.add("watch", f"{name}-force", watch)
        if keys["master"] in model.tables["tools"]:
            _turn(model, keys["master"], model.groups.middle(keys["slave"]))
    for keys in model.tables["tools"].values():
        prescribed, free = keys.pop("prescribed", []), keys.get("free", [])
        keys.pop("turned", None)
        if free:
            keys["free"] = sorted({way for way in free if way not in prescribed})


def _whole_tools(model: Model) -> list[str]:
    """Return the tools that are not pieces of another one."""
    pieces = {piece for keys in model.tables["tools"].values() for piece in keys.get("of", [])}
    return [name for name in model.tables["tools"] if name not in pieces]


def _turn(model: Model, tool: str, place: tuple[float, float]) -> None:
    """Reverse the outline of a tool if its slave, at `place`, lies on its left, the tool's side."""
    keys = model.tables["tools"][tool]
    if keys["type"] == "segments" or keys.get("turned"):
        return
    keys["turned"] = True
    parts = [model.tables["tools"][n] for n in keys.get("of", [])] or [keys]
    if not _on_left(parts, place):
        return
    if "of" in keys:
        keys["of"] = keys["of"][::-1]
    for part in parts:
        if part["type"] == "polyline":
            part["points"] = part["points"][::-1]
        else:
            part["contact_side"] = "inside" if part["contact_side"] == "outside" else "outside"


def _on_left(parts: list[Keys], place: tuple[float, float]) -> bool:
    """Return True if a point lies on the left of the nearest piece of an outline."""
    best, left = math.inf, False
    for part in parts:
        if part["type"] == "arc":
            radius = math.dist(place, part["center"])
            distance = abs(radius - part["radius"])
            side = (radius < part["radius"]) == (part["contact_side"] == "outside")
            if distance < best:
                best, left = distance, side
            continue
        for (ax, ay), (bx, by) in zip(part["points"], part["points"][1:], strict=False):
            length = math.hypot(bx - ax, by - ay) or 1.0
            s = ((place[0] - ax) * (bx - ax) + (place[1] - ay) * (by - ay)) / length**2
            s = min(max(s, 0.0), 1.0)
            distance = math.hypot(place[0] - ax - s * (bx - ax), place[1] - ay - s * (by - ay))
            if distance < best:
                cross = (bx - ax) * (place[1] - ay) - (by - ay) * (place[0] - ax)
                best, left = distance, cross > 0
    return left
