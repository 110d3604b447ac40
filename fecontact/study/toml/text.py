"""Reading of TOML files: text, tables, and error messages."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from fecontact.study.base import in_toml
from fecontact.study.errors import StudyError

LARGEST_FILE = 10_000_000  # bytes; a study is a page of text, tables of time functions included
MAX_KEYS = 20_000  # keys in one file; a study has a few hundred
DEEPEST = 30  # nesting depth of tables and lists; a study has less than ten

_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_TOO_LONG_KEY = re.compile(rf"(?<![\w.-])(?:{_PART}[ \t]*+\.[ \t]*+){{{DEEPEST}}}")
_PLACE = re.compile(r" \((?:at line (\d+), column \d+|at end of document)\)$")
_COMMON_MISTAKES = (
    (r"[^=]*=\s*[-+]?\d+,\d", "write a decimal number with a point"),
    (
        r"[^=]*=\s*[-+]?[\d.]+\s*[A-Za-z]",
        'write a number with a unit in quotes, for example "20 mm"',
    ),
    (r"[^=]*=\s*[A-Za-z_]", "write text in quotes"),
    (r"[^=]*=\s*(#.*)?$", "the value is missing"),
    (r"""[^=]*=\s*("[^"]*|'[^']*)$""", "the closing quote is missing"),
    (r'[^=]*="?.*\\', "write \\\\ for \\ in quotes"),
    (r"\s*[\w.-]+\s*:", "write key = value"),
    (r"\s*\{", "write key = value, not JSON"),
)


def read_text(path: Path) -> str:
    """Return the text of a study file."""
    try:
        if path.is_dir():
            raise StudyError([f"{path}: is a folder. Give a study file (.toml)."])
        if not path.exists():
            raise StudyError([f"{path}: file not found"])
        if not path.is_file():
            raise StudyError([f"{path}: is not a file. Give a study file (.toml)."])
        if path.stat().st_size > LARGEST_FILE:
            raise StudyError(
                [f"{path}: is larger than {LARGEST_FILE // 10**6} MB (limit of a study file)"]
            )
        return path.read_bytes().decode("utf-8-sig")  # Windows editors add a byte-order mark
    except UnicodeDecodeError as error:
        raise StudyError(
            [f"{path}: is not UTF-8 text (byte {error.start}). Save it as UTF-8."]
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise StudyError([f"{in_toml(str(path), 1000)}: cannot be read: {reason}"]) from None


def parse(text: str, label: str, quoted: bool = True) -> dict[str, Any]:
    """Return the tables of a TOML text; the label states its source.

    quoted: True if a message may show the invalid line. It must not for a file that the user has
    not named himself: that could be any file.
    """
    try:
        if _TOO_LONG_KEY.search(text):  # tomllib would take minutes for a very long one
            raise RecursionError
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise StudyError([_syntax(str(error), text, label, quoted)]) from None
    except RecursionError:
        raise StudyError([f"{label}: is nested too deeply to be a study"]) from None
    except ValueError:  # Python reads no number of more than 4300 digits
        raise StudyError([f"{label}: is not valid TOML: a number has too many digits"]) from None
    if _depth(data) > DEEPEST:
        raise StudyError([f"{label}: is nested too deeply to be a study"])
    if (keys := _key_count(data)) > MAX_KEYS:
        raise StudyError([f"{label}: has {keys} keys; a study has at most {MAX_KEYS}"])
    return data


def _syntax(message: str, text: str, label: str, quoted: bool) -> str:
    """Return the message for invalid TOML: the line, and its usual cause."""
    reason = _PLACE.sub("", message)
    reason = reason[:1].lower() + reason[1:]
    place = _PLACE.search(message)
    if not quoted:
        line = f":{place[1]}" if place is not None and place[1] is not None else ""
        return f"{label}{line}: is not valid TOML"
    if place is None or place[1] is None:
        return f"{label}: is not valid TOML: {reason} at its end"
    number = int(place[1])
    line = text.split("\n")[number - 1]
    if reason.startswith(("cannot overwrite", "cannot declare")):
        reason = "it is defined twice"
    else:
        usual = (hint for start, hint in _COMMON_MISTAKES if re.match(start, line))
        reason = next(usual, reason)
    return f"{label}:{number}: is not valid TOML in `{in_toml(line.strip(), 60)[1:-1]}`: {reason}"


def _depth(value: Any) -> int:
    """Return the nesting depth of tables and lists."""
    depth, level = 0, [value]
    while level:
        depth += 1
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    return depth


def _key_count(value: Any) -> int:
    """Return the number of keys in all tables."""
    if isinstance(value, dict):
        return len(value) + sum(map(_key_count, value.values()))
    return sum(map(_key_count, value)) if isinstance(value, list) else 0
