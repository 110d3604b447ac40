"""A former name of a key, or that of another program, is unknown; the message suggests ours."""

import re

import pytest

import fecontact
from fecontact.study.errors import StudyError
from fecontact.study.kinds import KINDS
from fecontact.study.schema import keys
from fecontact.study.validation.explain import FOREIGN
from fecontact.study.validation.renamed import RENAMED


@pytest.mark.parametrize(
    ("study", "key", "value", "now"),
    [
        ("sdnv104a", "time.milestones", [0.1], "required_times"),
        ("sdnv104a", "start", "results/preload", "initial_state"),
        ("sdnv104a", "contact.sole.without", [], "exclude"),
        ("sdnv104a", "contact.sole.resolve_overlap_over", 0.1, "overlap_ramp_time"),
        ("sdnv104a", "loads.push.along", {}, "profile"),
        ("sdnd100a", "time.integrator", "exact", "scheme"),
        ("sdnv104b", "contact.sole.normal_stiffness", 1e9, "normal_penalty"),
        ("sdnv104a", "contact.sole.coulomb", 0.3, "friction"),
        ("sdnv104a", "materials.shoe.elastic_modulus", 2e11, "young"),
    ],
)
def test_the_present_name_is_suggested(study: str, key: str, value: object, now: str) -> None:
    with pytest.raises(StudyError, match=f"{key.split('.')[-1]}` is unknown.*`{now}`"):
        fecontact.load(study, {key: value})


@pytest.mark.parametrize("name", ["over", "coordinat"])
def test_a_key_under_another_name_is_not_missing_as_well(name: str) -> None:
    profile = {"type": "table", name: "x", "at": [0.0, 1.0], "values": [1.0, 0.0]}
    with pytest.raises(StudyError) as error:
        fecontact.load("sdnv104a", {"loads.push.profile": profile})
    (message,) = error.value.messages
    assert f"loads.push.profile.{name}` is unknown" in message and "`coordinate`" in message


def test_every_suggested_key_exists() -> None:
    """No suggestion may lead to another unknown key."""
    paths = (key.path for kind in KINDS for key in keys(kind))
    known = {re.split(r"[.\]]", path)[-1] for path in paths}
    assert {*RENAMED.values(), *FOREIGN.values()} <= known
    assert known & set(RENAMED) == {"start"}  # of functions, axes and arcs
