"""Groups and numbers of an untrusted HDF5 file, restricted to data inside the file.

HDF5 data can be replaced by links to other files or by bytes of other files (external links,
external storage, virtual datasets). Following them would expose the user's files to an untrusted
mesh. Only hard links and data inside the file are read here.
"""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from fecontact.study.base import in_toml
from fecontact.study.errors import InputError


def group(parent: h5py.Group, path: str) -> h5py.Group:
    """Return the group at a path below another."""
    found = _entry(parent, path)
    if not isinstance(found, h5py.Group):
        raise InputError(
            f"mesh.file: {in_toml(path)} is not a group, as its format requires. "
            "Write the file again."
        )
    return found


def has(parent: h5py.Group, name: str) -> bool:
    """Return True if a group has an entry of that name."""
    return parent.get(name, getlink=True) is not None


def groups(parent: h5py.Group) -> dict[str, h5py.Group]:
    """Return the groups directly below another, by name."""
    return {name: group(parent, name) for name in parent}


def numbers(parent: h5py.Group, path: str) -> NDArray[Any]:
    """Return the numbers of a dataset."""
    found = _entry(parent, path)
    if not isinstance(found, h5py.Dataset) or found.dtype.base.kind not in "iuf":
        raise InputError(
            f"mesh.file: {in_toml(path)} is not an array of numbers, as its format requires. "
            "Write the file again."
        )
    _check_inside(found, path)
    return np.asarray(found[()])


def letters(parent: h5py.Group, path: str) -> NDArray[Any]:
    """Return the characters of a dataset of names, one byte each."""
    found = _entry(parent, path)
    if not isinstance(found, h5py.Dataset) or found.dtype != "S1" or found.ndim != 2:
        raise InputError(
            f"mesh.file: {in_toml(path)} is not an array of characters. Write the file again."
        )
    _check_inside(found, path)
    return np.asarray(found[()])


def integer(parent: h5py.Group | h5py.Dataset, name: str) -> int | None:
    """Return an integer attribute; None if it is missing."""
    if name not in parent.attrs:
        return None
    value = np.asarray(parent.attrs[name])
    if value.size != 1 or value.dtype.kind not in "iu":
        raise InputError(
            f"mesh.file: the attribute {in_toml(name)} is not a whole number. Write the file again."
        )
    return int(value.ravel()[0])


def _check_inside(found: h5py.Dataset, path: str) -> None:
    if found.external or found.is_virtual:
        raise InputError(
            f"mesh.file: {in_toml(path)} stores its numbers in another file. Save the mesh "
            "as one file."
        )


def _entry(parent: h5py.Group, path: str) -> Any:
    """Follow a path link by link."""
    entry: Any = parent
    for name in path.split("/"):
        link = entry.get(name, getlink=True) if isinstance(entry, h5py.Group) else None
        if link is None:
            raise InputError(
                f"mesh.file: {in_toml(path)}, required by its format, not found. "
                "Write the file again."
            )
        if not isinstance(link, h5py.HardLink):
            raise InputError(
                f"mesh.file: {in_toml(path)} is a link to another location or file. Save the mesh "
                "with its data in one file."
            )
        entry = entry[name]
    return entry
