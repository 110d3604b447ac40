"""Generated studies judged by mechanics: no wrong result without a message.

    docker/run pytest -n 0 -m slow tests/campaign    # all of it; ends with a table of the verdicts

FECONTACT_CAMPAIGN_TABLE names a file for the table. A failure names family and
seed; `drawn(family, seed)` is the study, always the same one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from generator import CAPABILITIES, FAMILIES, PROCESSES, drawn
from launch import on_ranks
from trial import Verdict, judged

SEEDS = range(20)  # of each family
ROUNDING = 1e-6  # of the largest value of a column: impacts and friction amplify rounding
ON_RANKS = (
    *("table_edge", "stacked", "sliding", "thrown", "disc_dropped", "bridge"),
    *(
        "tumbling",
        "rubber_squeezed",
        "metal_pressed",
        "tool_pressed",
        "law_slide",
        "worn",
        "bonded",
    ),
)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_result_of_a_family_is_wrong_without_a_word(
    family: str, all_verdicts: list[Verdict]
) -> None:
    verdicts = [judged(drawn(family, seed)) for seed in SEEDS]
    all_verdicts += verdicts
    wrong = [str(verdict) for verdict in verdicts if verdict.wrong]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("family", (*CAPABILITIES, *PROCESSES))
def test_no_result_with_other_capabilities_is_wrong_without_a_word(
    family: str, all_verdicts: list[Verdict]
) -> None:
    """Also compared: half the step, other units, rotated by 37°."""
    verdicts = [judged(drawn(family, seed), more=True) for seed in SEEDS]
    all_verdicts += verdicts
    wrong = [str(verdict) for verdict in verdicts if verdict.wrong]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("family", (*FAMILIES, *CAPABILITIES, *PROCESSES))
def test_the_first_study_of_a_family_is_not_wrong_without_a_word(family: str) -> None:
    verdict = judged(drawn(family, SEEDS.start), compare=False)
    assert not verdict.wrong, str(verdict)


@pytest.mark.slow
def test_two_ranks_give_the_answer_of_one(tmp_path: Path) -> None:
    labels = [f"{family}:1" for family in ON_RANKS]
    script = Path(__file__).with_name("on_ranks.py")
    files = [tmp_path / f"{ranks}.npz" for ranks in (1, 2)]
    for ranks, file in zip((1, 2), files, strict=True):
        on_ranks(ranks, [script, file, *labels]).check_returncode()
    one, two = (np.load(file) for file in files)
    assert one.files == two.files
    for name in one.files:
        if name.endswith("rejected"):
            assert one[name] == two[name]
            continue
        column = name.split("|")[1].rsplit(".", 1)[0].removesuffix("-x").removesuffix("-y")
        kin = [k for k in one.files if k.startswith(f"{name.split('|')[0]}|{column}")]
        scale = max(np.abs(one[k]).max() for k in kin)
        assert one[name].shape == two[name].shape, name
        assert np.abs(one[name] - two[name]).max() <= ROUNDING * max(scale, 1e-300), name
