"""Pages of the key reference, docs/reference/*.md, generated from the models that validate studies.

`docker/run python docs/figures/reference.py` writes them; `tests/documentation` compares them. Each
table of a study is one section. Tables that several sections share are described once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fecontact.study.base import PER_DEPTH
from fecontact.study.schema import Key, keys

FOLDER = Path(__file__).parents[1] / "reference"
FINITE, LUMPED = "finite-element", "lumped"
CHOOSERS = ("type", "law", "scheme", "method", "measure", "plane", "solver")
NOTE = "(¹)"
HEAD = "| key | meaning | type | unit | default |\n|---|---|---|---|---|"


@dataclass(frozen=True)
class Shared:
    """Table that occurs in several places: its description and its source."""

    link: str
    source: str


SHARED = {
    "profile": Shared(
        "[spatial function](functions.md#spatial-functions)", "supports.NAME.profile"
    ),
    "friction": Shared(
        "[friction law](friction-and-wear.md#friction-laws)", "contact.NAME.friction"
    ),
    "wear": Shared("[wear law](friction-and-wear.md#wear-laws)", "contact.NAME.wear"),
    "material": Shared("[table](materials.md#materialsname)", "materials.NAME"),
    "mesh": Shared("[table](mesh.md)", "mesh"),
    "supports": Shared("[table](supports-and-loads.md#supportsname)", "supports"),
}
"""Tables described once, by the key that contains them."""


@dataclass(frozen=True)
class Section:
    """Table of a study: its path without choices, and the heading if it differs from the path."""

    path: str
    heading: str = ""
    kind: str = FINITE
    text: str = ""


@dataclass(frozen=True)
class Page:
    """Page with file name, title, first paragraph and tables."""

    name: str
    title: str
    text: str
    sections: tuple[Section, ...]


GENERAL = (
    "extends", "title", "description", "kind", "plane", "solver", "mass_matrix", "initial_state",
    "variants", "stages", "case", "model", "variant", "requirement", "derivation", "changed",
)  # fmt: skip
"""Keys outside any table, in the order of the page."""

NOTATION = (
    "NAME stands for a name that you choose. A section headed by a choice, such as "
    '`type = "gravity"`, lists keys that only this choice has. The unit 1 marks a pure number. '
    'Write [other units](../guide/units.md#units) as text: `"20 mm"`.'
)

PAGES = (
    Page(
        "study",
        "General keys",
        "This page lists the keys of a finite-element study that are outside any table. The guide "
        "is [Study files](../guide/study-files.md).",
        (Section("", "General keys"),),
    ),
    Page(
        "functions",
        "Functions of time and position",
        "A function of time or position multiplies the value that refers to it. The guides are "
        "[Supports and loads](../guide/supports-and-loads.md) and "
        "[Time and stages](../guide/time-and-stages.md).",
        (
            Section("functions.NAME"),
            Section("supports.NAME.profile", "Spatial functions"),
        ),
    ),
    Page(
        "mesh",
        "Geometry and mesh keys",
        "This page lists the keys of `[mesh]`. The guide is "
        "[Geometry and meshes](../guide/geometry.md).",
        (Section("mesh"), Section("mesh.shapes.NAME"), Section("mesh.groups.NAME")),
    ),
    Page(
        "materials",
        "Material and body keys",
        "This page lists the keys of `[materials]`, `[bodies]` and `[point_masses]`. The guide is "
        "[Materials and bodies](../guide/materials.md).",
        (Section("materials.NAME"), Section("bodies.NAME"), Section("point_masses.NAME")),
    ),
    Page(
        "supports-and-loads",
        "Support, load, spring and foundation keys",
        "This page lists the keys of `[supports]`, `[loads]`, `[springs]` and `[foundations]`. The "
        "guide is [Supports and loads](../guide/supports-and-loads.md).",
        tuple(Section(f"{name}.NAME") for name in ("supports", "loads", "springs", "foundations")),
    ),
    Page(
        "contact",
        "Contact keys",
        "This page lists the keys of `[contact]`. The guide is [Contact](../guide/contact.md).",
        (Section("contact.NAME"),),
    ),
    Page(
        "friction-and-wear",
        "Friction and wear laws",
        "This page lists the laws of `friction` and `wear`, for contact pairs and for lumped "
        "obstacles. The guide is [Friction and wear](../guide/friction-and-wear.md).",
        (
            Section("contact.NAME.friction", "Friction laws"),
            Section("contact.NAME.wear", "Wear laws"),
            Section("cycle_jump"),
        ),
    ),
    Page(
        "tools",
        "Rigid tool keys",
        "This page lists the keys of `[tools]`. The guide is "
        "[Rigid tools](../guide/rigid-tools.md).",
        (Section("tools.NAME"),),
    ),
    Page(
        "time",
        "Time keys",
        "This page lists the keys of `[time]`. The guide is "
        "[Time and stages](../guide/time-and-stages.md).",
        (Section("time"),),
    ),
    Page(
        "modes",
        "Modal analysis keys",
        "This page lists the keys of `[modes]`. The guide is "
        "[Modes and stability of sliding](../guide/modes.md).",
        (Section("modes"),),
    ),
    Page(
        "output",
        "Output and check keys",
        "This page lists the keys of `[watch]`, `[output]`, `[charts]`, `[report]`, "
        "`[checks]`, `[references]`, `[refinements]` and `[sweep]`. The guide is "
        "[Output, checks and sweeps](../guide/output.md).",
        (
            Section("watch.NAME"),
            Section("output"),
            Section("charts.NAME"),
            Section("report"),
            Section("checks.NAME"),
            Section("references.NAME"),
            Section("refinements.NAME"),
            Section("sweep"),
            Section("sweep.axes.NAME"),
            Section("sweep.results.NAME"),
        ),
    ),
    Page(
        "lumped",
        "Keys of lumped studies",
        'This page lists the keys that only studies with `kind = "lumped"` have. Lumped studies '
        "also use [general keys](study.md), [functions of time](functions.md) and "
        "[output and checks](output.md). The guide is [Lumped masses](../lumped.md).",
        tuple(
            Section(path, kind=LUMPED)
            for path in (
                "masses.NAME", "coordinates.NAME", "points.NAME", "bodies.NAME", "anchors.NAME",
                "springs.NAME", "springs.NAME.law", "constraints.NAME", "forces.NAME", "base",
                "obstacles.NAME",
                "obstacles.NAME.law", "modal", "modes", "response", "time",
                "watch.NAME", "statistics.NAME",
            )
        ),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """Key inside its table: the choice it belongs to ("" for all), its name, and the key."""

    choice: str
    name: str
    key: Key


def pages() -> dict[str, str]:
    """Return the text of every page by its file name; the pages contain all keys of both kinds."""
    described: set[tuple[str, str]] = set()
    texts = {f"{page.name}.md": _page(page, described) for page in PAGES}
    _check_complete(described)
    return texts


def _page(page: Page, described: set[tuple[str, str]]) -> str:
    parts = [f"# {page.title}", page.text, NOTATION]
    seen: dict[str, Row] = {}
    for section in page.sections:
        rows = list(_rows(section))
        described |= {(section.kind, row.key.path) for row in rows}
        parts += _section(section, rows, seen)
    if any(NOTE in part for part in parts):
        parts.append(f"{NOTE} {_sentence(PER_DEPTH.removeprefix('; '))}")
    return "\n\n".join(parts) + "\n"


def _section(section: Section, rows: list[Row], seen: dict[str, Row]) -> Iterator[str]:
    """Return the text of one table, or a reference if all its rows are on the page already."""
    yield f"## {section.heading or f'`[{section.path}]`'}"
    about = [row for row in rows if not row.name]
    if section.path and about and about[0].key.meaning:
        yield f"{_sentence(about[0].key.meaning)}{_need(about[0].key)}"
    rows = [row for row in rows if row.name]
    known = [seen.get(row.name) for row in rows]
    if rows and all(k and _same(k.key, row.key) for k, row in zip(known, rows, strict=True)):
        names = ", ".join(f"`{row.name}`" for row in rows)
        yield f"The keys {names} are those of `[checks.NAME]`."
        return
    seen |= {row.name: row for row in rows}
    yield from _groups(rows)


def _groups(rows: list[Row]) -> Iterator[str]:
    """Return the keys of a table: those of all choices, then those of each set of choices."""
    choices = list(dict.fromkeys(row.choice for row in rows if row.choice))
    chooser = next((row for row in rows if _chooses(row, choices)), None)
    if chooser is not None:
        rows = [row for row in rows if row is not chooser]
        described = _described(chooser.key)
        choices = [name for names in described for name in _names(names)]
        needed = chooser.key.default == "required"
        default = "required" if needed else f"default {_default(chooser.key)}"
        yield f"`{chooser.name}` ({default}) selects one of:"
        yield "\n".join(f"- {names}: {meaning}" for names, meaning in described.items())
    grouped: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        holders = tuple(r.choice for r in rows if r.name == row.name and _same(r.key, row.key))
        grouped.setdefault(holders, []).append(row)
    for holders in [h for h in grouped if len(h) > 1 and _few(grouped[h], h)]:
        for row in grouped.pop(holders):
            grouped.setdefault((row.choice,), []).append(row)
    tag = chooser.name if chooser is not None else "type"
    for holders in sorted(
        grouped, key=lambda h: (h[0] != "", -len(h), choices.index(h[0]) if h[0] else 0)
    ):
        if holders[0]:
            yield f"### {_with(holders, choices, tag)}"
        lines = [_line(row) for row in rows if row in grouped[holders] and row.choice == holders[0]]
        yield HEAD + "\n" + "\n".join(lines)


def _few(rows: list[Row], holders: tuple[str, ...]) -> bool:
    """Return True if a table shared by these choices is shorter when it is repeated."""
    return len(holders) < 3 and len(rows) < 3 * len(holders)


def _chooses(row: Row, choices: list[str]) -> bool:
    """Return True if the meaning of a key describes every choice: `a`: …; `b`, `c`: …."""
    described = [name for names in _described(row.key) for name in _names(names)]
    return row.name in CHOOSERS and len(described) > 1 and set(choices) <= set(described)


def _described(key: Key) -> dict[str, str]:
    """Return the meanings that the meaning of a key lists, by the choices that they describe."""
    parts = re.split(r"(?:^|; )((?:`[\w-]+`(?:, )?)+): ", key.meaning)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _names(text: str) -> list[str]:
    return re.findall(r"`([\w-]+)`", text)


def _with(holders: tuple[str, ...], choices: list[str], tag: str) -> str:
    """Return the heading of keys that only some choices have."""
    others = [choice for choice in choices if choice not in holders]
    if len(holders) == 1:
        return f'`{tag} = "{holders[0]}"`'
    if not others:
        return f"Every `{tag}`"
    if len(holders) > 3 and len(others) < len(holders):
        return f"Every `{tag}` except " + _list(others)
    return f"`{tag}` " + _list(holders, "or")


def _list(names: Iterable[str], last: str = "and") -> str:
    quoted = [f"`{name}`" for name in names]
    return ", ".join(quoted[:-1]) + (f" {last} " if len(quoted) > 1 else "") + quoted[-1]


def _line(row: Row) -> str:
    key, last = row.key, row.name.rpartition(".")[2]
    kind = key.type
    if last in SHARED and "table" in kind:
        kind = kind.replace("table", SHARED[last].link)
    meaning = key.meaning.replace(PER_DEPTH, f" {NOTE}")
    cells = (f"`{row.name}`", meaning, kind, key.unit, _default(key))
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _default(key: Key) -> str:
    if key.default == "none":
        return "–"
    return key.default if key.default == "required" else f"`{key.default}`"


def _need(key: Key) -> str:
    return " Required." if key.default == "required" else ""


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _same(one: Key, other: Key) -> bool:
    return (one.type, one.unit, one.default, one.meaning) == (
        other.type, other.unit, other.default, other.meaning,
    )  # fmt: skip


def _rows(section: Section) -> Iterator[Row]:
    """Return the keys of a table without those of inner tables that have a separate section."""
    own = _plain(section.path)
    inner = [_plain(path) for path in _boundaries() if path != section.path]
    order = keys(section.kind)
    if not section.path:
        order = sorted(
            (key for key in order if "." not in key.path and key.path in GENERAL),
            key=lambda key: GENERAL.index(key.path),
        )
    for key in order:
        plain = _plain(key.path)
        parent = own[:-1] if own[-1:] == ["NAME"] else own
        if own and plain == parent:
            yield Row("", "", key)
        if plain[: len(own)] != own or plain == own:
            continue
        if any(len(i) > len(own) and plain[: len(i)] == i and plain != i for i in inner):
            continue
        yield Row(_choice(key.path, len(own)), ".".join(plain[len(own) :]), key)


def _boundaries() -> list[str]:
    """Return the paths of all tables with a section, and of shared tables wherever they are."""
    found = [section.path for page in PAGES for section in page.sections if section.path]
    for kind in (FINITE, LUMPED):
        paths = (".".join(_plain(key.path)) for key in keys(kind))
        found += [path for path in paths if path.rpartition(".")[2] in SHARED]
    return list(dict.fromkeys(found))


def _plain(path: str) -> list[str]:
    return re.sub(r"\[.*?\]", "", path).split(".") if path else []


def _choice(path: str, depth: int) -> str:
    """Return the choice in brackets at the end of the first `depth` parts of a path."""
    head = path.split(".")[depth - 1] if depth else ""
    found = re.search(r"\[(.*)\]", head)
    return found[1] if found else ""


def _check_complete(described: set[tuple[str, str]]) -> None:
    """Raise if a key is on no page, or if a shared table differs from the described one."""
    common = {".".join(_plain(path)) for kind, path in described if kind == FINITE}
    missing = []
    for kind in (FINITE, LUMPED):
        for key in keys(kind):
            plain = ".".join(_plain(key.path))
            if (kind, key.path) in described or _in_shared(kind, key):
                continue
            if kind == LUMPED and plain in common:
                continue
            missing.append((kind, key.path))
    if missing:
        raise ValueError(f"keys on no page of the reference: {missing}")


def _in_shared(kind: str, key: Key) -> bool:
    """Return True if a key is inside a shared table and described with it."""
    for name, shared in SHARED.items():
        found = re.match(rf"(.*?\.{name})(\[.*?\])?\.(.*)", key.path)
        if found is None:
            continue
        path = f"{shared.source}{found[2] or ''}.{found[3]}"
        twin = [one for one in keys(FINITE) if one.path == path]
        if twin and _same(twin[0], key):
            return True
        raise ValueError(f"{kind}: {key.path} differs from {path}; give it a section")
    return False


if __name__ == "__main__":
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
