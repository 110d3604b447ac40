"""Complex modes of steady sliding: closed forms, the transient run, solvers, ranks, the command."""

from __future__ import annotations

import re

import numpy as np
import pytest
from click.testing import CliRunner
from launch import on_ranks
from scipy.optimize import least_squares

import fecontact
from fecontact.cli.main import cli
from fecontact.modal import real, sliding
from fecontact.reference.solids.natural_frequencies import mode_coupling

SPRINGS, ANGLES = (11.0, 20.0), (150.0, 35.0)


@pytest.mark.parametrize("friction", (0.0, 0.2, 0.43, 0.47, 0.9))
@pytest.mark.parametrize("lumped", (False, True), ids=("elements", "lumped"))
def test_two_modes_on_a_belt_are_those_of_the_closed_form(friction, lumped):
    name, key = "mode-coupling", "contact.sole.friction"
    if lumped:
        name, key = "mode-coupling-lumped", "obstacles.belt.friction"
    study = fecontact.load(name, {key: friction, "checks": None})
    found = fecontact.modes(study)
    exact, critical = mode_coupling(SPRINGS, ANGLES, 11.0, friction)
    exact = exact[exact.imag > 0]
    assert 2 * np.pi * found.frequency == pytest.approx(np.sort(exact.imag), abs=1e-6)
    assert np.sort(found.growth) == pytest.approx(np.sort(exact.real), abs=1e-6)
    assert bool(found.unstable) == (friction > critical)


def test_an_unstable_mode_grows_as_fast_as_the_transient_run():
    study = fecontact.load("brake-squeal", {"checks": None})
    modes = fecontact.modes(study)
    least_stable = int(np.argmax(modes.growth))
    slide = {
        "time": {"scheme": "generalized-alpha", "step": 1e-6, "end": 1.004},
        "loads": {"press": {"value": 1.000001e6}},
    }
    changes = {
        "modes": None,
        "time.end": 1.004,
        "stages": {"press": {"time": {"end": 1.0}}, "slide": slide},
        "watch": {"v": {"type": "velocity", "at": "pad.bottom-left", "component": "x"}},
    }
    result = fecontact.run(fecontact.changed(study, changes))
    late = result.time > 1.0025
    t, v = result.time[late] - 1.0025, result["v"][late]

    def missing(p):
        wave = np.exp((1e3 * p[0] + 1e5j * p[1]) * t)
        basis = np.column_stack([wave.real, wave.imag, np.ones_like(t)])
        return (basis @ np.linalg.lstsq(basis, v, rcond=None)[0] - v) / np.abs(v).max()

    spectrum = np.abs(np.fft.rfft(v - v.mean()))
    start = 2 * np.pi * np.fft.rfftfreq(len(v), 1e-6)[spectrum.argmax()]
    fit = least_squares(missing, [1.0, start / 1e5])
    assert np.abs(fit.fun).max() < 1e-2
    assert modes.growth[least_stable] == pytest.approx(1e3 * fit.x[0], rel=0.01)
    assert 2 * np.pi * modes.frequency[least_stable] == pytest.approx(1e5 * fit.x[1], rel=5e-3)


def test_arpack_and_dense_algebra_find_the_same_modes(monkeypatch):
    coarse = {"mesh.shapes.pad.cells": [4, 2], "checks": None}
    study = fecontact.load("brake-squeal", coarse)
    found = [fecontact.modes(study, number=4), fecontact.modes(study, number=4, sliding=False)]
    monkeypatch.setattr(sliding, "SMALL", 1000)
    monkeypatch.setattr(real, "SMALL", 1000)
    dense = [fecontact.modes(study, number=4), fecontact.modes(study, number=4, sliding=False)]
    for one, other in zip(found, dense, strict=True):
        assert one.frequency == pytest.approx(other.frequency, rel=1e-8)
    assert found[0].growth == pytest.approx(dense[0].growth, rel=1e-5)


def test_a_state_in_which_nothing_slides_is_reported():
    study = fecontact.load("brake-squeal", {"checks": None})
    found = fecontact.modes(study, number=2, contact="tied")
    assert any("no contact node slides" in text for text in found.warnings)
    assert not found.unstable


def test_two_ranks_find_the_same_modes():
    script = (
        "import fecontact, mpi4py.MPI as M; s = fecontact.load('brake-squeal', {'checks': None})\n"
        "m, r = fecontact.modes(s, number=5), fecontact.modes(s, number=5, sliding=False)\n"
        "if M.COMM_WORLD.rank == 0: print(*m.growth, *m.frequency, *r.frequency)"
    )
    found = []
    for ranks in (1, 2):
        run = on_ranks(ranks, ["-c", script])
        assert run.returncode == 0, run.stderr
        # mpirun gives ranks a terminal; Numba resets its colours there if colorama is installed.
        printed = re.sub(r"\x1b\[\d*m", "", run.stdout)
        found.append(np.array(printed.split(), dtype=float))
    assert len(found[0]) == 15
    assert found[0] == pytest.approx(found[1], rel=1e-6)


def test_the_command_writes_table_shapes_and_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(cli, ["modes", "mode-coupling", "--sliding", "--out", "here"])
    assert ran.exit_code == 0, ran.output
    assert "growth rate 0.1614 1/s" in ran.output
    files = ("modes.csv", "modes.npz", "modes.html", "fields/modes.pvd", "fields/modes-00002.vtu")
    assert all((tmp_path / "here" / name).is_file() for name in files)
    with np.load(tmp_path / "here" / "modes.npz") as saved:
        assert saved["shapes"].shape == (2, 4, 2) and saved["shapes"].dtype == complex
    again = CliRunner().invoke(cli, ["modes", "mode-coupling", "--out", "here"])
    assert again.exit_code != 0 and "already contains results" in str(
        again.exception or again.output
    )
