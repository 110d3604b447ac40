"""A signal ends a run with its state saved and the exit code of the signal."""

from __future__ import annotations

import os
import signal
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from commandline import changed, fecontact
from corpus import VALID
from processes import PATIENCE, heed_signals, running, session, started, wait_until

from fecontact.results import load_folder
from fecontact.simulation import Simulation
from fecontact.study import load
from fecontact.study.library import file_of
from fecontact.study.load import resolve
from fecontact.study.toml.layers import Data
from fecontact.sweep import _Work, sweep_study

SHOE, OSCILLATOR = file_of("sdnv104a"), VALID["oscillator"]
ENDLESS = [
    "time.end=1e5",
    "output.every=1000",
    "output.checkpoint_every=500",
    "output.fields_every=0",
]
NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def begun(out: Path) -> bool:
    return any((out / "checkpoints").glob("step-*.npz"))


def assert_resumable(study: Path, out: Path, message: str) -> None:
    """The checkpoint is of the step in which the signal came, and the message says how to go on."""
    assert f"--out {out} --resume" in message, message
    assert "Traceback" not in message
    resumed = Simulation(load(study, ENDLESS), checkpoints=out / "checkpoints", resume=True)
    last = max(path.stem for path in (out / "checkpoints").glob("step-*.npz"))
    assert resumed.step().number == int(last.removeprefix("step-")) + 1


@pytest.mark.parametrize("study", [SHOE, OSCILLATOR], ids=["finite-element", "lumped"])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_ends_a_run_after_its_step(
    tmp_path: Path, study: Path, number: signal.Signals
) -> None:
    out = tmp_path / "out"
    with started(["run", study, "--out", out, *changed(*ENDLESS)]) as process:
        wait_until(lambda: begun(out) or process.poll() is not None)
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 128 + number, errors
    assert "fecontact run" in errors
    assert_resumable(study, out, errors)


