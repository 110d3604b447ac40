"""An Abaqus input file as cards: keyword, options, lines of data, each with its line number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fecontact.study.errors import InputError

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # all but tabs and ends of lines
LARGEST = 200_000_000  # bytes; a mesh of a million nodes is shorter


@dataclass
class Card:
    """One keyword of an input file: options in capitals, words of each line, where it stands."""

    keyword: str
    options: dict[str, str]
    number: int
    lines: list[list[str]] = field(default_factory=list)

    def at(self, path: Path, words: str) -> InputError:
        """What is wrong with it, with its place."""
        return InputError(f"{path}:{self.number}: *{self.keyword} {words}")


def read(path: Path) -> list[Card]:
    """The cards of a file; comments are left out, lines that end with a comma go on."""
    try:
        if not path.is_file():
            raise InputError(f"{path}: there is no such file")
        if path.stat().st_size > LARGEST:
            raise InputError(f"{path}: is larger than {LARGEST // 10**6} MB")
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if control := _CONTROL.search(text):
        number = text.count("\n", 0, control.start()) + 1
        code = f"U+{ord(control[0]):04X}"
        raise InputError(f"{path}:{number}: holds the control character {code}. Remove it.")
    return list(_cards(text))


def _cards(text: str) -> Iterator[Card]:
    card: Card | None = None
    heads = ""
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if line.startswith("**") or not line:
            continue
        if line.startswith("*") or heads:
            heads += line
            if line.endswith(","):
                continue
            if card is not None:
                yield card
            card, heads = _head(heads, number), ""
        elif card is not None:
            card.lines.append([word.strip() for word in line.split(",")])
    if card is not None:
        yield card


def _head(line: str, number: int) -> Card:
    keyword, *options = (word.strip() for word in line[1:].split(","))
    pairs = (option.partition("=") for option in options if option)
    found = {key.strip().upper(): value.strip().strip('"') for key, _, value in pairs}
    return Card(" ".join(keyword.upper().split()), found, number)
