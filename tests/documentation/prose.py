"""Prose of pages, sources and studies: sentences, banned phrases, first words of docstrings.

The rules keep the text plain: terms of the field, subject first, no private words.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator

BANNED = (
    "told", "tells", "says so", "a sentence", "refuse", "refuses", "refused", "anew", "at once",
    "looks", "held", "goes on", "of its own", "as far as it likes", "in statics", "in dynamics",
    "the way", "there is none", "the begin", "its begin", "that is held", "somebody", "anybody",
    "laid over", "worn off", "torn off", "what is", "what it", "bear", "bears", "shall",
    "makes no sense", "hardly", "of revolution", "counts with", "gives way", "sinks in",
    "of finite strain", "bodies that yield", "bodies that turn", "the ledger", "ledger closes",
    "proves nothing", "proves anything", "looked at", "not to be trusted", "there and back",
    "forth and back", "to and fro", "for good", "for ever", "on its way", "on the way",
    "part of the way", "all at once", "beyond reason", "it came with", "as it came", "own choice",
    "as far as they like", "let go", "dies away", "in handy", "worth a look", "watched quantity",
    "watched quantities", "creates energy", "balance is closed", "whatever", "is watched",
    "are watched", "begins to", "begin to", "per cent", "with memory", "cell group", "cell groups",
    "group of cells", "groups of cells", "nearer", "roles exchanged", "sides exchanged", "proves",
    "opens the gap", "a largest", "a smallest", "supported beside", "effect beside",
    "times larger", "times smaller",
)  # fmt: skip
"""Phrases that are not written."""

BANNED_IN_NAMES = {
    "told", "tell", "tells", "held", "unheld", "awake", "asleep", "sunken", "anew", "refuse",
    "refused", "refuses", "refusal", "stranger", "strangers", "watchful", "wandering", "swallowed",
}  # fmt: skip
"""Words that are not part of an identifier."""

NO_VERB = (
    "A", "About", "All", "An", "Any", "Both", "Each", "Every", "Has", "How", "If", "Is", "Its",
    "No", "None", "Of", "Some", "That", "The", "Their", "These", "This", "Those", "True", "What",
    "When", "Where", "Whether", "Which", "Who", "Why",
)  # fmt: skip
"""First words that are not the imperative of a verb."""

SOME_NUMBER = r"\bsome (?:\d|ten|hundred|thousand|percent|microseconds|seconds)"
SPELT_NUMPY = r"(?-i:\bnumpy (?:arrays?|numbers?)\b)"
WHAT_CLAUSE = r"(?:^|[,:;—] ?)what (?!to )\w+ (?:is|are|has|does|do|may|can|must)\b"
ELEMENT_CODE = r"\b(?:QUAD|TRIA?)[3-9]\b"
"""Element types of other programs; the keys spell `quad4`, `tri6`."""


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
        for pattern in (SOME_NUMBER, SPELT_NUMPY, WHAT_CLAUSE):
            if found := re.search(pattern, line, re.IGNORECASE):
                yield f"{found[0]!r}: {line.strip()[:120]}"


def banned_names(source: str) -> list[str]:
    """Return the identifiers of a source that contain a banned word."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    names = {token.string for token in tokens if token.type == tokenize.NAME}
    return sorted(name for name in names if BANNED_IN_NAMES & set(name.lower().split("_")))


def paragraphs(text: str) -> Iterator[str]:
    """Yield paragraphs, list items and the parts of table cells; not headings or HTML."""
    for block in re.split(r"\n\s*\n", prose(text)):
        lines = block.strip().splitlines()
        if not lines or lines[0].startswith(("#", "<")):
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


def texts_of_source(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each comment, docstring and string literal of several words."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def literals(source: str) -> Iterator[str]:
    """Yield each string literal that is no docstring, with § for the values of an f-string."""
    tree = ast.parse(source)
    alone = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (v.value if isinstance(v, ast.Constant) else "§" for v in node.values)
            yield "".join(map(str, parts))
        elif (
            isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone
        ):
            yield node.value


def texts_of_script(script: str, suffix: str) -> Iterator[str]:
    """Yield each comment and each text of several words of a script or an HTML page."""
    if suffix == ".html":
        yield from re.sub(
            r"<script>.*?</script>|<[^>]*>", " ", script, flags=re.DOTALL
        ).splitlines()
        return
    mark = ("//", "/**", "*") if suffix == ".js" else ("#", "say ", "fail ")
    yield from (line for line in script.splitlines() if line.strip().startswith(mark))
    if suffix == ".js":
        yield from (text for text in re.findall(r'"([^"\n]*)"', script) if " " in text)


def texts_of_study(study: str) -> Iterator[str]:
    """Yield each comment and each text of several words of a study file."""
    for line in study.splitlines():
        if found := re.search(r"(?:^|\s)#\s(.*)", line):
            yield found[1]
    yield from _strings(tomllib.loads(study))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _strings(one)
    elif isinstance(value, str) and " " in value:
        yield value


def not_imperative(source: str) -> Iterator[str]:
    """Yield the functions whose docstring does not start with a verb in the imperative.

    The rule is a heuristic: a capitalised word that is not in NO_VERB and not a plural noun.
    """
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef) or not (text := ast.get_docstring(node)):
            continue
        if any("group" in ast.unparse(decorator) for decorator in node.decorator_list):
            continue  # the description of the command itself
        word = text.split(maxsplit=1)[0]
        plural = word.endswith("s") and not word.endswith("ss")
        if not re.fullmatch("[A-Z][a-z]+", word) or plural or word in NO_VERB:
            yield f"{node.lineno} {node.name}: {text.splitlines()[0]}"
