"""A result folder is locked by one run, and files of the user in it are preserved."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from commandline import changed, fecontact
from corpus import VALID
from processes import started

from fecontact.results import load_folder
from fecontact.results.folder.lock import LOCK, locked_folder, new_locked_folder
from fecontact.study import InputError

OSCILLATOR = VALID["oscillator"]
QUICK = [OSCILLATOR, "--no-report", "--quiet", *changed("time.end=0.02")]


def test_runs_started_at_the_same_time_take_folders_of_their_own(tmp_path: Path) -> None:
    runs = [started(["run", *QUICK], cwd=tmp_path) for _ in range(3)]
    processes = [run.__enter__() for run in runs]
    errors = [process.communicate(timeout=120)[1] for process in processes]
    for run in runs:
        run.__exit__(None, None, None)
    assert [process.returncode for process in processes] == [0, 0, 0], errors
    names = ["oscillator", "oscillator-2", "oscillator-3"]
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == names
    for name in names:
        assert len(load_folder(tmp_path / "results" / name).record.history.time) > 1


def test_the_first_free_folder_is_made_by_one_run_alone(tmp_path: Path) -> None:
    with new_locked_folder(tmp_path, "a") as one, new_locked_folder(tmp_path, "a") as two:
        assert (one, two) == (tmp_path / "a", tmp_path / "a-2")
    assert not list(tmp_path.iterdir()), "nothing was written into them"


def test_a_second_run_in_the_same_folder_names_the_first(tmp_path: Path) -> None:
    with locked_folder(tmp_path / "out"):
        done = fecontact("run", *QUICK, "--out", tmp_path / "out", "--overwrite")
    assert done.code == 2
    assert "by process " in done.message
    assert "--out" in done.message
    assert fecontact("run", *QUICK, "--out", tmp_path / "out").code == 0


def test_the_lock_of_a_killed_run_does_not_block(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text('{"pid": 1}')
    assert fecontact("run", *QUICK, "--out", tmp_path).code == 0
    assert not (tmp_path / LOCK).exists()


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("mine")
    (tmp_path / LOCK).symlink_to(mine)
    with pytest.raises(InputError), locked_folder(tmp_path):
        pass
    assert mine.read_text() == "mine"


def test_overwrite_replaces_the_folder_that_carries_the_studys_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert fecontact("run", *QUICK, "--overwrite").code == 0
    assert [path.name for path in Path("results").iterdir()] == ["oscillator"]
    assert fecontact("run", *QUICK).code == 0
    assert sorted(path.name for path in Path("results").iterdir())[1:] == ["oscillator-2"]


def test_the_users_folders_survive_a_run_among_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = [tmp_path / folder / "mine.txt" for folder in ("checkpoints", "plots", "fields")]
    for path in mine:
        path.parent.mkdir()
        path.write_text("mine")
    options = changed("time.end=0.02", "output.checkpoint_every=5")
    for overwrite in ([], ["--overwrite"]):
        assert fecontact("run", VALID["block"], "--out", ".", *options, *overwrite).code == 0
    assert [path.read_text() for path in mine] == ["mine"] * 3
    assert not list(Path("checkpoints").glob("step-*"))


def test_a_check_that_cannot_be_evaluated_costs_no_numbers(tmp_path: Path) -> None:
    out = tmp_path / "out"
    fecontact("run", "sdnd121", "--no-report", "--out", out, *changed("time.end=0.02"))
    assert load_folder(out).record.history.time[-1] == pytest.approx(0.02)


def test_a_verification_leaves_a_page_of_the_users_alone_and_reports_it_at_once(
    tmp_path: Path,
) -> None:
    mine = tmp_path / "index.html"
    mine.write_text("mine")
    done = fecontact("verify", OSCILLATOR, "--out", tmp_path)
    assert done.code == 2
    assert "written by fecontact" in done.message
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"], "nothing was computed"
    assert mine.read_text() == "mine"


def test_a_verification_replaces_its_own_page(tmp_path: Path) -> None:
    first = fecontact("verify", OSCILLATOR, "--out", tmp_path)
    (tmp_path / "index.html").write_text("an older one")
    assert fecontact("verify", OSCILLATOR, "--out", tmp_path).code == first.code != 2
    assert "Validation manual" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_a_second_verification_in_the_same_folder_names_the_first(tmp_path: Path) -> None:
    with locked_folder(tmp_path):
        done = fecontact("verify", OSCILLATOR, "--out", tmp_path)
    assert done.code == 2
    assert "by process " in done.message


@pytest.mark.parametrize("name", ["plots", "fields", "checkpoints", ".fecontact-files"])
@pytest.mark.parametrize("option", ["--overwrite", "--resume"])
def test_a_folder_with_links_to_other_places_is_left_as_it_is(
    name: str, option: str, tmp_path: Path
) -> None:
    got, mine = tmp_path / "got", tmp_path / "mine"
    got.mkdir()
    mine.mkdir()
    files = [mine / "thesis.tex", mine / "step-000000000001.npz"]
    for file in files:
        file.write_text("precious")
    (got / ".fecontact-files").write_text("plots/thesis.tex\nfields/thesis.tex\n")
    (got / name).unlink(missing_ok=True)
    (got / name).symlink_to(files[0] if name.startswith(".") else mine)
    done = fecontact("run", OSCILLATOR, "--out", got, option, "--no-report")
    assert done.code == 2
    assert f"{got / name}: is a symbolic link. Remove it" in done.message
    assert sorted(mine.iterdir()) == sorted(files)
    assert all(file.read_text() == "precious" for file in files)


def test_a_pipe_in_place_of_a_restart_file_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    os.mkfifo(tmp_path / "before" / "restart.npz")
    start = f"initial_state={tmp_path / 'before'}"
    done = fecontact("run", VALID["block"], "--set", start, "--out", tmp_path / "out")
    assert done.code == 2
    assert "restart.npz: " in done.message
    os.mkfifo(tmp_path / "before" / "result.json")
    done = fecontact("report", tmp_path / "before")
    assert (done.code, "is not a file" in done.message) == (2, True)
