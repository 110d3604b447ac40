"""Result folder: all results of a run, written once and read back without computing.

    result.json    study as resolved, origin (date, host, command, digests), versions, checks,
                   extrema, scalars, timings, warnings
    history.csv    one row per saved step; the header gives names and units
    sweep.csv      for a sweep instead of history.csv: one row per combination
    arrays.npz     mesh, fields, contact surfaces, intervals: input of plots and report
    restart.npz        of a completed finite-element run: initial state for another run

result.json is written last: a folder without it contains no result. All files that are read may
come from an untrusted source: no pickles, and inconsistent data are rejected.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, get_args

from fecontact import restart_file
from fecontact.record import KeyFigure, Level, RunRecord, RunWarning, Scalar, SweepRecord
from fecontact.results.checks.evaluation import CheckRow, judgement
from fecontact.results.checks.measures import extrema
from fecontact.results.folder import arrays, ownership, tabular
from fecontact.results.folder.files import require_links_inside, write_text, written_whole
from fecontact.results.folder.provenance import duration, note_origin
from fecontact.results.folder.result import Result
from fecontact.study import AnyStudy, InputError, study_from_dict
from fecontact.study.plugins import reading
from fecontact.versions import used_versions

FORMAT = 1  # of result.json; a newer one is rejected
_LISTED_EXTREMA = 50  # per history; an impact oscillator has thousands


def prepare_folder(folder: Path, overwrite: bool = False) -> None:
    """Create the folder; raise InputError if it already contains results.

    With `overwrite` the files that fecontact wrote there are removed first, so that old and new
    files are never mixed; a file of the user's is never changed.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file. Choose a folder for the results.")
    ours = ownership.owned(folder)
    existing = [name for name in (*ours, *ownership.FILES) if (folder / name).exists()]
    if existing and not overwrite:
        raise InputError(
            f"{folder} already contains results ({existing[0]}). Choose another folder with --out "
            "or replace them with --overwrite."
        )
    foreign = [name for name in existing if name not in ours]
    if foreign:
        raise InputError(
            f"{folder / foreign[0]} was not written by fecontact and is not changed. Choose "
            "another folder with --out."
        )
    try:
        ownership.remove_owned(folder)
        ownership.begin(folder)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None


def save(
    folder: Path, study: AnyStudy, record: RunRecord | SweepRecord, rows: list[CheckRow]
) -> None:
    """Write result.json, the table of histories or of the sweep, and the arrays."""
    save_data(folder, record)
    save_outline(folder, study, record, rows)


def save_data(folder: Path, record: RunRecord | SweepRecord) -> None:
    """Write the table of histories and the arrays, or the table of the sweep."""
    if isinstance(record, SweepRecord):
        tabular.write_sweep(folder / "sweep.csv", record)
    else:
        tabular.write_history(folder / "history.csv", record.history)
        arrays.write_arrays(folder / "arrays.npz", record)
        if record.end:
            with (
                written_whole(folder / restart_file.FILE) as temporary,
                temporary.open("wb") as file,
            ):
                restart_file.write(file, record.end)


def save_outline(
    folder: Path, study: AnyStudy, record: RunRecord | SweepRecord, rows: list[CheckRow]
) -> None:
    """Write result.json: the study, its origin and timings, and its single numbers."""
    note_origin(study, record)
    content: dict[str, Any] = {
        "format": FORMAT,
        "study": study.model_dump(mode="json", by_alias=True),
        "origin": {**record.origin, "duration": duration(record), "changed": study.changed},
        "versions": used_versions(),
        "checks": [row.to_json() for row in rows],
        "warnings": [{"level": w.level, "text": str(w)} for w in record.warnings],
        "notes": record.notes if isinstance(record, RunRecord) else [],
        "timings": record.timings,
    }
    if isinstance(record, SweepRecord):
        content["sweep"] = {
            "axes": record.axes,
            "results": list(record.results),
            "linked": record.linked,
        }
    else:
        content |= {
            "verdict": judgement(rows, record.warnings),
            "failure": record.failure,
            "statistics": record.statistics,
            "scalars": {name: vars(scalar) for name, scalar in record.scalars.items()},
            "key_figures": [vars(figure) for figure in record.key_figures],
            "extrema": _extrema(record),
        }
    text = json.dumps(_plain(content), indent=1, ensure_ascii=False, allow_nan=False)
    write_text(folder / "result.json", text + "\n")


