"""Abaqus and CalculiX input files as cards: keyword, options and data lines.

Parts and instances become one flat file (:func:`flattened`): nodes and elements of each instance
are renumbered, its coordinates are translated and then rotated, and its sets and surfaces are
called INSTANCE.NAME.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from fecontact.mesh.readers.numeric_lines import NumericLines
from fecontact.study.errors import InputError, printable

LARGEST = 200_000_000  # bytes; a mesh of a million nodes is shorter
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CONTROL_BYTES = bytes(range(128)).translate(None, bytes(range(32, 127)) + b"\t\n\r")
_KEYWORD = re.compile(r"^[ \t\r]*\*", re.MULTILINE)
_NUMERIC = ("NODE", "ELEMENT")
Lines = Sequence[list[str]]


@dataclass
class Card:
    """Keyword of an input file: options in capitals, words of each data line, line number.

    scope: the instance that it belongs to, "" for none.
    """

    keyword: str
    options: dict[str, str]
    number: int
    lines: Lines = field(default_factory=list[list[str]])
    scope: str = ""

    def wrong(self, words: str) -> InputError:
        """Return the error about this card, with its line."""
        return InputError(f"line {self.number}: *{printable(self.keyword)} {printable(words)}")


def read(path: Path) -> list[Card]:
    """Return the cards of a file without parts and instances; raise InputError."""
    try:
        if not path.is_file():
            raise InputError("file not found")
        if path.stat().st_size > LARGEST:
            raise InputError(f"is larger than {LARGEST // 10**6} MB")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}") from None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4096]:
        raise InputError("is not a text file. Save it as UTF-8.")
    text = data.decode("utf-8", errors="replace").removeprefix("\ufeff")
    has_control = len(data.translate(None, _CONTROL_BYTES)) < len(data)
    if has_control and (control := _CONTROL.search(text)):
        number = text.count("\n", 0, control.start()) + 1
        code = f"U+{ord(control[0]):04X}"
        raise InputError(f"line {number}: contains the control character {code}. Remove it.")
    cards = list(_cards(text))
    if not cards:
        raise InputError("has no keyword (*NODE, *ELEMENT, …). It is empty or of another format.")
    return flattened(cards)


def _cards(text: str) -> Iterator[Card]:
    """Yield the cards; blocks of nodes and elements stay text until their words are needed."""
    card: Card | None = None
    heads, begun = "", 0
    start, number = 0, 0
    while start < len(text):
        end = text.find("\n", start) % (len(text) + 1)
        line, first = text[start:end].strip(), start
        start, number = end + 1, number + 1
        if not line or line.startswith("**"):
            continue
        if line[0] == "*" or heads:
            begun = begun if heads else number
            heads += line
            if line.endswith(","):
                continue
            if card is not None:
                yield card
            card, heads = _head(heads, begun), ""
        elif card is not None and isinstance(card.lines, NumericLines):
            following = _KEYWORD.search(text, first)
            start = following.start() if following else len(text)
            block = text[first:start]
            card.lines.add(block)
            number += block.count("\n") - 1
        elif card is not None:
            assert isinstance(card.lines, list)
            card.lines.append([word.strip() for word in line.split(",")])
    if card is not None:
        yield card
    if heads:
        yield _head(heads, begun)


def _head(line: str, number: int) -> Card:
    keyword, *options = (word.strip() for word in line[1:].split(","))
    pairs = (option.partition("=") for option in options if option)
    found = {key.strip().upper(): value.strip().strip('"') for key, _, value in pairs}
    card = Card(" ".join(keyword.upper().split()), found, number)
    if card.keyword == "INCLUDE" or (card.keyword in _NUMERIC and "INPUT" in found):
        raise card.wrong("reads another file. Put everything into one file.")
    return replace(card, lines=NumericLines()) if card.keyword in _NUMERIC else card


@dataclass
class _Placing:
    """Position of an instance: offsets of its numbers, and transformation of its coordinates."""

    name: str
    first: int
    shift: tuple[float, float] = (0.0, 0.0)
    centre: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0

    @property
    def moves(self) -> bool:
        """Return True if coordinates change."""
        return self.shift != (0.0, 0.0) or self.angle != 0.0

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return a point of the part in assembly coordinates: translated first, then rotated."""
        x, y = x + self.shift[0] - self.centre[0], y + self.shift[1] - self.centre[1]
        quarter = round(self.angle / 90.0)
        if math.isclose(self.angle, 90.0 * quarter, abs_tol=1e-12):  # exact for multiples of 90°
            c, s = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter % 4]
        else:
            turn = math.radians(self.angle)
            c, s = math.cos(turn), math.sin(turn)
        return self.centre[0] + c * x - s * y, self.centre[1] + s * x + c * y


