"""Line numbers of keys in a study file.

`tomllib` provides no positions, so the text is scanned separately: headers `[a.b]` and lines `key =
…` outside multi-line text. A key inside an inline table or a list has the line of the enclosing
key.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache

from fecontact.study.base import Path

_QUOTES = re.compile(r'"""|\'\'\'')
_KEY = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_KEY}(?:\s*\.\s*{_KEY})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]")
_ASSIGNMENT = re.compile(rf"\s*({_DOTTED})\s*=")


def line_of(text: str, path: Path) -> int | None:
    """Return the line, from 1, of a key or of the closest enclosing table; None if not found."""
    lines = _first_lines(text)
    ends = range(len(path), 0, -1)
    return next((lines[path[:end]] for end in ends if path[:end] in lines), None)


@lru_cache(maxsize=32)  # cached files; each error of a study queries its file
def _first_lines(text: str) -> dict[Path, int]:
    """Return the first line of each key and of each enclosing table."""
    lines: dict[Path, int] = {}
    for keys, number in _key_lines(text):
        for end in range(1, len(keys) + 1):
            lines.setdefault(keys[:end], number)
    return lines


def _key_lines(text: str) -> list[tuple[Path, int]]:
    found: list[tuple[Path, int]] = []
    table: Path = ()
    open_quote = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if not open_quote:
            if header := _HEADER.match(line):
                table = key_parts(header[1])
                found.append((table, number))
            elif assignment := _ASSIGNMENT.match(line):
                found.append(((*table, *key_parts(assignment[1])), number))
        for quote in _QUOTES.findall(line):
            if not open_quote:
                open_quote = quote
            elif quote == open_quote:
                open_quote = ""
    return found


def key_parts(dotted_key: str) -> tuple[str, ...]:
    """Return the parts of a dotted key: a."b c".d → ("a", "b c", "d"); empty if it is not a key."""
    try:
        inside = tomllib.loads(f"{dotted_key} = 0")
    except tomllib.TOMLDecodeError:
        return ()
    parts: list[str] = []
    while isinstance(inside, dict) and len(inside) == 1:
        ((part, inside),) = inside.items()
        parts.append(part)
    return tuple(parts) if inside == 0 else ()