def load_folder(folder: Path) -> Result:
    """Read a result folder; raise InputError if it is invalid."""
    path = folder / "result.json"
    require_links_inside(folder)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{folder} contains no result.json; it is not a result folder. "
            "Give the folder of a run."
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    try:
        return _result(folder, content)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"{path}: not a result of fecontact {FORMAT}: {error!r}") from None


def _result(folder: Path, content: dict[str, Any]) -> Result:
    if content["format"] != FORMAT:
        raise InputError(
            f"{folder}/result.json has format {content['format']!r}; this version of fecontact "
            f"reads format {FORMAT}. Run the study again."
        )
    with reading():  # a law registered elsewhere need not be available here
        study = study_from_dict(content["study"], where=f"{folder}/result.json")
    record: RunRecord | SweepRecord
    if "sweep" in content:
        record = tabular.read_sweep(folder / "sweep.csv", **content["sweep"])
    else:
        record = RunRecord(history=tabular.read_history(folder / "history.csv"))
        record.scalars = {name: _scalar(one) for name, one in content["scalars"].items()}
        record.key_figures = [_figure(one) for one in content.get("key_figures", [])]
        record.failure = content["failure"]
        record.statistics = dict(content["statistics"])
        arrays.read_arrays(folder / "arrays.npz", record)
    record.warnings = [_warning(one) for one in content["warnings"]]
    if isinstance(record, RunRecord):
        record.notes = [str(text) for text in content.get("notes", [])]
    origin = content.get("origin", {})  # not in results of older versions
    record.origin = {n: str(v) for n, v in origin.items() if n not in ("duration", "changed")}
    record.timings = {str(name): float(value) for name, value in content["timings"].items()}
    rows = [CheckRow.from_json(row) for row in content["checks"]]
    versions = {str(name): str(text) for name, text in content["versions"].items()}
    return Result(study, record, rows, versions)


def _scalar(data: dict[str, Any]) -> Scalar:
    value = _number(data["value"])
    limit = None if data["limit"] is None else float(data["limit"])
    return Scalar(value, str(data["unit"]), str(data["meaning"]), limit)


def _number(value: float | None) -> float:
    """Return a number of result.json, where NaN and infinity are null."""
    return math.nan if value is None else float(value)


def _figure(data: dict[str, Any]) -> KeyFigure:
    node, place = data["node"], data["position"]
    return KeyFigure(
        name=str(data["name"]),
        of=str(data["of"]),
        label=str(data["label"]),
        value=_number(data["value"]),
        unit=str(data["unit"]),
        time=_number(data["time"]),
        node=None if node is None else int(node),
        position=None if place is None else (float(place[0]), float(place[1])),
        note=str(data["note"]),
    )


def _warning(data: dict[str, Any]) -> RunWarning:
    if data["level"] not in get_args(Level):
        raise ValueError(f"a warning has the level {data['level']!r}")
    return RunWarning(str(data["text"]), data["level"])


def _extrema(record: RunRecord) -> dict[str, Any]:
    """Return unit, least and greatest saved value with times, and reversals of every history."""
    time, found = record.history.time, {}
    for name, values in record.history.columns.items():
        if not len(values):
            continue
        low, high = int(values.argmin()), int(values.argmax())
        found[name] = {
            "unit": record.history.units.get(name, ""),
            "minimum": [time[low], values[low]],
            "maximum": [time[high], values[high]],
            "reversals": extrema(time, values, _LISTED_EXTREMA),
        }
    return found


def _plain(value: Any) -> Any:
    """Return the value in JSON types: NumPy numbers as numbers, NaN and infinity as null."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
