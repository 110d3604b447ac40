"""`fecontact sweep`: sweep over keys given on the command line, or over those of [sweep]."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from fecontact.study.errors import InputError

if TYPE_CHECKING:
    from fecontact.study import AnyStudy

_NO_AXIS = "is not an axis. Write KEY=FROM:TO:COUNT, or KEY=A,B,C"
_UNSWEPT = ("checks", "references", "charts", "report", "variants", "sweep")


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("study")
@click.argument("axes", nargs=-1, metavar="KEY=FROM:TO:COUNT|KEY=A,B,C ...")
@click.option(
    "--zip", "linked", is_flag=True, help="Vary all keys together, not in all combinations."
)
@click.option("--save-runs", is_flag=True, help="Save the results and report of each run.")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="Change a key.")
@click.option("--out", help="Result folder [results/<study>].")
@click.option("--overwrite", is_flag=True, help="Replace the results in the folder.")
@click.option("--quiet", is_flag=True, help="Print only warnings and failures.")
@click.pass_context
def sweep(context: click.Context, study: str, axes: tuple[str, ...], **options: Any) -> None:
    """Compute STUDY for all combinations of key values, for example friction=0.1:0.5:5.

    Without a KEY, the axes are those of [sweep] in the file. A KEY is dotted, as for --set, or only
    its last parts if they are unique in the study. The saved results are those of [sweep.results]
    or, if the study has none, the largest value of each history output and the key figures.
    """
    from fecontact.cli.commands.run import run
    from fecontact.study import load
    from fecontact.study.library import find

    overrides: tuple[str, ...] = options["overrides"]
    loaded = load(find(study), overrides)
    if not axes and loaded.sweep is None:
        raise InputError(
            f"{study}: no [sweep] in the file and no key to vary. Name a key with its values, for "
            f"example {_example(loaded)}."
        )
    named = [_axis(loaded, axis) for axis in axes]
    words = [f"sweep.axes.{quoted(key)}={{ {values} }}" for key, values in named]
    if options["linked"]:
        words.append(f"sweep.zip=[{', '.join(quoted(key) for key, _ in named)}]")
    if loaded.sweep is None:
        words += [f"sweep.results.{quoted(n)}={{ {entry} }}" for n, entry in _results(loaded)]
    words += ["sweep.save_runs=true"] if options["save_runs"] else []
    arguments = [study, *(part for word in (*overrides, *words) for part in ("--set", word))]
    arguments += ["--out", options["out"]] if options["out"] is not None else []
    arguments += [f"--{name}" for name in ("overwrite", "quiet") if options[name]]
    with run.make_context("run", arguments, parent=context.parent) as inner:
        run.invoke(inner)


def quoted(name: str) -> str:
    """Return a name as a quoted key of TOML."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _example(study: AnyStudy) -> str:
    """Return an axis that the study can have: the friction of its first contact, or its step."""
    for table in ("contact", "obstacles"):
        for name in getattr(study, table, ()):
            return f"{table}.{name}.friction=0.1:0.5:5"
    return "time.step=0.001,0.002"


def _axis(study: AnyStudy, text: str) -> tuple[str, str]:
    """Return the whole key of an axis and its values, as in a study file."""
    short, given, values = text.partition("=")
    if not given or not values:
        raise InputError(f"{text}: {_NO_AXIS}")
    return _whole_key(study, short), _values(text, values)


def _whole_key(study: AnyStudy, short: str) -> str:
    from fecontact.study.base import closest

    keys = list(_keys(study.model_dump(mode="json")))
    found = [key for key in keys if f".{key}".endswith(f".{short}")]
    if short in keys or (not found and "." in short):
        return short  # a whole key, an entry of a list, or a key without a value
    if len(found) > 1:
        raise InputError(
            f"{short}: several keys end with this name ({', '.join(found[:6])}). Write the full key"
        )
    if not found:
        near = closest(short, {key.split(".")[-1] for key in keys})
        raise InputError(f"{short}: no key of the study ends with this name{near}")
    return found[0]


def _keys(data: dict[str, Any], path: str = "") -> Iterator[str]:
    """Yield the dotted keys of a study that have values."""
    for name, value in data.items():
        if not path and name in _UNSWEPT:
            continue
        key = f"{path}.{name}" if path else name
        if isinstance(value, dict):
            yield from _keys(value, key)
        else:
            yield key


def _values(text: str, values: str) -> str:
    """Return the values of an axis as the inside of a table of TOML."""
    parts = values.split(":")
    if len(parts) == 1:
        return f"values = [{', '.join(map(_value, values.split(',')))}]"
    if len(parts) != 3:
        raise InputError(f"{text}: {_NO_AXIS}")
    start, stop, count = parts
    if not count.isdecimal() or int(count) < 2:
        raise InputError(f"{text}: COUNT is {count}; it must be a whole number ≥ 2")
    return f"start = {_value(start)}, stop = {_value(stop)}, count = {count}"


def _value(word: str) -> str:
    """Return a value as in a study file: a number as it is, another word quoted."""
    try:
        float(word)
    except ValueError:
        return quoted(word)
    return word


def _results(study: AnyStudy) -> Iterator[tuple[str, str]]:
    """Yield names and measures of the saved results: history outputs and key figures."""
    from fecontact.study.finite_element import FiniteElementStudy
    from fecontact.study.output_names import (
        LABELS_OF_PEAKS,
        PEAKS_OF_A_BODY,
        PEAKS_OF_A_SUPPORT,
        PEAKS_OF_A_SURFACE,
    )

    for name in study.watch:
        yield f"largest {name}", f'quantity = {quoted(name)}, measure = "maximum"'
    if isinstance(study, FiniteElementStudy):
        bodies = itertools.product(["bodies"], study.bodies, PEAKS_OF_A_BODY)
        pairs = itertools.product(["contact"], study.contact, PEAKS_OF_A_SURFACE)
        supports = itertools.product(["supports"], study.supports, PEAKS_OF_A_SUPPORT)
        for table, name, peak in (*bodies, *pairs, *supports):
            entry = f'quantity = {quoted(f"{table}.{name}.{peak}")}, measure = "scalar"'
            yield f"{LABELS_OF_PEAKS[peak]} of {name}", entry
    else:
        for name in study.obstacles:
            entry = f'quantity = {quoted(f"{name}.largest_force")}, measure = "scalar"'
            yield f"largest normal force of {name}", entry
