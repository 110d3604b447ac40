"""General contact: `contact.all` pairs every body with every other body, with itself and with
every tool.

The table is replaced by one pair for each combination, before the study is validated. The outline
of a body, all its free edges, becomes the edge group `BODY.outline`. The body with the smaller
shear modulus is the slave; of two equally stiff bodies the one that is defined first; a body that
is fixed as a whole is always the master. Other pairs override the general ones where they connect
the same two bodies (:func:`fecontact.simulation.contact_pairs.overridden`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from pydantic import TypeAdapter, ValidationError

from fecontact.contact.methods import ContactPair
from fecontact.solid.laws import Material, Registered
from fecontact.study.models.outlines import OUTLINE

ALL = "all"
Table = dict[str, Any]


def with_general_contact(data: Any) -> Any:
    """Return the tables of a study with `contact.all` replaced by pairs."""
    settings = _settings(data)
    if settings is None:
        return data
    bodies = settings.pop("bodies", None)
    names = [*data["bodies"]] if bodies is None else bodies
    pairs = {name: pair for name, pair in data["contact"].items() if name != ALL}
    if not _is_valid(settings, names, data["bodies"]):
        # The ordinary validation reports the error at its key.
        wrong = settings if bodies is None else settings | {"bodies": bodies}
        return data | {"contact": pairs | {ALL: {"slave": "", "master": ""} | wrong}}
    for name, slave, master in _combinations(names, data):
        pairs.setdefault(name, settings | {"slave": slave, "master": master})
    mesh = data["mesh"]
    outlines = {
        f"{name}{OUTLINE}": {"of": data["bodies"][name].get("cells") or name} for name in names
    }
    return data | {"contact": pairs, "mesh": mesh | {"groups": outlines | mesh.get("groups", {})}}


def _settings(data: Any) -> Table | None:
    """Return a copy of `contact.all`; None without this table, or if other tables are not valid."""
    if not isinstance(data, dict) or not isinstance(data.get("contact"), dict):
        return None
    settings = data["contact"].get(ALL)
    if not isinstance(settings, dict) or "slave" in settings or "master" in settings:
        return None
    bodies, mesh = data.get("bodies"), data.get("mesh")
    if not isinstance(bodies, dict) or not all(isinstance(b, dict) for b in bodies.values()):
        return None
    return dict(settings) if isinstance(mesh, dict) else None


def _is_valid(settings: Table, names: Any, bodies: Table) -> bool:
    """Return True if the settings are those of a pair, and all names those of bodies."""
    if not isinstance(names, list | tuple) or not names or not all(n in bodies for n in names):
        return False
    try:
        TypeAdapter(ContactPair).validate_python(settings | {"slave": "a", "master": "b"})
    except ValidationError:
        return False
    return True


def _combinations(names: list[str], data: Table) -> Iterator[tuple[str, str, str]]:
    """Yield name, slave and master of each pair."""
    for name in names:
        yield f"{name}-self", f"{name}{OUTLINE}", f"{name}{OUTLINE}"
        for tool in data.get("tools", {}):
            yield f"{name}-{tool}", f"{name}{OUTLINE}", tool
    for first, second in combinations(names, 2):
        slave, master = first, second
        if _rank(first, data) > _rank(second, data):
            slave, master = second, first
        yield f"{slave}-{master}", f"{slave}{OUTLINE}", f"{master}{OUTLINE}"


def _rank(body: str, data: Table) -> tuple[bool, float]:
    """Return the rank of a body as a master: fixed bodies before others, then by stiffness."""
    supports = data.get("supports", {}).values()
    fixed = any(isinstance(s, dict) and s.get("on") == body for s in supports)
    return fixed, _shear_modulus(
        data.get("materials", {}).get(data["bodies"][body].get("material"))
    )


def _shear_modulus(material: Any) -> float:
    """Return the shear modulus of a material at small strain, Pa; 0 if it is not known here."""
    try:
        law: Any = TypeAdapter(Material).validate_python(material)
    except ValidationError:
        return 0.0
    return 0.0 if isinstance(law, Registered) else float(law.stiffness()[3, 3])
