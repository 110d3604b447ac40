"""The studies that come with fecontact: in `studies/` of a clone, inside an installed package."""

from __future__ import annotations

import tomllib
from pathlib import Path

from fecontact.study.base import closest
from fecontact.study.errors import InputError

DEFAULT = "sdnv104a"


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
    path = Path(study)
    if path.exists() or len(path.parts) > 1:
        return path
    inside = directory() / f"{study}.toml"
    if not inside.is_file():  # its name may hold a dot
        if path.suffix:
            return path
        hint = closest(study, names()) or " (`fecontact list` shows them)"
        raise InputError(f"{study}: neither a file nor a study that comes with fecontact{hint}")
    return inside


def needed(study: Path) -> list[Path]:
    """The files that a study and its variants name: meshes, and the studies it extends, one after
    the other."""
    data = tomllib.loads(study.read_text(encoding="utf-8"))
    layers = (data, *data.get("variants", {}).values())
    meshes = [layer.get("mesh", {}).get("file") for layer in layers]
    files = [study.parent / mesh for mesh in dict.fromkeys(meshes) if mesh is not None]
    if "extends" in data:
        base = study.parent / data["extends"]
        files += [base, *needed(base)]
    return files
