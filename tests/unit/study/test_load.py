"""Study files: contents, merging of layers, error messages."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fecontact.study import StudyError, load
from fecontact.study.library import file_of, gallery_names, names
from fecontact.study.load import resolve, study_from_dict
from fecontact.study.script import changed
from fecontact.study.toml.layers import parse_override
from fecontact.study.toml.lines import line_of

SHOE = file_of("sdnv104a")


def complaint(*overrides: str) -> str:
    with pytest.raises(StudyError) as caught:
        load(SHOE, overrides)
    return str(caught.value)


@pytest.mark.parametrize("name", names())
def test_every_study_and_variant_that_comes_with_fecontact_is_valid(name: str) -> None:
    study = load(file_of(name))
    for variant in study.variants:
        load(file_of(name), variant=variant)


def test_a_study_that_extends_another_states_only_what_differs() -> None:
    base, penalty = load(SHOE), load(file_of("sdnv104b"))
    assert penalty.contact["sole"].method == "penalty"
    assert penalty.contact["sole"].friction == base.contact["sole"].friction
    assert penalty.mesh == base.mesh


def test_a_variant_is_merged_over_its_study() -> None:
    assert load(SHOE, variant="lu").solver == "cholesky"
    assert load(SHOE, variant="lu").variant == "lu"
    assert load(SHOE, variant="alpha-01").time.alpha == -0.1


def test_the_older_word_for_the_cholesky_solver_is_still_read() -> None:
    assert load(SHOE, ["solver=lu"]).solver == load(SHOE, ["solver=cholesky"]).solver == "cholesky"


def test_set_changes_one_key_and_takes_words_numbers_and_lists() -> None:
    study = load(
        SHOE, ["solver=mumps", "contact.sole.friction=0.2", "mesh.shapes.shoe.cells=[9,8]"]
    )
    assert study.solver == "mumps"
    assert study.contact["sole"].friction == 0.2
    assert study.mesh.shapes["shoe"].cells == (9, 8)


def test_keys_of_a_choice_fall_away_when_a_layer_above_chooses_otherwise() -> None:
    study = load(SHOE, ["time.scheme=newmark", "time.beta=0.3", "contact.sole.method=penalty"])
    assert study.time.scheme == "newmark"
    assert (study.time.beta, study.time.end) == (0.3, load(SHOE).time.end)
    assert study.contact["sole"].normal_penalty == "auto"
    back = changed(study, {"time.scheme": "hht", "contact.sole.method": "continuous"})
    assert (back.time.alpha, back.contact["sole"].quadrature) == (-0.1, 3)


def test_an_entry_of_a_list_is_changed_by_its_number() -> None:
    before = load(SHOE).springs["lower"].stiffness
    study = load(SHOE, ["springs.lower.stiffness.0=500.0", "mesh.shapes.shoe.cells.1=3"])
    assert study.springs["lower"].stiffness == (500.0, before[1])
    assert study.mesh.shapes["shoe"].cells == (5, 3)
    back = changed(study, {"springs.lower.stiffness.0": before[0]})
    assert back.springs["lower"].stiffness == before
    said = complaint("springs.lower.stiffness.0=stiff")
    assert said.startswith("--set springs.lower.stiffness.0=stiff: key `springs.lower.stiffness[0]")
    assert "list of 2 numbers" in complaint("springs.lower.stiffness.2=1.0")


def test_a_key_of_another_choice_is_reported_with_its_table(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text(f"extends = '{SHOE}'\n[time]\nbeta = 0.3\n")
    with pytest.raises(StudyError) as caught:
        load(study)
    assert caught.value.messages == [
        f'{study}:3: key `time.beta` has no effect with scheme = "hht"; '
        'it belongs to scheme = "newmark"'
    ]


def test_set_never_evaluates_its_value() -> None:
    assert parse_override("title=__import__('os').getcwd()") == {
        "title": "__import__('os').getcwd()"
    }


def test_all_errors_are_reported_together() -> None:
    reported = complaint("time.step=0", "materials.shoe.young=-1", "solvr=lu")
    assert len(reported.splitlines()) == 3


def test_a_mesh_file_is_named_relative_to_the_study_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "shoe.msh").touch()
    (tmp_path / "meshes" / "base.toml").write_text(
        '[mesh]\nfile = "shoe.msh"\n[variants.fine.mesh]\nfile = "fine.msh"'
    )
    study = tmp_path / "study.toml"
    study.write_text('extends = "meshes/base.toml"')
    assert resolve(study)["mesh"]["file"] == str(tmp_path / "meshes" / "shoe.msh")
    assert resolve(study, variant="fine")["mesh"]["file"] == str(tmp_path / "meshes" / "fine.msh")


@pytest.mark.parametrize("name", names())
def test_every_key_is_found_on_the_line_where_it_stands(name: str) -> None:
    text = (file_of(name)).read_text(encoding="utf-8")
    lines = text.splitlines()

    def keys(table: dict, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
        for part, value in table.items():
            yield (*path, part)
            if isinstance(value, dict):
                yield from keys(value, (*path, part))

    paths = list(keys(tomllib.loads(text)))
    assert ("title",) in paths
    for path in paths:
        number = line_of(text, path)
        assert number is not None
        assert path[-1] in lines[number - 1]


@pytest.mark.parametrize(
    ("key", "ours"),
    [("materials.shoe.E", "young"), ("materials.shoe.nu", "poisson"), ("time.dt", "step"),
     ("boundary", "supports")],
)  # fmt: skip
def test_a_word_of_formulas_or_other_programs_is_answered_with_the_key(key: str, ours: str) -> None:
    assert re.search(rf"`{key}` is unknown: .*`{ours}`", complaint(f"{key}=1.0"))


@pytest.mark.parametrize("key", ["time.plane", "contact.sole.solver", "supports.floor.mass_matrix"])
def test_a_key_of_no_table_has_its_place_in_the_message(key: str) -> None:
    message = complaint(f"{key}=stress")
    assert f"`{key}`" in message and "above" in message


@pytest.mark.extended
@pytest.mark.parametrize("name", [*names(), *gallery_names()])
def test_a_study_is_read_again_from_its_result_unchanged(name: str) -> None:
    study = load(file_of(name))
    saved = study_from_dict(study.model_dump(mode="json", by_alias=True))
    assert saved.model_dump(mode="json") == study.model_dump(mode="json")
