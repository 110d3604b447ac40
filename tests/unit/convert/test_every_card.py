"""An input file with every supported keyword and many others: untranslated parts are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from fecontact.convert import convert
from fecontact.convert.cards import IGNORED, READERS
from fecontact.mesh.readers import deck
from fecontact.study.errors import InputError

FILE = Path(__file__).with_name("every_card.inp")
ODD = (
    *("ORIENTATION=Ori", "CONTROLS=EC-1", "RATE=1", "NONLINEAR", "VALUE=ABSOLUTE", "TAUMAX=3"),
    *("PAD THICKNESS=1", "TRACKING=STATE", "TABULAR", "UNSYMM=YES", "ALPHA=1"),
    *("EXTRAPOLATION=NO", "STABILIZE=2e-4", "RIKS", "FIXED", "FOLLOWER=NO", "FOLLOWER"),
)
"""Options that are not translated."""


def test_cards_and_options_that_are_not_translated_are_listed_with_their_lines() -> None:
    left = convert(FILE, "part.msh", "mm").left
    for card in deck.read(FILE):
        if card.keyword not in READERS and card.keyword not in IGNORED:
            assert any(line.startswith(f"line {card.number}: *{card.keyword}:") for line in left)
    for option in ODD:
        assert any(f"the option {option} is not translated" in line for line in left), option
    assert any('set time.load_control = "arc-length"' in line for line in left)


@pytest.mark.parametrize("card", ["*Ngen", "*Nfill", "*Elgen", "*System", "*Node, system=C"])
def test_cards_without_which_the_mesh_would_be_wrong(card: str, tmp_path: Path) -> None:
    text = FILE.read_text(encoding="utf-8").replace("*Nset,", f"{card}\n*Nset,", 1)
    (tmp_path / "part.inp").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="supported"):
        convert(tmp_path / "part.inp", "part.msh", "mm")
