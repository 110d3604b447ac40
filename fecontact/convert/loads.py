"""Steps, amplitudes, prescribed displacements, loads, springs and masses of an input file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fecontact.convert.history import Entry, Step
from fecontact.convert.model import Keys, Model
from fecontact.mesh.readers.deck import Card
from fecontact.study.common import GROUND

_BOUNDARY_TYPES = {"ENCASTRE": (1, 6), "PINNED": (1, 2), "XSYMM": (1, 1), "YSYMM": (2, 2)}
_WAYS = ((1, "x"), (2, "y"))
_RADIANS = 57.29577951308232  # degrees per radian
_OPTIONS = ("AMPLITUDE", "OP", "TYPE")


def step(model: Model, card: Card) -> None:
    """Translate *STEP; it starts at the end of the step before."""
    last = model.step
    if last is not None and not last.scheme:
        raise model.wrong(last.card, "has no *STATIC or *DYNAMIC")
    name, known = card.options.get("NAME", ""), [other.name for other in model.steps]
    name = name or f"Step-{len(known) + 1}"
    name = f"{name}-{len(known) + 1}" if name in known else name
    nonlinear = card.options.get("NLGEOM", "NO").upper() != "NO"
    start = last.end if last is not None else 0.0
    model.steps.append(Step(name, card, start, nonlinear=nonlinear))
    if "PERTURBATION" in card.options:
        raise model.wrong(card, "is a perturbation step; only general steps are translated")
    model.leave_options(card, "NAME", "NLGEOM", "INC", "AMPLITUDE")


_STATIC_HINTS = {
    "RIKS": 'set time.load_control = "arc-length"',
    "STABILIZE": 'set time.stabilization = "auto"',
}


def static(model: Model, card: Card) -> None:
    """Translate *STATIC."""
    _times(model, card, "static")
    model.leave_options(card, "DIRECT", hints=_STATIC_HINTS)


def dynamic(model: Model, card: Card) -> None:
    """Translate *DYNAMIC: HHT, or implicit Euler for quasi-static steps."""
    if "EXPLICIT" in card.options:
        raise model.wrong(card, "is explicit; only implicit steps (*DYNAMIC) are translated")
    quasi = card.options.get("APPLICATION", "").upper() == "QUASI-STATIC"
    _times(model, card, "implicit-euler" if quasi else "hht")
    if not quasi and model.step is not None:
        model.step.alpha = model.number(card, [card.options.get("ALPHA", "")], 0, -0.05)
    model.leave_options(card, "DIRECT", "ALPHA", "APPLICATION")


def _times(model: Model, card: Card, scheme: str) -> None:
    step = model.step
    if step is None:
        raise model.wrong(card, "must follow a *STEP")
    line = card.lines[0] if card.lines else []
    length = model.number(card, line, 1) or 1.0  # both default to zero, as in Abaqus
    size = model.number(card, line, 0) or length
    if length < 0 or size < 0:
        raise model.wrong(card, f"has a negative time: {', '.join(line)}")
    step.scheme, step.size, step.end = scheme, min(size, length), step.start + length


def amplitude(model: Model, card: Card) -> None:
    """Translate *AMPLITUDE: tables of time and value."""
    if card.options.get("DEFINITION", "TABULAR").upper() != "TABULAR":
        model.leave(
            card, 'only tables of time and value are read. Use type = "sine" or another function.'
        )
        return
    words = [word for line in card.lines for word in line if word]
    values = [model.number(card, [word], 0) for word in words]
    if len(values) < 2 or len(values) % 2:
        raise model.wrong(card, "must have pairs of time and value")
    total = card.options.get("TIME", "").upper() == "TOTAL TIME"
    times, factors = values[::2], values[1::2]
    if len(times) == 1:
        times, factors = [times[0], times[0] + 1.0], factors * 2
    keys = {"type": "table", "times": times, "values": factors, "total": total}
    model.amplitudes[card.options.get("NAME", "amplitude")] = keys
    model.leave_options(card, "NAME", "DEFINITION", "TIME")


def boundary(model: Model, card: Card) -> None:
    """Translate *BOUNDARY: supports, or the motion of a rigid tool."""
    if card.options.get("TYPE", "DISPLACEMENT").upper() != "DISPLACEMENT":
        model.leave(card, "only displacements are prescribed")
        return
    preloads = (model.groups.nodes(line[0]) for line in card.lines)
    locks = any(name and model.groups.row(name) in model.preloads for name in preloads)
    model.leave_options(card, *_OPTIONS, *(["FIXED"] if locks else []))
    for line in card.lines:
        for first, last, value in _components(model, card, line):
            _prescribe(model, card, line[0], first, last, value)


def _components(model: Model, card: Card, line: list[str]) -> Iterator[tuple[int, int, float]]:
    """Return the first and last degree of freedom and the value of a data line."""
    kind = line[1].upper() if len(line) > 1 else ""
    if kind and not kind.isdigit():
        if kind in _BOUNDARY_TYPES:
            yield (*_BOUNDARY_TYPES[kind], 0.0)
        else:
            model.leave(card, f"{kind} of {line[0]} does not apply to a plane model")
        return
    first = model.whole(card, line, 1)
    yield first, model.whole(card, line, 2, first), model.number(card, line, 3)


def _prescribe(model: Model, card: Card, target: str, first: int, last: int, value: float) -> None:
    name = model.groups.nodes(target)
    if name is None:
        raise model.groups.missing(target)
    if preload := model.preloads.get(model.groups.row(name)):
        _shorten(model, card, preload, first, value)
        return
    tool = model.reference_nodes.get(model.groups.row(name))
    ways: list[tuple[str, float]] = [
        (way, value * model.units.length) for dof, way in _WAYS if first <= dof <= last
    ]
    if tool is not None and first <= 6 <= last:
        ways.append(("angle", value * _RADIANS))
    if not ways:
        model.leave(card, f"degree of freedom {first} of {target} does not exist in a plane model")
    for way, size in ways:
        if tool is not None:
            entry = Entry("tools", tool, {}, way)
            model.tables["tools"][tool].setdefault("prescribed", []).append(way)
        else:
            entry = Entry("supports", name, {"on": name}, way)
        model.histories.set((entry.kind, entry.name, way), entry, card, size)


def _shorten(model: Model, card: Card, preload: tuple[str, Keys], dof: int, value: float) -> None:
    """Lock a pretension section, or prescribe its shortening."""
    name, keys = preload
    if dof != 1:
        return  # the node has only the degree of freedom 1
    if "FIXED" in card.options:
        model.histories.lock(name)
        return
    entry = Entry("loads", name, keys, "shortening")
    model.histories.set(("loads", name, "shortening"), entry, card, value * model.units.length)


def pretension(model: Model, card: Card) -> None:
    """Translate *PRE-TENSION SECTION: a section of the bolt at a surface of elements; its node has
    the force and the shortening.
    """
    model.leave_options(card, "SURFACE", "NODE")
    surface = model.groups.edges(card.options.get("SURFACE", ""))
    node = model.groups.nodes(card.options.get("NODE", ""))
    if surface is None or node is None:
        raise model.wrong(card, "must have a SURFACE of elements and a NODE of the file")
    bodies = model.tables["bodies"].items()
    cut = [body for body, keys in bodies if model.groups.beside(surface, keys["cells"])]
    if len(cut) != 1:
        several = ", ".join(cut) or "no body"
        model.leave(card, f'cuts {several}; add a load of type = "pretension" to one body')
        return
    point, normal = model.groups.section(surface)
    keys: Keys = {"type": "pretension", "on": cut[0], "point": list(point), "normal": list(normal)}
    model.preloads[model.groups.row(node)] = (f"pretension-{surface}", keys)
    watch = {"type": "pretension-force", "at": f"pretension-{surface}"}
    model.add("watch", f"{surface}-force", watch)


def cload(model: Model, card: Card) -> None:
    """Translate *CLOAD: forces at points, or on a rigid tool."""
    model.leave_options(card, *_OPTIONS)
    for line in card.lines:
        dof, value = model.whole(card, line, 1), model.number(card, line, 2)
        points = model.groups.single(line[0])
        if points is None:
            raise model.groups.missing(line[0])
        for point in points:
            if preload := model.preloads.get(model.groups.row(point)):
                name, keys = preload
                entry = Entry("loads", name, keys, "force")
                size = value * model.units.force
                model.histories.set(("loads", name, "force"), entry, card, size)
                continue
            tool = model.reference_nodes.get(model.groups.row(point))
            if dof == 6 and tool is not None:
                moment = value * model.units.force * model.units.length
                entry = Entry("tools", tool, {"free": ["angle"]}, "moment")
                model.histories.set(("tools", tool, "moment"), entry, card, moment)
                continue
            if dof not in (1, 2):
                model.leave(
                    card, f"degree of freedom {dof} of {line[0]} does not exist in a plane model"
                )
                continue
            unit = [float(dof == 1), float(dof == 2)]
            if tool is not None:
                entry = Entry("tools", tool, {"free": ["xy"[dof - 1]]}, "force", unit=unit)
            else:
                keys = {"type": "point-force", "on": point}
                entry = Entry("loads", f"force-{point}", keys, "value", unit=unit)
            identity = (entry.kind, entry.name, str(dof))
            model.histories.set(identity, entry, card, value * model.units.force)


def dsload(model: Model, card: Card) -> None:
    """Translate *DSLOAD: pressures and tractions on surfaces."""
    model.leave_options(card, *_OPTIONS)
    for line in card.lines:
        edge = model.groups.edges(line[0])
        if edge is None:
            raise model.groups.missing(line[0])
        _on_edge(model, card, line, edge)


def _on_edge(model: Model, card: Card, line: list[str], edge: str) -> None:
    """Add a pressure (P) or a traction along a vector (TRVEC)."""
    kind = line[1].upper() if len(line) > 1 else ""
    unit: list[float] = []
    if kind.startswith("P") and (kind == "P" or kind[1:].isdigit()):
        keys: Keys = {"type": "pressure", "on": edge}
    elif kind == "TRVEC":
        x, y = (model.number(card, line, i) for i in (3, 4))
        length = (x * x + y * y) ** 0.5 or 1.0
        keys, unit = {"type": "traction", "on": edge}, [x / length, y / length]
    else:
        model.leave(card, f"{kind} on {line[0]}: only P and TRVEC are translated")
        return
    value = model.number(card, line, 2) * model.units.stress
    entry = Entry("loads", f"load-{edge}", keys, "value", unit=unit)
    model.histories.set(("loads", edge, kind), entry, card, value)


def dload(model: Model, card: Card) -> None:
    """Translate *DLOAD: gravity, body forces, and pressures on element faces."""
    model.leave_options(card, *_OPTIONS)
    for line in card.lines:
        kind = line[1].upper() if len(line) > 1 else ""
        if kind[:1] == "P" and kind[1:].isdigit():
            _on_edge(model, card, line, model.groups.faces(line[0], int(kind[1:])))
        elif kind in ("GRAV", "BX", "BY"):
            _on_bodies(model, card, line, kind)
        else:
            model.leave(card, f"{kind} on {line[0]}: only P1 to P4, GRAV, BX and BY are translated")


def _on_bodies(model: Model, card: Card, line: list[str], kind: str) -> None:
    bodies, size = model.body_of(line[0]), model.number(card, line, 2)
    if not bodies:
        model.leave(card, f"{kind} on {line[0]}, which is not a set of a *SOLID SECTION")
    if kind == "GRAV":
        unit, size = [model.number(card, line, i) for i in (3, 4)], size * model.units.length
    else:
        unit = [float(kind == "BX"), float(kind == "BY")]
        size *= model.units.stress / model.units.length
    for body in bodies:
        keys = {"type": "gravity" if kind == "GRAV" else "body-force", "on": body}
        entry = Entry("loads", f"weight-{body}", keys, "value", unit=unit)
        model.histories.set(("loads", body, kind), entry, card, size)


def spring(model: Model, card: Card) -> None:
    """Translate *SPRING and *DASHPOT: SPRING1, SPRING2 along a dof, SPRINGA along its line."""
    model.leave_options(card, "ELSET")
    if "NONLINEAR" in card.options:
        model.leave(card, "only linear ones are translated")
        return
    model.first_line(card)
    lines = card.lines if len(card.lines) > 1 else [[], *card.lines]  # the first one can be blank
    elset = card.options.get("ELSET", "")
    key = "stiffness" if card.keyword == "SPRING" else "damping"
    size = model.number(card, lines[1], 0) * model.units.force / model.units.length
    dof = model.whole(card, lines[0], 0)
    for ends, direction in model.groups.links(elset):
        keys: dict[str, Any] = {"between": [ends[0], ends[1] if len(ends) > 1 else GROUND]}
        if dof in (1, 2):
            keys[key] = [size * (dof == 1), size * (dof == 2)]
        elif len(ends) > 1 and dof == 0:
            keys |= {key: [size, 0.0], "direction": direction}
        else:
            model.leave(card, f"degree of freedom {dof} of {elset} does not exist in a plane model")
            return
        model.add("springs", f"{elset}-{ends[0]}", keys)


def mass(model: Model, card: Card) -> None:
    """Translate *MASS: point masses."""
    model.leave_options(card, "ELSET")
    elset = card.options.get("ELSET", "")
    size = model.number(card, model.first_line(card), 0) * model.units.mass
    points = model.groups.single(elset)
    if points is None:
        raise model.groups.missing(elset)
    for point in points:
        tool = model.reference_nodes.get(model.groups.row(point))
        if tool is not None:
            model.tables["tools"][tool]["mass"] = size
        else:
            model.add("point_masses", f"mass-{point}", {"on": point, "mass": size})


def initial(model: Model, card: Card) -> None:
    """Translate *INITIAL CONDITIONS, TYPE=VELOCITY of whole bodies."""
    if card.options.get("TYPE", "").upper() != "VELOCITY":
        model.leave(card, "only velocities of whole bodies are translated")
        return
    for line in card.lines:
        nodes, dof = model.groups.nodes(line[0]), model.whole(card, line, 1)
        bodies = model.tables["bodies"].items()
        moved = [k for _, k in bodies if nodes and model.groups.whole_body(nodes, k["cells"])]
        if not moved or dof not in (1, 2):
            model.leave(card, f"{line[0]}: only velocities of whole bodies are translated")
            continue
        for body in moved:
            velocity = body.setdefault("velocity", [0.0, 0.0])
            velocity[dof - 1] = model.number(card, line, 2) * model.units.length
