"""Study under construction while the keywords of an input file are read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fecontact.convert.groups import Groups
from fecontact.convert.history import Histories, Step
from fecontact.convert.units import Units
from fecontact.mesh.readers.deck import Card
from fecontact.study.base import LARGEST
from fecontact.study.errors import InputError, printable

TABLES = (
    *("materials", "bodies", "functions", "supports", "loads", "springs", "point_masses"),
    *("tools", "contact", "watch"),
)
Keys = dict[str, Any]


class Model:
    """Translated tables by kind and name, and the keywords that are not translated."""

    def __init__(self, path: Path, units: Units, groups: Groups) -> None:
        self.path, self.units, self.groups = path, units, groups
        self.title, self.plane = path.stem, ""
        self.tables: dict[str, dict[str, Keys]] = {kind: {} for kind in TABLES}
        self.comments: dict[tuple[str, str], str] = {}
        self.left: list[str] = []
        self._known_left: set[str] = set()
        self._numbers: dict[tuple[str, str], int] = {}  # last number of a name in a table
        self.material, self.interaction = "", ""
        self.general_interaction = ""  # of all surfaces without their own
        self.sheets: set[str] = set()  # sets of plane-stress elements
        self.frictions: dict[str, float] = {}
        self.amplitudes: dict[str, Keys] = {}
        self.steps: list[Step] = []
        self.histories = Histories(self)
        self.section_names: dict[str, list[str]] = {}  # instance → its bodies
        self.reference_nodes: dict[int, str] = {}  # row of a node → the tool that it moves
        self.preloads: dict[int, tuple[str, Keys]] = {}  # row of a node → its pretension section
        self.bonded: set[str] = set()  # interactions without separation, in capitals
        self.outlines: dict[str, Card] = {}  # analytical surfaces by name in capitals
        self.rigid_surfaces: dict[str, str] = {}  # surface in capitals → its set of elements
        self.tool_of: dict[str, str] = {}  # surface in capitals → its tool

    @property
    def step(self) -> Step | None:
        """Return the current step; None before the first one."""
        return self.steps[-1] if self.steps else None

    def wrong(self, card: Card, words: str) -> InputError:
        """Return the error about a card."""
        keyword = printable(card.keyword)
        return InputError(f"{self.path}:{card.number}: *{keyword} {printable(words)}")

    def leave(self, card: Card, why: str) -> None:
        """Record once an item that is not translated."""
        line = printable(f"line {card.number}: *{card.keyword}: {why}")
        if line not in self._known_left:
            self._known_left.add(line)
            self.left.append(line)

    def leave_options(
        self, card: Card, *known: str, hints: Mapping[str, str] | None = None
    ) -> None:
        """Record the options of a card that are not supported, with a hint on what to do."""
        for name, value in card.options.items():
            if name not in known:
                option = f"{name}={value}" if value else name
                hint = (hints or {}).get(name, "")
                self.leave(
                    card, f"the option {option} is not translated" + f". {hint}" * bool(hint)
                )

    def add(self, kind: str, name: str, keys: Keys) -> str:
        """Add a table; a second one of that name gets a number. Return its name."""
        entries, own, count = self.tables[kind], name, self._numbers.get((kind, name), 1)
        while own in entries:
            count += 1
            own = f"{name}-{count}"
        self._numbers[kind, name] = count
        entries[own] = keys
        return own

    def number(self, card: Card, line: list[str], place: int, default: float = 0.0) -> float:
        """Return a number of a data line; the default if it is missing."""
        word = line[place] if place < len(line) else ""
        try:
            value = float(word.upper().replace("D", "E")) if word else default
        except ValueError:
            raise self.wrong(card, f"has {word!r} where a number is expected") from None
        if not math.isfinite(value) or abs(value) > LARGEST:
            raise self.wrong(card, f"has {word!r} where a finite number is expected")
        return value

    def whole(self, card: Card, line: list[str], place: int, default: int = 0) -> int:
        """Return an integer of a data line."""
        value = self.number(card, line, place, default)
        if value != int(value):
            raise self.wrong(card, f"has {line[place]!r} where a whole number is expected")
        return int(value)

    def first_line(self, card: Card) -> list[str]:
        """Return the first data line; raise InputError if it is missing."""
        if not card.lines or not any(card.lines[0]):
            raise self.wrong(card, "has no data line")
        return card.lines[0]

    def body_of(self, name: str) -> list[str]:
        """Return the bodies of a set of elements; all bodies for an empty name."""
        if not name:
            return list(self.tables["bodies"])
        cells = self.groups.cells(name)
        bodies = self.tables["bodies"].items()
        return [body for body, keys in bodies if cells is not None and keys["cells"] == cells]
