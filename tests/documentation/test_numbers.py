"""Ratios, counts and times are in generated tables only, because those in sentences become
outdated.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
PAGES = [
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "benchmarks/README.md")),
    *sorted((PROJECT / "docs").rglob("*.md")),
]
GENERATED = re.compile(r"<!-- generated.*?<!-- end -->", re.S)
CODE = re.compile(r"^```.*?^```$", re.S | re.M)
UNIT = r"(?:ns|µs|us|ms|s|seconds|min|minutes|h|hours)"
NUMBER = r"(?<![\w.])\d[\d,.]*"
MEASURED = re.compile(
    rf"""{NUMBER}\s+times\s+(?:faster|slower|as\s+(?:fast|long|slow|much)|cheaper|the\s+(?:time|cost))
    |(?:twice|half)\s+as\s+(?:fast|slow|long)
    |(?<![\w.])[1-9][\d,]*\s+(?:\w+\s+)?(?:tests|studies|checks|examples)\b
    |{NUMBER}\s*{UNIT}\s+(?:a|per|each)\s+(?:step|run|time\s+step|iteration)\b
    |(?:tests?|suite|verif\w+|command|start-up)\s+takes?\s+(?:about\s+)?{NUMBER}\s*{UNIT}\b
    |{NUMBER}\s*%\s+(?:faster|slower|of\s+the\s+(?:time|lines|code))
    |coverage\s+(?:is|of)\s+\d""",
    re.X | re.I,
)


def measured(text: str) -> list[str]:
    """Return the hand-written ratios, counts and times of a page."""
    return [found.group() for found in MEASURED.finditer(CODE.sub("", GENERATED.sub("", text)))]


@pytest.mark.parametrize(
    "text",
    [
        "fecontact is 3.5 times faster than before.",
        "The solver is twice as fast.",
        "It comes with 145 studies and 1,870 passed checks.",
        "A step costs 0.3 ms per step.",
        "The suite takes about 4 minutes.",
        "This saves 30 % of the time.",
    ],
)
def test_a_hand_written_number_is_found(text: str) -> None:
    assert measured(text)
    assert not measured(f"<!-- generated: steps -->\n{text}\n<!-- end -->")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(PROJECT).as_posix())
def test_a_page_has_no_hand_written_ratio_or_count(page: Path) -> None:
    assert measured(page.read_text(encoding="utf-8")) == []
