"""A killed and resumed run has the results of an uninterrupted one."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from processes import kill_session

from fecontact.mesh import write
from fecontact.results import load_folder
from fecontact.simulation import Simulation
from fecontact.simulation.restart import checkpoint
from fecontact.study import AnyStudy, InputError, load
from fecontact.study.library import directory, file_of

SHOE = file_of("sdnv104a")
SHORT = ["time.end=0.8", "output.checkpoint_every=7", "output.fields_every=10"]
SAME = 1e-13  # relative difference allowed between a resumed run and one never interrupted


def command(out: Path, overrides: list[str], ranks: int = 1, *more: str) -> list[str]:
    launcher = ["mpirun", "-n", str(ranks), "--oversubscribe"] if ranks > 1 else []
    changes = [text for override in overrides for text in ("--set", override)]
    program = [sys.executable, "-m", "fecontact", "run", str(SHOE), "--no-report", "--quiet"]
    return [*launcher, *program, "--out", str(out), *changes, *more]


def complete(out: Path, overrides: list[str], ranks: int = 1, *more: str) -> None:
    done = subprocess.run(command(out, overrides, ranks, *more), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def assert_same(one: Path, other: Path, within: float = SAME, stress_within: float = SAME) -> None:
    a, b = load_folder(one).record, load_folder(other).record
    assert list(a.history.columns) == list(b.history.columns)
    assert np.array_equal(a.history.time, b.history.time)
    for name, values in a.history.columns.items():
        scale = max(np.abs(values).max(), 1e-300)
        if name.startswith("energy."):  # differences of large energies: rounding is theirs
            scale = np.abs(a.history.columns["energy.external"]).max()
        assert np.abs(values - b.history.columns[name]).max() <= within * scale, name
    for name in ("displacement", "velocity", "stress"):
        x, y = getattr(a.fields, name), getattr(b.fields, name)
        allowed = stress_within if name == "stress" else within
        assert np.abs(x - y).max() <= allowed * np.abs(x).max(), name
    for name in ("pressure", "gap", "slip", "status"):
        x, y = getattr(a.surfaces["sole"], name), getattr(b.surfaces["sole"], name)
        assert np.abs(x - y).max() <= within * max(np.abs(x).max(), 1.0), name


def kill_at_random_and_resume(out: Path, overrides: list[str], kills: int) -> None:
    """Kill a run again and again, each time later, then let it end."""
    dice, more = random.Random(20), ()
    for _ in range(kills):
        process = subprocess.Popen(
            command(out, overrides, 1, *more),
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 120
        seen = len(list((out / "checkpoints").glob("*.npz"))), newest(out)
        while process.poll() is None and time.monotonic() < deadline:
            if newest(out) != seen[1]:  # it has got further than before: kill from now on
                time.sleep(dice.random() * 0.1)
                break
            time.sleep(0.01)
        if process.poll() is None:
            kill_session(process.pid)
        process.wait()
        more = ("--resume",) if newest(out) else ()
        if (out / "result.json").exists():
            break
    if not (out / "result.json").exists():
        complete(out, overrides, 1, *more)


def newest(out: Path) -> str:
    return max((p.name for p in (out / "checkpoints").glob("step-*.npz")), default="")


def test_a_state_restored_in_the_middle_leads_to_the_same_end(tmp_path: Path) -> None:
    study = load(SHOE, ["time.end=0.5", "output.fields_every=10"])
    whole = Simulation(study).run()
    first = Simulation(study, checkpoints=tmp_path)
    while first.parts.time < 0.234:
        first.step()
    first.save_checkpoint()
    resumed = Simulation(study, checkpoints=tmp_path, resume=True).run()
    assert whole.history.columns
    for name, values in whole.history.columns.items():
        assert np.array_equal(values, resumed.history.columns[name]), name
    assert np.array_equal(whole.fields.displacement, resumed.fields.displacement)


def test_a_lumped_state_restored_in_the_middle_leads_to_the_same_end(tmp_path: Path) -> None:
    study = load(file_of("sdnd100a"))
    whole = Simulation(study).run()
    first = Simulation(study, checkpoints=tmp_path)
    for _ in range(100):
        first.step()
    first.save_checkpoint()
    resumed = Simulation(study, checkpoints=tmp_path, resume=True).run()
    assert whole.history.columns
    for name, values in whole.history.columns.items():
        assert np.array_equal(values, resumed.history.columns[name]), name


def test_a_killed_run_resumes_to_the_same_answer(tmp_path: Path) -> None:
    complete(tmp_path / "whole", SHORT)
    kill_at_random_and_resume(tmp_path / "killed", SHORT, kills=2)
    assert_same(tmp_path / "whole", tmp_path / "killed")


@pytest.mark.slow
def test_another_number_of_ranks_can_continue(tmp_path: Path) -> None:
    complete(tmp_path / "whole", SHORT, 1)
    study = load(SHOE, SHORT)
    half = Simulation(study, checkpoints=tmp_path / "moved" / "checkpoints")
    while half.parts.time < 0.4:
        half.step()
    half.save_checkpoint()
    complete(tmp_path / "moved", SHORT, 2, "--resume")
    # Other sums, other rounding: ε E u/h of a stiff body that has slid far is 1e-8 of its stress.
    assert_same(tmp_path / "whole", tmp_path / "moved", within=1e-9, stress_within=1e-7)


def test_a_study_changed_since_its_checkpoint_is_rejected(tmp_path: Path) -> None:
    first = Simulation(load(SHOE, ["time.end=0.1"]), checkpoints=tmp_path)
    first.step()
    first.save_checkpoint()
    changed = load(SHOE, ["time.end=0.1", "contact.sole.friction=0.2"])
    with pytest.raises(InputError, match=r"contact\.sole\.friction.* was 0\.3 and is 0\.2"):
        Simulation(changed, checkpoints=tmp_path, resume=True)


def test_nothing_to_resume_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no checkpoint found"):
        Simulation(load(SHOE), checkpoints=tmp_path, resume=True)


def saved_after(study: AnyStudy, folder: Path, *steps: int) -> None:
    """Checkpoints of a run after these numbers of steps."""
    run = Simulation(study, checkpoints=folder)
    for number in range(1, max(steps) + 1):
        run.step()
        if number in steps:
            run.save_checkpoint()


def rewritten(path: Path, **changes: np.ndarray) -> None:
    """Put other arrays into a checkpoint."""
    with np.load(path) as content:
        state = {name: content[name] for name in content.files}
    with path.open("wb") as file:
        np.savez(file, **(state | changes))


def test_a_damaged_checkpoint_gives_way_to_the_one_before_and_the_run_reports_it(
    tmp_path: Path,
) -> None:
    study = load(SHOE, ["time.end=0.1"])
    saved_after(study, tmp_path, 3, 6)
    newest_file = sorted(tmp_path.glob("step-*.npz"))[-1]
    newest_file.write_bytes(newest_file.read_bytes()[:100])
    resumed = Simulation(study, checkpoints=tmp_path, resume=True)
    assert resumed.parts.time == pytest.approx(0.03)
    messages = "\n".join(resumed.record.warnings)
    assert "step-000000000006.npz is damaged" in messages
    assert "from step-000000000003.npz" in messages


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("contact_basis_node", lambda a: a + 10**15, "contact_basis_node is out of range"),
        ("contact_basis_used", lambda a: a + 10**6, "contact_basis_used is out of range"),
        ("contact_status", lambda a: a + 7, "contact_status"),
        ("u", lambda a: a * np.nan, "u has values"),
        ("u", lambda a: a[:-1], "u has the shape"),
        ("v", lambda a: a.astype(np.float32), "v is of type float32"),
        ("grid", lambda a: a * [1.0, 1e6, 1.0], "grid"),
        ("history", lambda a: a[::-1], "history"),
        ("surfaces/time", lambda a: a[:-1], "tables differ in length"),
        ("stranger", lambda a: np.zeros(3), "stranger is unknown"),
    ],
)
def test_a_damaged_state_is_rejected_before_it_is_used(
    tmp_path: Path, name: str, change: Callable[[np.ndarray], np.ndarray], complaint: str
) -> None:
    study = load(SHOE, ["time.end=0.1"])
    saved_after(study, tmp_path, 5)
    (path,) = tmp_path.glob("step-*.npz")
    with np.load(path) as content:
        before = content[name] if name in content.files else np.zeros(1)
    rewritten(path, **{name: change(before)})
    with pytest.raises(InputError, match=f"damaged \\({complaint}"):
        Simulation(study, checkpoints=tmp_path, resume=True)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("state.status", lambda a: a + 7),
        ("state.clock", lambda a: a - 1.0),
        ("state.motion", lambda a: a * np.inf),
        ("recorded.events", lambda a: np.full((1, 5), 1e9)),
        ("every", lambda a: a * 0),
    ],
)
def test_a_damaged_lumped_state_is_rejected(
    tmp_path: Path, name: str, change: Callable[[np.ndarray], np.ndarray]
) -> None:
    study = load(file_of("sdnd100a"))
    saved_after(study, tmp_path, 50)
    (path,) = tmp_path.glob("step-*.npz")
    with np.load(path) as content:
        rewritten(path, **{name: change(content[name])})
    with pytest.raises(InputError, match=rf"damaged \({name}"):
        Simulation(study, checkpoints=tmp_path, resume=True)


def test_another_mesh_of_the_same_size_is_rejected(tmp_path: Path) -> None:
    for name in ("incline.msh", "incline-mesh.toml"):
        shutil.copy(directory() / "friction" / name, tmp_path)
    study, checkpoints = load(tmp_path / "incline-mesh.toml"), tmp_path / "checkpoints"
    saved_after(study, checkpoints, 2)
    resumed = Simulation(study, checkpoints=checkpoints, resume=True)
    mesh = resumed.parts.mesh
    write(replace(mesh, points=1.01 * mesh.points), tmp_path / "incline.msh")
    with pytest.raises(InputError, match="different nodes"):
        Simulation(study, checkpoints=checkpoints, resume=True)


def test_a_state_of_another_fecontact_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = load(SHOE, ["time.end=0.1"])
    saved_after(study, tmp_path, 2)
    monkeypatch.setattr(checkpoint, "__version__", "99.0")
    with pytest.raises(InputError, match=r"state of fecontact '.*'.* '99\.0'"):
        Simulation(study, checkpoints=tmp_path, resume=True)


def test_what_does_not_change_the_run_may_change(tmp_path: Path) -> None:
    saved_after(load(SHOE, ["time.end=0.1"]), tmp_path, 5)
    keys = ['title="another"', "checks.x170.tolerance=1.0", "output.checkpoint_every=2"]
    study = load(SHOE, ["time.end=0.1", *keys, "output.fields_every=3"])
    resumed = Simulation(study, checkpoints=tmp_path, resume=True)
    assert resumed.parts.time == pytest.approx(0.05)


def test_only_the_last_two_checkpoints_are_saved_and_other_files_are_left_alone(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "checkpoints"
    folder.mkdir()
    for name in ("step-notes.npz", "mine.txt"):
        (folder / name).write_text("mine")
    for number in range(5):
        checkpoint.write(folder, number, {"u": np.zeros(1)}, {})
    assert [p.name for p in sorted(folder.glob("step-0*"))] == [
        "step-000000000003.npz",
        "step-000000000004.npz",
    ]
    checkpoint.remove(folder)
    assert sorted(p.name for p in folder.iterdir()) == ["mine.txt", "step-notes.npz"]


def test_a_full_disk_ends_with_one_sentence_and_the_old_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint.write(tmp_path, 1, {"u": np.arange(3.0)}, {})

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(InputError, match=r"No space left on device.*intact"):
        checkpoint.write(tmp_path, 2, {"u": np.arange(3.0)}, {})
    assert [p.name for p in tmp_path.iterdir()] == ["step-000000000001.npz"]
    assert len(checkpoint.read(tmp_path / "step-000000000001.npz")["u"]) == 3
