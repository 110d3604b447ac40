"""A result folder contains the complete result and is never replaced silently."""

from __future__ import annotations

import csv
import json
from dataclasses import fields as dataclass_fields

import numpy as np
import pytest
from synthetic import released_mass

from fecontact import load, run
from fecontact.record import RunWarning, SweepRecord
from fecontact.results import write_results
from fecontact.results.checks.evaluation import evaluate_checks
from fecontact.results.folder import ownership
from fecontact.results.folder.files import written_whole
from fecontact.results.folder.result_folder import load_folder, prepare_folder, save
from fecontact.study.errors import InputError


@pytest.fixture
def folder(tmp_path, shoe_study, shoe):
    out = tmp_path / "out"
    prepare_folder(out)
    save(out, shoe_study, shoe, evaluate_checks(shoe_study, shoe))
    return out


def assert_same(a, b):
    """Two dataclasses hold the same arrays, dictionaries and numbers."""
    for one in dataclass_fields(a):
        left, right = getattr(a, one.name), getattr(b, one.name)
        if isinstance(left, dict):
            assert list(left) == list(right), one.name
            pairs = [(left[key], right[key]) for key in left]
        else:
            pairs = [(left, right)]
        for x, y in pairs:
            if isinstance(x, np.ndarray):
                np.testing.assert_array_equal(x, y)
                assert x.dtype == y.dtype
            elif hasattr(x, "__dataclass_fields__"):
                assert_same(x, y)
            else:
                assert x == y, one.name


def test_everything_reads_back_bit_for_bit(folder, shoe_study, shoe):
    result = load_folder(folder)
    assert result.study == shoe_study
    assert_same(result.record, shoe)
    assert result.rows == evaluate_checks(shoe_study, shoe)
    assert result.versions["numpy"] == np.__version__


def test_history_csv_has_names_and_units_and_one_row_per_saved_step(folder, shoe):
    with (folder / "history.csv").open(newline="") as file:
        header, *rows = list(csv.reader(file))
    assert header[:3] == ["time [s]", "x_A [m]", "v_A [m/s]"]
    assert len(rows) == len(shoe.history.time)
    assert float(rows[170][1]) == shoe.history.columns["x_A"][170]


def test_result_json_is_strict_json_with_checks_extrema_timings_and_counts(folder):
    def reject(constant):
        raise AssertionError(f"{constant} is not JSON")

    content = json.loads((folder / "result.json").read_text(), parse_constant=reject)
    assert content["study"]["case"] == "SDNV104"
    assert content["checks"][0]["outcome"] == "passed"
    assert content["extrema"]["x_A"]["reversals"][0][1] == pytest.approx(14.91145, abs=1e-4)
    assert content["statistics"]["iterations"] == 1050
    assert content["timings"]["steps"] == 0.2


def test_result_json_contains_the_times_of_writing_and_drawing(tmp_path, shoe_study, shoe):
    write_results(tmp_path / "numbers", shoe_study, shoe, [], report=False)
    assert set(load_folder(tmp_path / "numbers").record.timings) == {"assembly", "steps", "writing"}
    write_results(tmp_path / "pages", *released_mass(), [])
    timings = load_folder(tmp_path / "pages").record.timings
    assert set(timings) == {"writing", "report"}
    assert timings["report"] > timings["writing"] > 0.0


def test_a_folder_with_results_is_rejected_and_unchanged_without_overwrite(folder):
    (folder / "notes.txt").write_text("mine")
    before = (folder / "result.json").read_bytes()
    with pytest.raises(InputError, match="already contains results"):
        prepare_folder(folder)
    assert (folder / "result.json").read_bytes() == before
    prepare_folder(folder, overwrite=True)
    assert sorted(path.name for path in folder.iterdir()) == [ownership.LIST, "notes.txt"]


def test_the_users_files_in_folders_of_the_same_names_survive(tmp_path, shoe_study, shoe):
    mine = [tmp_path / name for name in ("plots/mine.png", "fields/mine.vtu", "checkpoints/mine")]
    for path in mine:
        path.parent.mkdir()
        path.write_text("mine")
    for _ in range(2):
        write_results(tmp_path, shoe_study, shoe, [], report=False, overwrite=True)
        assert (tmp_path / "fields" / "solid.pvd").exists()
    prepare_folder(tmp_path, overwrite=True)
    assert [path.read_text() for path in mine] == ["mine"] * 3
    assert [path.name for path in (tmp_path / "fields").iterdir()] == ["mine.vtu"]


