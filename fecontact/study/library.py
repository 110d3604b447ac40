"""Bundled studies: in `studies/TOPIC/` of a clone, or inside an installed package.

A study is found by its name, independent of its topic.
"""

from __future__ import annotations

import re
import tomllib
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from fecontact.isolation import named
from fecontact.study.base import closest
from fecontact.study.errors import InputError

DEFAULT = "sdnv104a"
TOPICS = {
    "sdnv104": "SDNV104: shoe sliding on a support",
    "sdnd100": "SDND100: release of a shoe with Coulomb friction, lumped",
    "sdnd104": "SDND104: block with friction on a vibrating support, lumped",
    "sdnd121": "SDND121: oscillator with impacts, lumped",
    "code_aster": "other validation cases of code_aster",
    "contact": "static contact, meshes and supports",
    "friction": "friction",
    "impact": "impact",
    "rolling": "rolling and large rotation",
    "wear": "wear",
    "modes": "modes and stability of sliding",
    "reduced": "reduced bodies",
    "response": "periodic response",
    "finite-strain": "finite strain",
    "plasticity": "plasticity",
    "viscoelasticity": "viscoelasticity",
    "lumped": "lumped systems",
}
"""The folders of `studies/`, in the order of `fecontact list`, and their headings."""

GALLERY = "gallery/"
SYNONYMS = {
    "seal": "ring rubber", "gasket": "flange ring", "oring": "ring", "drum": "brake",
    "bolt": "bolted flange", "screw": "bolted flange", "preload": "bolted clamped",
    "torque": "roller drum", "moment": "roller", "shaft": "press", "hub": "press",
    "bearing": "roller", "gear": "tooth", "rail": "wheel", "tyre": "wheel roller",
    "tire": "wheel roller", "clip": "snap hook", "latch": "snap hook", "elastomer": "rubber",
    "pile": "driving", "drop": "dropped", "impact": "bouncing", "squeal": "brake",
    "adaptive": "halving", "automatic": "halving", "fretting": "slip wear",
    "leak": "fluid", "leakage": "fluid", "crash": "dropped", "pretension": "bolted clamped",
}  # fmt: skip
"""Search words → words used in the bundled studies."""

MAX_SUGGESTIONS = 6  # names shown if a name is not found


def directory() -> Path:
    """Return the folder of the studies."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "studies"
    return installed if installed.is_dir() else package.parent / "studies"


def files() -> list[Path]:
    """Return the files of the studies, sorted by name."""
    return sorted(directory().glob("*/*.toml"), key=lambda path: path.stem)


def names() -> list[str]:
    """Return the names of the studies, sorted."""
    return [path.stem for path in files()]


def names_by_topic() -> dict[str, list[str]]:
    """Return the names of the studies by the headings of their topics, in the order of TOPICS."""
    return {
        heading: sorted(path.stem for path in (directory() / topic).glob("*.toml"))
        for topic, heading in TOPICS.items()
    }


def gallery() -> Path:
    """Return the folder of the gallery: machine parts, without references."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "gallery"
    return installed if installed.is_dir() else package.parent / "docs" / "gallery"


def gallery_names() -> list[str]:
    """Return the gallery's study names, sorted; gallery/NAME if [studies] has the same name."""
    known = set(names())
    found = sorted(p.stem for p in gallery().glob("*.toml"))
    return [f"{GALLERY}{name}" if name in known else name for name in found]


def file_of(name: str) -> Path:
    """Return the file of a bundled study, which may not exist."""
    if name.startswith(GALLERY):
        return gallery() / f"{name.removeprefix(GALLERY)}.toml"
    inside = (directory() / topic / f"{name}.toml" for topic in TOPICS)
    return next((path for path in inside if path.is_file()), gallery() / f"{name}.toml")


def find(study: str | None) -> Path:
    """Return the file of a study: a path, or the name of a bundled study."""
    if study is None:
        return file_of(DEFAULT)
    path = named(study)
    inside, parts = file_of(study), len(Path(study).parts)
    if (path.exists() and not path.is_dir()) or (parts > 1 and not inside.is_file()):
        return path
    if not inside.is_file():  # the name can contain a dot
        if path.suffix:
            return path
        if best := alike(study):
            hint = f". Similar studies: {', '.join(best)}. Choose one of them."
        else:
            near = closest(study, [*names(), *gallery_names()])
            hint = near or ". Run `fecontact list` for all studies."
        raise InputError(f"{study}: not found, neither as a file nor as a bundled study{hint}")
    return inside


def alike(words: str) -> list[str]:
    """Return the bundled studies that best match these words or their synonyms; matches in the name
    count most, then those in the title, then those anywhere (including keys and choices). Equal
    matches are in the order of the likeness of their names.
    """
    wanted = _words(words)
    wanted |= {other for word in wanted for other in SYNONYMS.get(word, "").split()}
    found: dict[str, int] = {}
    for name in [*names(), *gallery_names()]:
        file = file_of(name)
        title = str(_table(file).get("title", ""))
        anywhere = len(wanted & _words(file.read_text(encoding="utf-8")))
        found[name] = 4 * len(wanted & _words(name)) + 2 * len(wanted & _words(title)) + anywhere
    most = max(found.values(), default=0)
    best = [name for name, shared in found.items() if shared == most > 0]
    return sorted(best, key=lambda name: -_likeness(name, words))[:MAX_SUGGESTIONS]


def _likeness(name: str, other: str) -> float:
    """Return the fraction of letters that two names share in order."""
    return SequenceMatcher(None, name, other).ratio()


def _words(text: str) -> set[str]:
    """Return the words of three letters or more, without a final -s."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z]{3,}", text.lower())}


def _table(study: Path) -> dict[str, Any]:
    return tomllib.loads(study.read_text(encoding="utf-8"))


def needed(study: Path) -> list[Path]:
    """Return the files that a study and its variants need, in order: meshes and
    extended studies.
    """
    data = _table(study)
    layers = (data, *data.get("variants", {}).values())
    meshes = [layer.get("mesh", {}).get("file") for layer in layers]
    files = [study.parent / mesh for mesh in dict.fromkeys(meshes) if mesh is not None]
    if "extends" in data:
        base = study.parent / data["extends"]
        files += [base, *needed(base)]
    return files