def flattened(cards: list[Card]) -> list[Card]:
    """Return the cards of a file with its parts assembled."""
    if not any(card.keyword in ("PART", "INSTANCE") for card in cards):
        return cards
    return _Assembly().flat(cards)


_END = {"PART": "END PART", "INSTANCE": "END INSTANCE"}
_OUTER = ("ASSEMBLY", "END ASSEMBLY")


class _Assembly:
    """Parts by name, instances in file order, and the numbers already used."""

    def __init__(self) -> None:
        self.parts: dict[str, list[Card]] = {}
        self.placings: dict[str, _Placing] = {}
        self.taken = 0
        self.own: _Placing | None = None  # nodes defined in the assembly

    def flat(self, cards: list[Card]) -> list[Card]:
        """Return all cards without parts and instances."""
        found: list[Card] = []
        within, depth = False, iter(cards)
        for card in depth:
            if card.keyword == "PART":
                name = _option(card, "NAME")
                if name.upper() in self.parts:
                    raise card.wrong(f"has the name {name!r} of a part before it")
                self.parts[name.upper()] = _until(depth, card)
            elif card.keyword == "INSTANCE":
                found += self._instance(card, _until(depth, card))
            elif card.keyword in _OUTER:
                within = card.keyword == "ASSEMBLY"
            elif within:
                found.append(self._of_assembly(card))
            else:
                found.append(self._with_numbers(card))
        if not self.placings:  # parts without an assembly keep their coordinates
            for name in self.parts:
                placing = _Placing(name, self.taken)
                found = self._placed(self.parts[name], placing) + found
        return found

    def _instance(self, card: Card, inside: list[Card]) -> list[Card]:
        name, part = _option(card, "NAME"), card.options.get("PART", "")
        if name.upper() in self.placings:
            raise card.wrong(f"has the name {name!r} of an instance before it")
        if part.upper() not in self.parts:
            known = ", ".join(self.parts) or "none"
            raise card.wrong(f"refers to the part {part!r}, which is not found. Available: {known}")
        placing = _placing(card, name, self.taken)
        self.placings[name.upper()] = placing
        return self._placed([*self.parts[part.upper()], *inside], placing)

    def _placed(self, cards: list[Card], placing: _Placing) -> list[Card]:
        """Return the cards of a part for one of its instances."""
        placed = [_placed(card, placing, placing.name) for card in cards]
        self.taken = max([self.taken, *_numbers(placed)])
        return placed

    def _of_assembly(self, card: Card) -> Card:
        """Return a card of the assembly: its sets can belong to an instance, its nodes are
        its own.
        """
        name = card.options.get("INSTANCE", "")
        if not name:
            if card.keyword in ("NODE", "ELEMENT") and self.own is None:
                self.own = _Placing("", self.taken)
            if self.own is None:
                return self._with_numbers(card)
            placed = _placed(card, self.own, "")
            self.taken = max([self.taken, *_numbers([placed])])
            return self._with_numbers(placed)
        placing = self.placings.get(name.upper())
        if placing is None:
            raise card.wrong(f"refers to the instance {name!r}, which is not found")
        options = {key: value for key, value in card.options.items() if key != "INSTANCE"}
        card = replace(card, options=options)
        return _placed(card, placing, "", of=placing.name)

    def _with_numbers(self, card: Card) -> Card:
        """Return a card in which INSTANCE.5 is replaced by the flat node or element number."""
        if not any("." in word for line in card.lines for word in line):
            return card
        return replace(card, lines=[[self._number(word) for word in line] for line in card.lines])

    def _number(self, word: str) -> str:
        name, dot, number = word.rpartition(".")
        placing = self.placings.get(name.upper()) if dot and number.isdigit() else None
        return word if placing is None else str(int(number) + placing.first)


def _placed(card: Card, placing: _Placing, prefix: str, of: str = "") -> Card:
    """Return a card with the numbers, coordinates and names of an instance.

    prefix: of the names that it defines; of: of the names that it refers to, if different.
    """
    change = _CHANGES.get(card.keyword)
    lines = change(card, placing, of or prefix) if change is not None else card.lines
    options = dict(card.options)
    for key in ("ELSET", "NSET", "ANALYTICAL SURFACE", "REF NODE"):
        if prefix and options.get(key) and not options[key].isdigit():
            options[key] = f"{prefix}.{options[key]}"
        elif key == "REF NODE" and options.get(key, "").isdigit():
            options[key] = str(int(options[key]) + placing.first)
    if prefix and card.keyword == "SURFACE" and "NAME" in options:
        options["NAME"] = f"{prefix}.{options['NAME']}"
    return replace(card, options=options, lines=lines, scope=placing.name)


