"""Comma-separated numbers of an input file: one array if they form a table, words otherwise.

Meshes have a million such lines. NumPy reads a block of them much faster than Python splits its
lines. The lines are split only if one of them is irregular, or if their words are needed.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import overload

import numpy as np

from fecontact.arrays import Array

_COMMA, _NEWLINE = b",\n"


class NumericLines(Sequence[list[str]]):
    """Data lines of numbers, as words of each line (a sequence) or as a table."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._words: list[list[str]] | None = None

    def add(self, block: str) -> None:
        """Append lines of text."""
        self._blocks.append(block)
        self._words = None

    def table(self) -> Array | None:
        """Return all lines as rows of numbers (n, c); None if they differ in length or are not
        numbers.
        """
        text = "".join(self._blocks).rstrip()
        signs = np.frombuffer(f"{text}\n".encode("ascii", "replace"), dtype=np.uint8)
        signs = signs[(signs == _COMMA) | (signs == _NEWLINE)]
        columns = int(np.argmax(signs == _NEWLINE)) + 1
        if not text or len(signs) % columns:
            return None
        rows = signs.reshape(-1, columns)
        if (rows[:, :-1] != _COMMA).any() or (rows[:, -1] != _NEWLINE).any():
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)  # NumPy's answer to other text
            try:
                numbers = np.fromstring(text.replace("\n", ","), dtype=float, sep=" , ")
            except (ValueError, DeprecationWarning):
                return None
        return numbers.reshape(-1, columns) if len(numbers) == rows.size else None

    def _split(self) -> list[list[str]]:
        if self._words is None:
            lines = "".join(self._blocks).split("\n")
            words = ([word.strip() for word in line.split(",")] for line in lines if line.strip())
            self._words = list(words)
        return self._words

    def __len__(self) -> int:
        return len(self._split())

    @overload
    def __getitem__(self, place: int) -> list[str]: ...
    @overload
    def __getitem__(self, place: slice) -> list[list[str]]: ...
    def __getitem__(self, place: int | slice) -> list[str] | list[list[str]]:
        return self._split()[place]
