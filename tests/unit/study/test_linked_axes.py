"""Sweeps whose axes vary together, or have lists as values; the command that names the axes."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner

import fecontact
from fecontact.cli.commands.sweep import sweep as command
from fecontact.study.errors import InputError


def test_linked_axes_take_one_value_of_each_after_the_other():
    study = fecontact.load("sdnd100a")
    name = next(iter(study.watch))
    results = {"last": {"quantity": name, "measure": "final"}}
    axes = {"masses.shoe.mass": {"values": [1.0, 4.0]}, "time.end": {"values": [0.01, 0.02]}}
    linked = fecontact.load(
        "sdnd100a",
        {"checks": None, "sweep": {"axes": axes, "zip": list(axes), "results": results}},
    )
    record = fecontact.run(linked).record
    assert list(record.axes) == ["masses.shoe.mass"]
    assert record.linked == {"time.end": [0.01, 0.02]}
    for i, (mass, end) in enumerate([(1.0, 0.01), (4.0, 0.02)]):
        one = {"checks": None, "masses.shoe.mass": mass, "time.end": end}
        alone = fecontact.run(fecontact.load("sdnd100a", one))
        assert record.results["last"][i] == pytest.approx(alone[name][-1], rel=1e-12)


def test_linked_axes_must_have_as_many_values():
    axes = {"masses.shoe.mass": {"values": [1.0, 4.0]}, "time.end": {"values": [0.01]}}
    results = {"last": {"quantity": "DX", "measure": "final"}}
    sweep = {"axes": axes, "zip": list(axes), "results": results}
    with pytest.raises(InputError, match="different lengths"):
        fecontact.load("sdnd100a", {"checks": None, "sweep": sweep})


def test_an_axis_may_have_lists():
    lists = {"values": [[6e-4, 6e-4, 0.0], [3e-4, 3e-4, 0.0]]}
    name = next(iter(fecontact.load("sdnd100a").watch))
    sweep = {
        "axes": {"masses.shoe.displacement": lists},
        "results": {"most": {"quantity": name, "measure": "maximum"}},
    }
    changes = {"checks": None, "time.end": 0.02, "sweep": sweep}
    found = fecontact.run(fecontact.load("sdnd100a", changes)).record.results["most"]
    np.testing.assert_allclose(found, [6e-4, 3e-4], rtol=0.05)


def test_the_command_finds_a_key_by_its_end_and_names_the_one_that_is_meant(tmp_path):
    arguments = ["sdnd100a", "mas=1:2:2", "--out", str(tmp_path / "out")]
    with pytest.raises(InputError, match='"mass"'):
        CliRunner().invoke(command, arguments, catch_exceptions=False)
    with pytest.raises(InputError, match="is not an axis"):
        CliRunner().invoke(command, ["sdnd100a", "mass=1:2"], catch_exceptions=False)