@pytest.mark.parametrize("name", ["history.csv", "fields/solid.pvd"])
def test_a_file_of_the_users_is_not_written_over(tmp_path, shoe_study, shoe, name):
    mine = tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    with pytest.raises(InputError, match="written by fecontact"):
        write_results(tmp_path, shoe_study, shoe, [], report=False, overwrite=True)
    assert mine.read_text() == "mine"


def test_a_list_of_files_that_leads_elsewhere_is_not_believed(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    folder = tmp_path / "out"
    prepare_folder(folder)
    (folder / ownership.LIST).write_text(
        "../mine.txt\nplots/../../mine.txt\n/etc/passwd\nplots/..\n"
    )
    assert ownership.owned(folder) == []
    prepare_folder(folder, overwrite=True)
    assert (tmp_path / "mine.txt").exists()


def test_a_picture_that_cannot_be_drawn_costs_no_numbers(tmp_path, shoe_study, shoe, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("no such colour")

    monkeypatch.setattr("fecontact.results.report.page.write_report", fail)
    with pytest.raises(RuntimeError, match="numerical results"):
        write_results(tmp_path / "out", shoe_study, shoe, [])
    assert len(load_folder(tmp_path / "out").record.history.time) == len(shoe.history.time)


def test_a_file_in_place_of_the_folder_is_rejected(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="is a file"):
        prepare_folder(tmp_path / "out", overwrite=True)


def test_a_crash_while_writing_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "history.csv"
    path.write_text("old")

    def crash():
        with written_whole(path) as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crash()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_disk_is_one_sentence(tmp_path, shoe_study, shoe):
    (tmp_path / "out").write_text("a file, so no folder can be made here")
    with pytest.raises(InputError, match=r"history\.csv: cannot be written"):
        save(tmp_path / "out", shoe_study, shoe, [])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("result.json", "{", "cannot be read"),
        ("result.json", "[]", "result of fecontact"),
        ("result.json", '{"format": 99}', "format 99"),
        ("history.csv", "time [s],x [m]\n0,a\n", "table of numbers"),
        ("arrays.npz", "PK", "not the arrays"),
    ],
)
def test_a_damaged_folder_is_rejected(folder, name, text, message):
    (folder / name).write_text(text)
    with pytest.raises(InputError, match=message):
        load_folder(folder)


def test_untrusted_pickled_arrays_are_not_opened(folder):
    np.savez(folder / "arrays.npz", surfaces=np.array([{"a": 1}], dtype=object))
    with pytest.raises(InputError, match=r"arrays\.npz: not the arrays"):
        load_folder(folder)


def test_cells_that_point_outside_the_mesh_are_rejected(folder, shoe_study, shoe):
    shoe.mesh.cells[0, 0] = 10_000
    save(folder, shoe_study, shoe, [])
    with pytest.raises(InputError, match="do not exist"):
        load_folder(folder)


def test_a_failed_run_is_saved_with_its_reason(folder, shoe_study, shoe):
    shoe.failure = "no convergence at t = 2 s: node 12 keeps changing status"
    save(folder, shoe_study, shoe, evaluate_checks(shoe_study, shoe))
    assert load_folder(folder).record.failure == shoe.failure


def test_a_sweep_reads_back(tmp_path, shoe_study):
    sweep = SweepRecord(
        axes={"contact.sole.friction": [0.1, 0.2, 0.3], "solver": ["mumps", "lu"]},
        results={"last": np.arange(6.0).reshape(3, 2), "peak": np.full((3, 2), np.nan)},
        units={"last": "m", "peak": "Pa"},
        warnings=[RunWarning("one run failed")],
        timings={"runs": 2.0},
    )
    save(tmp_path, shoe_study, sweep, [])
    assert_same(load_folder(tmp_path).record, sweep)
    header, first = (tmp_path / "sweep.csv").read_text().splitlines()[:2]
    assert header == "contact.sole.friction,solver,last [m],peak [Pa]"
    assert first == "0.1,mumps,0.0,nan"


@pytest.mark.slow
def test_writing_costs_less_than_a_tenth_of_the_run(tmp_path):
    """SDNV104 with 80 × 80 cells, 71 times of its fields kept: 50 MB."""
    study = load("sdnv104a", {"mesh.shapes.shoe.cells": [80, 80]})
    run(load("sdnv104a", {"time.end": 0.1}))  # compiled code is loaded
    result = run(study)
    computing = sum(result.record.timings.values())
    writing = []
    for attempt in ("first", "second", "third"):  # another program may be using the disk
        folder = result.save(tmp_path / attempt, report=False)
        writing.append(load_folder(folder).record.timings["writing"])
    assert min(writing) < 0.1 * computing