def test_a_signal_to_one_rank_ends_all_after_the_same_step(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["run", SHOE, "--out", out, *changed(*ENDLESS)]
    with started(arguments, ranks=2) as process:
        wait_until(lambda: begun(out) or process.poll() is not None)
        os.kill(max(running(process.pid, with_words="-m fecontact run")), signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, errors
    assert errors.count("SIGTERM received; resume with: mpirun -n 2 fecontact run") == 1
    assert_resumable(SHOE, out, errors)


@pytest.mark.parametrize("rank", [0, 1])
def test_a_signal_to_one_rank_while_a_run_is_being_built_ends_all(
    tmp_path: Path, rank: int
) -> None:
    out = tmp_path / "out"
    arguments = ["run", SHOE, "--out", out, *changed(*ENDLESS)]
    with started(arguments, ranks=2) as process:
        wait_until(lambda: (out / ".fecontact-lock").exists() or process.poll() is not None)
        own = sorted(running(process.pid, with_words="-m fecontact run"))
        os.kill(own[rank], signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        assert not running(process.pid, with_words="-m fecontact run")
    assert process.returncode == 143, errors  # whether it listens to signals already or not yet
    assert "internal error" not in errors


def test_a_signal_while_kernels_are_compiled_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, cache = tmp_path / "out", tmp_path / "cache"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(cache))
    with started(["run", SHOE, "--out", out, *changed(*ENDLESS)]) as process:
        for more in range(3, 7):  # not the first ones: these are made while modules are loaded
            wait_until(
                lambda more=more: (
                    len(list(cache.rglob("*.nbc"))) > more  # type: ignore[misc]
                    or process.poll() is not None
                )
            )
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143, errors
    assert errors == "fecontact: interrupted: SIGTERM received\n"
    assert not out.exists()  # nothing was in it


@pytest.mark.parametrize("error", [RuntimeError("no compiled object yet"), OSError("broken")])
def test_an_error_that_a_library_makes_of_a_signal_is_the_signal(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        monkeypatch.setattr("fecontact.cli.interruption.last_heard", signal.SIGTERM)
        raise error

    monkeypatch.setattr(import_module("fecontact.cli.main").cli, "main", fail)
    done = fecontact("list")
    assert (done.code, done.message) == (143, "fecontact: interrupted: SIGTERM received")


def test_a_signal_while_the_report_is_written_costs_no_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr("fecontact.results.report.page.write_report", draw)
    done = fecontact("run", OSCILLATOR, "--out", tmp_path, *changed("time.end=0.02"))
    assert done.code == 143
    assert len(load_folder(tmp_path).record.history.time) > 1


# --- sweeps -------------------------------------------------------------------------------------


def sweep(count: int, end: float = 0.02) -> Data:
    """The oscillator with some masses."""
    data = resolve(OSCILLATOR, [f"time.end={end}"])
    axis = {"masses.shoe.mass": {"start": 1.0, "stop": 2.0, "count": count}}
    results = {"way": {"quantity": "x", "measure": "final"}}
    return data | {"sweep": {"axes": axis, "results": results}}


class Enough(Exception):
    """Ends a sweep in a test."""


def test_only_what_is_missing_of_a_sweep_is_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(done: int, total: int) -> None:
        if done == 4:
            raise Enough

    whole = sweep_study(sweep(9), processes=1)
    with pytest.raises(Enough):
        sweep_study(sweep(9), processes=1, progress=stop, checkpoints=tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text()[:-3])  # the last line was being written
    computed: list[int] = []
    measured = _Work.measured
    monkeypatch.setattr(
        _Work, "measured", lambda work, number: computed.append(number) or measured(work, number)
    )
    resumed = sweep_study(sweep(9), processes=1, checkpoints=tmp_path)
    assert computed == [3, 4, 5, 6, 7, 8]
    np.testing.assert_array_equal(resumed.results["way"], whole.results["way"])


@pytest.fixture
def long_sweep(tmp_path: Path) -> Path:
    """A study whose sweep takes some minutes."""
    study = tmp_path / "sweep.toml"
    study.write_text(
        f'extends = "{OSCILLATOR}"\n'
        "time.end = 5.0\n"
        '[sweep.axes."masses.shoe.mass"]\nstart = 1.0\nstop = 2.0\ncount = 2000\n'
        '[sweep.results.way]\nquantity = "x"\nmeasure = "final"\n'
    )
    return study


def finished(out: Path) -> int:
    files = (out / "checkpoints").glob("combinations-*.csv")
    return sum(len(path.read_text().splitlines()) for path in files)


def test_a_signal_ends_a_sweep_and_its_processes_and_keeps_what_is_finished(
    tmp_path: Path, long_sweep: Path
) -> None:
    out = tmp_path / "out"
    with started(["run", long_sweep, "--out", out]) as process:
        wait_until(lambda: finished(out) > 2 or process.poll() is not None)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 143, errors
        assert f"--out {out} --resume" in errors
        wait_until(lambda: not session(process.pid))
    assert finished(out) > 2
    changed_sweep = fecontact("run", long_sweep, "--out", out, "--resume", *changed("time.end=1"))
    assert "the study has changed" in changed_sweep.message


def test_the_processes_of_a_sweep_end_with_a_parent_that_is_killed(
    tmp_path: Path, long_sweep: Path
) -> None:
    out = tmp_path / "out"
    with started(["run", long_sweep, "--out", out]) as process:
        wait_until(lambda: finished(out) > 2 or process.poll() is not None)
        assert running(process.pid, with_words="spawn_main")
        process.kill()
        process.wait()
        wait_until(lambda: not session(process.pid))


def test_an_interrupted_sweep_resumes_from_the_command_line(
    tmp_path: Path, long_sweep: Path
) -> None:
    text = long_sweep.read_text().replace("2000", "12").replace("5.0", "1.0")
    long_sweep.write_text(text)
    out, whole = tmp_path / "out", tmp_path / "whole"
    assert fecontact("run", long_sweep, "--no-report", "--out", whole).code == 0
    with started(["run", long_sweep, "--no-report", "--out", out]) as process:
        wait_until(lambda: finished(out) > 1 or process.poll() is not None)
        process.kill()
    if process.returncode != 0:  # killed before its end
        assert fecontact("run", long_sweep, "--no-report", "--out", out, "--resume").code == 0
    one, other = (load_folder(folder).record.results["way"] for folder in (whole, out))
    np.testing.assert_array_equal(one, other)
    assert not (out / "checkpoints").exists()


def test_a_signal_that_is_ignored_from_the_start_stays_ignored() -> None:
    from fecontact.cli.interruption import listening

    before = {number: signal.getsignal(number) for number in NUMBERS}
    try:
        heed_signals()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with listening():
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
            assert callable(signal.getsignal(signal.SIGTERM))
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    finally:
        for number, disposition in before.items():
            signal.signal(number, disposition)
