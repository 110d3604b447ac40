"""Prose of a Markdown page: its sentences, paragraphs and banned phrases (the language guide)."""

from __future__ import annotations

import re
from collections.abc import Iterator

BANNED = (
    "told", "tells", "says so", "a sentence", "refuse", "refuses", "refused", "anew", "at once",
    "looks", "held", "goes on", "of its own", "as far as it likes", "in statics", "in dynamics",
    "the way", "there is none", "the begin", "its begin", "that is held", "somebody", "anybody",
    "laid over", "worn off", "torn off", "what is", "what it", "bear", "bears", "shall",
    "makes no sense", "hardly", "of revolution", "counts with", "gives way", "sinks in",
)  # fmt: skip
"""Phrases that are not written."""

SOME_NUMBER = r"\bsome (?:\d|ten|hundred|thousand|percent|microseconds|seconds)"
WHAT_CLAUSE = r"(?:^|[,:;—] ?)what (?!to )\w+ (?:is|are|has|does|do|may|can|must)\b"


def prose(text: str) -> str:
    """Return a page without code blocks, comments, tables of keys and targets of links."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)
    return re.sub(r"`[^`\n]*`", "CODE", text)


def banned(text: str) -> Iterator[str]:
    """Yield each banned phrase of a page, with its line."""
    for line in prose(text).splitlines():
        for phrase in BANNED:
            if re.search(rf"\b{re.escape(phrase)}\b", line, re.IGNORECASE):
                yield f"{phrase!r}: {line.strip()[:120]}"
        for pattern in (SOME_NUMBER, WHAT_CLAUSE):
            if found := re.search(pattern, line, re.IGNORECASE):
                yield f"{found[0]!r}: {line.strip()[:120]}"


def paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs, list items and the parts of table cells; not headings."""
    for block in re.split(r"\n\s*\n", prose(text)):
        lines = block.strip().splitlines()
        if not lines or lines[0].startswith("#"):
            continue
        if lines[0].startswith("|"):
            for line in lines:
                yield from (part.strip() for part in re.split(r" \| |; ", line.strip("| ")))
        elif lines[0].startswith(("- ", "1. ")):
            for item in re.split(r"\n(?=- |\d+\. )", block.strip()):
                yield " ".join(re.sub(r"^(?:- |\d+\. )", "", item).split())
        else:
            yield " ".join(block.split())


def sentences(paragraph: str) -> list[str]:
    """Split a paragraph; abbreviations with a dot inside do not end a sentence."""
    paragraph = re.sub(r"\b(e\.g|i\.e|vs|Fig|Eq)\.", r"\1", paragraph)
    return [s for s in re.split(r"(?<=[.!?:])\s+(?=[A-Z*_\"(]|fecontact\b)", paragraph) if s]


def words(sentence: str) -> int:
    """Return the number of words; a formula or a quantity counts as one."""
    return len([w for w in re.split(r"\s+", sentence) if re.search(r"[A-Za-z]{2}", w) or w == "a"])
