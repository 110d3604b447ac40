"""Generated studies, judged by mechanics: no result may be wrong without a word of the program.

    docker/run pytest -m slow tests/campaign -s         # all of it; the table of verdicts is printed

A failure names family and seed; `drawn(family, seed)` is the study, always the same one.
"""

from __future__ import annotations

import pytest
from generator import FAMILIES, drawn
from trial import judged, table

SEEDS = range(20)  # of each family
QUICK = {family: 0 for family in FAMILIES}


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("family", FAMILIES)
def test_no_result_of_a_family_is_wrong_without_a_word(family: str) -> None:
    verdicts = [judged(drawn(family, seed)) for seed in SEEDS]
    print(f"\nseeds {SEEDS.start} to {SEEDS.stop - 1}\n{table(verdicts)}")
    wrong = [str(verdict) for verdict in verdicts if verdict.wrong]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize("family", QUICK)
def test_a_first_study_of_each_family_is_not_wrong_without_a_word(family: str) -> None:
    verdict = judged(drawn(family, QUICK[family]), compare=False)
    assert not verdict.wrong, str(verdict)
