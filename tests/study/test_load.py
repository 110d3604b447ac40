"""Study files: what they may say, how they are laid over each other, how errors are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from fecontact.study import StudyError, load
from fecontact.study.library import directory, names
from fecontact.study.load import parse_override

SHOE = directory() / "sdnv104a.toml"


def complaint(*overrides: str) -> str:
    with pytest.raises(StudyError) as caught:
        load(SHOE, overrides)
    return str(caught.value)


@pytest.mark.parametrize("name", names())
def test_every_study_and_variant_that_comes_with_fecontact_is_valid(name: str) -> None:
    study = load(directory() / f"{name}.toml")
    for variant in study.variants:
        load(directory() / f"{name}.toml", variant=variant)


def test_a_study_that_extends_another_states_only_what_differs() -> None:
    base, penalty = load(SHOE), load(directory() / "sdnv104b.toml")
    assert penalty.contact["sole"].method == "penalty"
    assert penalty.contact["sole"].friction == base.contact["sole"].friction
    assert penalty.mesh == base.mesh


def test_a_variant_is_laid_over_its_study() -> None:
    assert load(SHOE, variant="lu").solver == "lu"
    assert load(SHOE, variant="lu").variant == "lu"
    assert load(SHOE, variant="alpha-01").time.alpha == -0.1


def test_set_changes_one_key_and_takes_words_numbers_and_lists() -> None:
    study = load(SHOE, ["solver=lu", "contact.sole.friction=0.2", "mesh.shapes.shoe.cells=[9,8]"])
    assert study.solver == "lu"
    assert study.contact["sole"].friction == 0.2
    assert study.mesh.shapes["shoe"].cells == (9, 8)


def test_set_never_evaluates_its_value() -> None:
    assert parse_override("title=__import__('os').getcwd()") == {
        "title": "__import__('os').getcwd()"
    }


@pytest.mark.parametrize(
    ("override", "says"),
    [
        ("solvr=lu", "key `solvr` is not known here: did you mean `solver`?"),
        ("solver=luu", "must be 'mumps' or 'lu'"),
        ("time.step=-1", "key `time.step` is -1; it must be > 0 s"),
        ("time.step=nan", "key `time.step` must be a finite number"),
        ("materials.shoe.poisson=0.5", "key `materials.shoe.poisson` is 0.5; it must be < 0.5"),
        ("loads.weight.type=presure", "did you mean 'pressure'?"),
        ("loads.weight.function=rmp", "there is no function 'rmp' (there are: 'ramp')"),
        ("contact.sole.normal_penalty=atuo", "it must be a number or 'auto'"),
        ("contact.sole.master=shoe.bottom", "slave and master are the same"),
        ("functions.loop={type='sum',of=['loop']}", "refers to itself"),
        ("variant=5", "must be text in quotes"),
    ],
)
def test_a_wrong_key_is_told_with_what_would_be_right(override: str, says: str) -> None:
    assert says in complaint(override)


def test_all_errors_are_told_at_once() -> None:
    told = complaint("time.step=0", "materials.shoe.young=-1", "solvr=lu")
    assert len(told.splitlines()) == 3


def test_extends_in_a_circle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('extends = "b.toml"')
    (tmp_path / "b.toml").write_text('extends = "a.toml"')
    with pytest.raises(StudyError, match=r"goes in a circle: a\.toml → b\.toml → a\.toml"):
        load(tmp_path / "a.toml")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"title = ", "not valid TOML"),
        (b"\xff\xfe", "not UTF-8"),
        (b"title = 'x'", "key `kind` is missing"),
        (b"kind = 'solid'", "key `kind` is 'solid'"),
        (b"extends = 3", "key `extends` must be a file name"),
        (b"extends = 'none.toml'", "there is no file"),
    ],
)
def test_a_file_that_is_no_study_says_so(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(content)
    with pytest.raises(StudyError, match=says):
        load(path)


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="there is no such file"):
        load(tmp_path / "none.toml")
