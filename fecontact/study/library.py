"""The studies that come with fecontact: in `studies/` of a clone, inside an installed package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from fecontact.isolation import named
from fecontact.study.base import closest
from fecontact.study.errors import InputError

DEFAULT = "sdnv104a"
MOST_ALIKE = 6  # names that are told where one is not known


def directory() -> Path:
    """The folder of the studies."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "studies"
    return installed if installed.is_dir() else package.parent / "studies"


def names() -> list[str]:
    """Names of the studies, in order."""
    return sorted(p.stem for p in directory().glob("*.toml"))


def find(study: str | None) -> Path:
    """The file of a study: a path, or the name of one that comes with fecontact."""
    if study is None:
        return directory() / f"{DEFAULT}.toml"
    path = named(study)
    if (path.exists() and not path.is_dir()) or len(Path(study).parts) > 1:
        return path
    inside = directory() / f"{study}.toml"
    if not inside.is_file():  # its name may hold a dot
        if path.suffix:
            return path
        hint = closest(study, names()) or _alike(study) or " (`fecontact list` shows them)"
        raise InputError(f"{study}: neither a file nor a study that comes with fecontact{hint}")
    return inside


def _alike(study: str) -> str:
    """The studies with the most words of a name in their own names, in their titles, or else
    anywhere (keys and choices are words, too), if there are any."""
    wanted, found = _words(study), dict[str, int]()
    for name in names():
        file = directory() / f"{name}.toml"
        title = str(_table(file).get("title", ""))
        anywhere = len(wanted & _words(file.read_text(encoding="utf-8")))
        found[name] = 4 * len(wanted & _words(name)) + 2 * len(wanted & _words(title)) + anywhere
    most = max(found.values(), default=0)
    best = [name for name, shared in found.items() if shared == most][:MOST_ALIKE]
    return f" (there are: {', '.join(best)})" if most else ""


def _words(text: str) -> set[str]:
    """Its words of three letters and more; those in -s without it."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z]{3,}", text.lower())}


def _table(study: Path) -> dict[str, Any]:
    return tomllib.loads(study.read_text(encoding="utf-8"))


def needed(study: Path) -> list[Path]:
    """The files that a study and its variants name: meshes, and the studies it extends, one after
    the other."""
    data = _table(study)
    layers = (data, *data.get("variants", {}).values())
    meshes = [layer.get("mesh", {}).get("file") for layer in layers]
    files = [study.parent / mesh for mesh in dict.fromkeys(meshes) if mesh is not None]
    if "extends" in data:
        base = study.parent / data["extends"]
        files += [base, *needed(base)]
    return files
