"""Time histories of loads and prescribed motions over the steps of an input file.

Each entry has pieces, one for each step that changes it. They become a value and a function of the
total time; steps become stages in which entries are activated and deactivated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fecontact.mesh.readers.deck import Card

if TYPE_CHECKING:
    from fecontact.convert.model import Model

Keys = dict[str, Any]
Point = tuple[float, float]  # time, s; value


@dataclass
class Step:
    """Step from start to end, s, with increments of size, s."""

    name: str
    card: Card
    start: float
    scheme: str = ""
    size: float = 0.0
    end: float = 0.0
    alpha: float | None = None
    nonlinear: bool = False

    @property
    def ramps(self) -> bool:
        """Return True if loads without an amplitude increase linearly in this step."""
        how = self.card.options.get("AMPLITUDE", "").upper()
        return how == "RAMP" or (self.scheme == "static" and how != "STEP")

    @property
    def timing(self) -> Keys:
        """Return the keys of [time]."""
        keys: Keys = {"scheme": self.scheme, "step": self.size, "end": self.end}
        return keys if self.alpha is None else keys | {"alpha": self.alpha}


@dataclass
class Piece:
    """Data of one card: a value, its amplitude, and the step (-1: before all steps)."""

    step: int
    value: float
    card: Card


@dataclass
class Entry:
    """Load or prescribed component: its target, and its pieces."""

    kind: str  # supports, loads, tools
    name: str
    keys: Keys
    component: str  # key of its value: x, y, value, force, …
    pieces: list[Piece] = field(default_factory=list)
    ends: int | None = None  # step in which it is removed
    locked: int | None = None  # step in which a pretension section is locked
    unit: list[float] = field(default_factory=list)  # direction of a vector value

    @property
    def begins(self) -> int:
        """Return the first step of the entry."""
        return max(0, self.pieces[0].step)


class Histories:
    """All entries, by their target."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._entries: dict[tuple[str, ...], Entry] = {}
        self._new: set[tuple[int, str]] = set()

    def set(self, identity: tuple[str, ...], entry: Entry, card: Card, value: float) -> None:
        """Set the value of an entry in the current step."""
        step = len(self._model.steps) - 1
        if card.options.get("OP", "").upper() == "NEW" and (step, card.keyword) not in self._new:
            self._new.add((step, card.keyword))
            for (keyword, *_), other in self._entries.items():
                if keyword == card.keyword and other.ends is None:
                    other.ends = step
        own = self._entries.setdefault((card.keyword, *identity), entry)
        if own.ends is not None:
            if own.ends != step:
                self._model.leave(
                    card, "it acts again after it was removed, which is not supported"
                )
                return
            own.ends = None
        own.pieces = [piece for piece in own.pieces if piece.step != step]
        own.pieces.append(Piece(step, value, card))

    def finish(self) -> None:
        """Write all entries into the tables of the model."""
        for entry in self._entries.values():
            self._write(entry)

    def stages(self) -> dict[str, Keys]:
        """Return the stages of several steps: times, and entries that are activated and
        deactivated.
        """
        steps = self._model.steps
        if len(steps) < 2:
            return {}
        found = {step.name: {"time": step.timing} for step in steps}
        for kind in ("supports", "loads", "contact"):
            for name, keys in self._model.tables[kind].items():
                for number, active in keys.pop("switched", {}).items():
                    stage = found[steps[number].name].setdefault(kind, {})
                    stage[name] = {"active": active}
                if (number := keys.pop("locked_from", 0)) > 0:
                    found[steps[number].name].setdefault(kind, {})[name] = {"locked": True}
        return found

    def lock(self, name: str) -> None:
        """Lock a pretension section from the current step on."""
        for entry in self._entries.values():
            if entry.kind == "loads" and entry.name == name:
                entry.locked = len(self._model.steps) - 1

    def _write(self, entry: Entry) -> None:
        size, function = self._value(entry)
        value: Any = [size * u for u in entry.unit] if entry.unit else size
        keys = entry.keys | {entry.component: value}
        if entry.kind == "tools":
            named = self._model.tables["tools"][entry.name]
            if "free" in entry.keys:
                keys["free"] = [*named.get("free", []), *entry.keys["free"]]
                if isinstance(value, list) and "force" in named:
                    keys["force"] = [a + b for a, b in zip(named["force"], value, strict=True)]
            named |= keys
            if function:
                named[f"{entry.component}_function"] = function
            return
        if function:
            keys["function"] = function
        switched = {entry.begins: True} if entry.begins > 0 else {}
        if entry.locked:
            keys["locked_from"] = entry.locked
        elif entry.ends is not None:
            switched[entry.ends] = False
        if switched:
            keys |= {"switched": switched} | ({"active": False} if entry.begins > 0 else {})
        if entry.kind == "supports" and self._joined(keys):
            return
        self._model.add(entry.kind, entry.name, keys)

    def _joined(self, keys: Keys) -> bool:
        """Merge x or y into an otherwise identical support of the same group."""
        ways = ("x", "y")
        rest = {name: value for name, value in keys.items() if name not in ways}
        for own in self._model.tables["supports"].values():
            if {name: value for name, value in own.items() if name not in ways} == rest:
                own |= keys
                return True
        return False

    def _value(self, entry: Entry) -> tuple[float, str | None]:
        """Return the value of an entry and the name of its function, None if it is constant."""
        pieces, steps = entry.pieces, self._model.steps
        size = max((piece.value for piece in pieces), key=abs)
        if size == 0.0:
            return 0.0, None
        if len(pieces) == 1:
            return size, self._single(pieces[0], entry)
        points, last = list[Point](), 0.0
        for piece in pieces:
            points += self._points(piece, last, size)
            last = points[-1][1]
        if points[0][0] > 0.0:
            points.insert(0, (0.0, points[0][1] if entry.begins > 0 else 0.0))
        if points[-1][0] < steps[-1].end:
            points.append((steps[-1].end, last))
        return size, self._table(f"{entry.name}-{entry.component}", points)

    def _single(self, piece: Piece, entry: Entry) -> str | None:
        """Return the function of an entry defined by a single card."""
        model, step = self._model, self._model.steps[max(0, piece.step)]
        amplitude = self._amplitude(piece)
        if amplitude is not None:
            own, table = amplitude
            if piece.step <= 0 or table["total"]:
                keys = {key: table[key] for key in ("type", "times", "values")}
                model.tables["functions"].setdefault(own, keys)
                return own
            points = list(zip(table["times"], table["values"], strict=False))
            shifted = [(t + step.start, v) for t, v in points]
            return self._table(f"{own}-{step.name}", shifted)
        if piece.step < 0 or not step.ramps:
            jumps = piece.step > 0 and entry.kind == "tools"
            points = [(0.0, 0.0), (step.start, 0.0), (step.start, 1.0), (step.end, 1.0)]
            return self._table(f"{entry.name}-{entry.component}", points) if jumps else None
        ramp = {"type": "ramp", "end": step.end}
        if step.start:
            ramp = {"type": "ramp", "start": step.start, "end": step.end}
        name = "ramp" if piece.step == 0 else f"ramp-{step.name}"
        model.tables["functions"].setdefault(name, ramp)
        return name

    def _points(self, piece: Piece, last: float, size: float) -> list[Point]:
        """Return times and factors of a piece; last: the factor before it."""
        share = piece.value / size
        if piece.step < 0:
            return [(0.0, share)]
        step = self._model.steps[piece.step]
        amplitude = self._amplitude(piece)
        if amplitude is not None:
            table = amplitude[1]
            start = 0.0 if table["total"] else step.start
            found = [
                (t + start, v * share)
                for t, v in zip(table["times"], table["values"], strict=False)
                if t + start <= step.end
            ]
            if found and found[0][0] > step.start:
                found.insert(0, (step.start, found[0][1]))
            return found or [(step.start, last)]
        if step.ramps:
            return [(step.start, last), (step.end, share)]
        return [(step.start, last), (step.start, share)]

    def _amplitude(self, piece: Piece) -> tuple[str, Keys] | None:
        name = piece.card.options.get("AMPLITUDE")
        if name is None:
            return None
        spelt = {own.upper(): own for own in self._model.amplitudes}.get(name.upper())
        if spelt is None:
            raise self._model.wrong(
                piece.card, f"has the amplitude {name!r}, which could not be read"
            )
        return spelt, self._model.amplitudes[spelt]

    def _table(self, name: str, points: list[Point]) -> str:
        """Add a function of times and values, without redundant points."""
        kept: list[Point] = []
        for point in points:
            if not kept or point != kept[-1]:
                kept.append(point)
        if len(kept) == 1:
            kept.append((kept[0][0] + 1.0, kept[0][1]))
        times, values = map(list, zip(*kept, strict=True))
        return self._model.add(
            "functions", name, {"type": "table", "times": times, "values": values}
        )
