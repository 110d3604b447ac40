"""Results as objects of other packages, and the message if these are not installed."""

from __future__ import annotations

import csv
import sys

import numpy as np
import pytest

import fecontact
from fecontact.results import Result


@pytest.fixture
def result(shoe_study, shoe):
    return Result.of(shoe_study, shoe, [])


def test_histories_become_a_frame_over_time_with_units(result):
    pytest.importorskip("pandas")
    frame = result.to_pandas()
    assert frame.index.name == "time" and frame.attrs["units"]["x_A"] == "m"
    np.testing.assert_array_equal(frame["x_A"].to_numpy(), result["x_A"])


def test_fields_and_surfaces_become_a_labelled_dataset(result):
    pytest.importorskip("xarray")
    data = result.to_xarray()
    assert data["stress"].sel(stress_component="yy").attrs["units"] == "Pa"
    assert data["sole.pressure"].shape == result.record.surfaces["sole"].pressure.shape


@pytest.mark.parametrize("package", ["pandas", "xarray"])
def test_a_missing_package_is_reported(monkeypatch, result, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(fecontact.InputError, match=f"{package} is not installed"):
        getattr(result, f"to_{package}")()


def test_pressure_along_an_edge_is_written_for_every_step_and_node(tmp_path, result):
    path = result.edge_csv("sole", tmp_path / "sole.csv")
    header, *rows = csv.reader(path.open(encoding="utf-8"))
    assert header[:3] == ["time [s]", "arc [m]", "pressure [Pa]"]
    surface = result.record.surfaces["sole"]
    assert len(rows) == surface.pressure.size
    assert float(rows[-1][2]) == surface.pressure[-1, -1]


def test_an_unknown_pair_is_answered_with_the_known_ones(tmp_path, result):
    with pytest.raises(fecontact.InputError, match=r'"sloe" .*"sole"'):
        result.edge_csv("sloe", tmp_path / "x.csv")