def _nodes(card: Card, placing: _Placing, prefix: str) -> Lines:
    if placing.first == 0 and not placing.moves:
        return card.lines
    lines: list[list[str]] = []
    for words in card.lines:
        number = str(_whole(card, words[0]) + placing.first)
        if placing.moves:
            x, y = placing.place(_real(card, words, 1), _real(card, words, 2))
            lines.append([number, repr(x), repr(y), *words[3:]])
        else:
            lines.append([number, *words[1:]])
    return lines


def _elements(card: Card, placing: _Placing, prefix: str) -> Lines:
    if placing.first == 0:
        return card.lines
    return [
        [str(_whole(card, word) + placing.first) for word in words if word] for words in card.lines
    ]


def _set(card: Card, placing: _Placing, prefix: str) -> Lines:
    """Return the members of a set: numbers, names of other sets; first, last and step if
    generated.
    """
    first, last = placing.first, 2 if "GENERATE" in card.options else None
    lines: list[list[str]] = []
    for words in card.lines:
        shifted = [_member(word, first, prefix) for word in words[:last]]
        lines.append(shifted + (words[last:] if last is not None else []))
    return lines


def _member(word: str, first: int, prefix: str) -> str:
    if word.isdigit():
        return str(int(word) + first)
    return f"{prefix}.{word}" if prefix and word else word


def _surface(card: Card, placing: _Placing, prefix: str) -> Lines:
    if card.options.get("TYPE", "ELEMENT").upper() == "SEGMENTS":
        lines: list[list[str]] = []
        for words in card.lines:
            numbers = [_real(card, words, i) for i in range(1, len(words)) if words[i]]
            pairs = zip(numbers[::2], numbers[1::2], strict=False)
            places = [repr(c) for x, y in pairs for c in placing.place(x, y)]
            lines.append([words[0], *places])
        return lines
    return [[_member(words[0], placing.first, prefix), *words[1:]] for words in card.lines]


_CHANGES: dict[str, Callable[[Card, _Placing, str], Lines]] = {
    "NODE": _nodes,
    "ELEMENT": _elements,
    "NSET": _set,
    "ELSET": _set,
    "SURFACE": _surface,
}


def _placing(card: Card, name: str, first: int) -> _Placing:
    """Return the position of an instance: its first line translates, its second rotates about
    an axis.
    """
    lines = [line for line in card.lines if any(line)]
    shift = (0.0, 0.0)
    if lines:
        x, y, z = (_real(card, lines[0], i) for i in range(3))
        if z:
            raise card.wrong(f"is moved by {z:g} in z, out of the plane")
        shift = (x, y)
    if len(lines) < 2:
        return _Placing(name, first, shift)
    a = [_real(card, lines[1], i) for i in range(3)]
    b = [_real(card, lines[1], i) for i in range(3, 6)]
    axis = [q - p for p, q in zip(a, b, strict=True)]
    if not any(axis):
        raise card.wrong("is rotated about an axis between two equal points")
    if abs(axis[0]) > 1e-9 * abs(axis[2]) or abs(axis[1]) > 1e-9 * abs(axis[2]):
        raise card.wrong("is rotated about an axis that is not parallel to z")
    angle = math.copysign(1.0, axis[2]) * _real(card, lines[1], 6)
    return _Placing(name, first, shift, (a[0], a[1]), angle)


def _until(cards: Iterator[Card], head: Card) -> list[Card]:
    """Return the cards up to the end of a part or an instance."""
    found: list[Card] = []
    end = _END[head.keyword]
    for card in cards:
        if card.keyword == end:
            return found
        found.append(card)
    raise head.wrong(f"has no *{end}. The file is truncated.")


def _numbers(cards: Iterable[Card]) -> Iterator[int]:
    """Return the largest number of nodes or elements of each card."""
    for card in cards:
        table = card.lines.table() if isinstance(card.lines, NumericLines) else None
        if table is not None:
            yield int(table[:, 0].max(initial=0))
        elif card.keyword in _NUMERIC:
            yield from (int(words[0]) for words in card.lines if words[0].isdigit())


def _option(card: Card, name: str) -> str:
    if not card.options.get(name):
        raise card.wrong(f"has no {name}=…")
    return card.options[name]


def _whole(card: Card, word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise card.wrong(f"has {word!r} where a whole number is expected") from None


def _real(card: Card, words: list[str], place: int) -> float:
    word = words[place] if place < len(words) else ""
    try:
        value = float(word.upper().replace("D", "E")) if word else 0.0
    except ValueError:
        raise card.wrong(f"has {word!r} where a number is expected") from None
    if not math.isfinite(value):
        raise card.wrong(f"has {word!r} where a finite number is expected")
    return value
