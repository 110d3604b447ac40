"""Comma-separated numbers: a table where the lines are regular, words where they are not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fecontact.mesh.readers import abaqus, deck
from fecontact.mesh.readers.numeric_lines import NumericLines
from fecontact.study.errors import InputError

REGULAR = "1, 0., 0.\n2 , 1.0e-3,\t-2\n"


def lines_of(*blocks: str) -> NumericLines:
    lines = NumericLines()
    for block in blocks:
        lines.add(block)
    return lines


def test_regular_lines_are_a_table() -> None:
    table = lines_of(REGULAR, "  3,4,5\r\n").table()
    np.testing.assert_array_equal(table, [[1, 0, 0], [2, 1e-3, -2], [3, 4, 5]])


@pytest.mark.parametrize(
    "block",
    ["", "\n", "1, 2, 3\n4, 5\n", "1, 2\n3, 4, 5, 6\n", "1, 2,\n", "1, x\n", "1 2, 3\n", "1, ½\n"],
)
def test_other_lines_are_not(block: str) -> None:
    assert lines_of(block).table() is None


def test_words_of_a_line() -> None:
    lines = lines_of("1, a b\n\n", "2,\n")
    assert list(lines) == [["1", "a b"], ["2", ""]]
    assert len(lines) == 2 and lines[1:] == [["2", ""]]


def test_comments_and_line_numbers(tmp_path: Path) -> None:
    path = tmp_path / "mesh.inp"
    path.write_text(
        "*NODE,\nNSET=ALL\n1, 0, 0\n** a comment\n2, 1, 0\n3, 1, 1, 0.\n"
        "\n*ELEMENT, TYPE=CPE3\n1, 1, 2, 3\n*WRONG\n"
    )
    cards = deck.read(path)
    assert [(card.keyword, card.number) for card in cards] == [
        ("NODE", 1), ("ELEMENT", 8), ("WRONG", 10),
    ]  # fmt: skip
    raw = abaqus.read(path)
    np.testing.assert_array_equal(raw.points, [[0, 0], [1, 0], [1, 1]])
    assert len(raw.nodes["ALL"]) == 3


@pytest.mark.parametrize(
    "wrong",
    [
        "*NODE\n1, 0, 0\n1, 1, 0\n",  # a number twice
        "*NODE\n1.5, 0, 0\n",
        "*NODE\n1, 0, 0\n*ELEMENT, TYPE=CPE3\n1, 1, 1.5, 1\n",
        "*NODE\n1, 0, zero\n",
    ],
)
def test_invalid_numbers(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "mesh.inp"
    path.write_text(wrong)
    with pytest.raises(InputError):
        abaqus.read(path)
