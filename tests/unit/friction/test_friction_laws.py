"""Friction laws: closed forms and invalid input."""

import math

import pytest
from pydantic import TypeAdapter

import fecontact
from fecontact.friction.laws import LAWS, Friction, describe
from fecontact.friction.strength import NONE, as_arrays, coefficient, evolved
from fecontact.study.errors import StudyError

ROCK = {"law": "rate-and-state", "coefficient": 0.6, "a": 0.01, "b": 0.015, "length": 1e-4}

EXAMPLES = {
    "coulomb": {"coefficient": 0.3},
    "exponential": {"static": 0.4, "kinetic": 0.2, "decay": 2.0},
    "stribeck": {"static": 0.4, "kinetic": 0.2, "speed": 0.3, "viscous": 0.1},
    "table": {"speeds": [0.0, 1.0, 2.0], "coefficients": [0.4, 0.2, 0.3]},
    "slip-weakening": {"static": 0.6, "dynamic": 0.2, "distance": 0.01},
    "rate-and-state": {k: v for k, v in ROCK.items() if k != "law"},
    "pressure": {"coefficient": 0.3, "reference": 1e6, "exponent": -0.5},
    "directional": {"forward": 0.2, "backward": 0.5},
    "cohesion": {"coefficient": 0.3, "cohesion": 2e3, "distance": 0.01},
}


def law(name, **more):
    return TypeAdapter(Friction).validate_python({"law": name} | EXAMPLES[name] | more)


def ask(friction, speed=0.0, along=1.0, pressure=1e6, distance=0.0, state=None, step=0.0):
    number, numbers, first = as_arrays([friction])
    state = first[0] if state is None else state
    kind = LAWS.index(type(friction)) if number[0] == NONE else number[0]
    return coefficient(kind, numbers[0], along, speed, speed, step, pressure, distance, state)


def test_every_law_has_an_example_here():
    assert {model.model_fields["law"].annotation.__args__[0] for model in LAWS} == {
        *EXAMPLES,
        "registered",  # tests/unit/friction/test_registered_friction.py
    }


@pytest.mark.parametrize(
    ("name", "sliding", "expected"),
    [
        ("coulomb", {"speed": 1.0}, 0.3),
        ("exponential", {}, 0.4),
        ("exponential", {"speed": 0.5}, 0.2 + 0.2 * math.exp(-1.0)),
        ("stribeck", {"speed": 0.3}, 0.2 + 0.2 * math.exp(-1.0) + 0.03),
        ("table", {"speed": 0.25}, 0.35),
        ("table", {"speed": 1.5}, 0.25),
        ("table", {"speed": 9.0}, 0.3),
        ("slip-weakening", {"distance": 0.004}, 0.44),
        ("slip-weakening", {"distance": 0.004, "speed": 2.0, "step": 1e-3}, 0.36),
        ("slip-weakening", {"distance": 1.0}, 0.2),
        ("pressure", {"pressure": 4e6}, 0.15),
        ("cohesion", {}, 0.302),
        ("cohesion", {"pressure": 2e4, "distance": 0.005}, 0.35),
        ("cohesion", {"distance": 1.0}, 0.3),
        ("cohesion", {"pressure": 0.0}, 1000.3),
        ("directional", {"along": 1.0}, 0.2),
        ("directional", {"along": -1.0}, 0.5),
    ],
)
def test_a_law_agrees_with_its_formula(name, sliding, expected):
    assert ask(law(name), **sliding) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", EXAMPLES)
def test_no_law_carries_more_than_its_shear_limit(name):
    limited = law(name, shear_limit=1e4)
    assert ask(limited, speed=1e-6, pressure=1e6) == pytest.approx(0.01)
    assert ask(limited, speed=1e-6, pressure=1e3) == ask(law(name), speed=1e-6, pressure=1e3)


def test_rate_and_state_slides_steadily_at_its_own_coefficient():
    rock = law("rate-and-state")
    for speed in (1e-6, 1e-3):
        steady = 0.6 + (0.01 - 0.015) * math.log(speed / 1e-6)
        assert ask(rock, speed=speed, state=1e-4 / speed) == pytest.approx(steady, rel=1e-12)
    assert ask(rock, speed=0.0) == ask(rock, speed=1e-15)  # slower creep than 1e-9 v₀ is stick


@pytest.mark.parametrize("evolution", ("aging", "slip"))
def test_a_state_evolves_the_same_in_one_step_and_in_many(evolution):
    rock = law("rate-and-state", evolution=evolution)
    (kind,), (numbers,), (state,) = as_arrays([rock])
    at_once, in_steps = evolved(kind, numbers, 2e-4, 0.5, state), state
    for _ in range(50):
        in_steps = evolved(kind, numbers, 2e-4, 0.01, in_steps)
    assert at_once == pytest.approx(in_steps, rel=1e-12)
    assert evolved(kind, numbers, 2e-4, 100.0, state) == pytest.approx(0.5)  # L/v
    at_rest = evolved(kind, numbers, 0.0, 3.0, state) - state
    assert at_rest == pytest.approx(3.0 if evolution == "aging" else 0.0)


def test_a_number_and_a_law_are_named_alike_in_pictures():
    assert describe(0.3) == describe(law("coulomb")) == "μ = 0.3"


@pytest.mark.parametrize(
    ("friction", "words"),
    [
        (-0.1, r"`contact\.sole\.friction` is -0\.1"),
        ("much", r'`contact\.sole\.friction` is "much"'),
        ({"law": "sticky"}, r'friction\.law` is "sticky"; it must be "coulomb" or "exponential"'),
        ({"static": 0.3}, r"friction\.law` is missing"),
        ({"law": "exponential", "static": 0.3, "kinetic": 0.2}, r"decay` is missing"),
        (
            {"law": "exponential", "static": 0.3, "kinetic": 0.4, "decay": 1.0},
            r"friction\.kinetic` is 0\.4.*static = 0\.3",
        ),
        (
            {"law": "stribeck", "static": 0.3, "kinetic": 0.4, "speed": 1.0},
            r"friction\.kinetic` is 0\.4.*static = 0\.3",
        ),
        (
            {"law": "slip-weakening", "static": 0.3, "dynamic": 0.4, "distance": 1.0},
            r"friction\.dynamic` is 0\.4.*static = 0\.3",
        ),
        (
            {"law": "coulomb", "coefficient": 0.3, "static": 0.2},
            r"friction\.static` is 0\.2.*coefficient = 0\.3",
        ),
        (
            {"law": "table", "speeds": [0.0, 2.0, 1.0], "coefficients": [0.1, 0.1, 0.1]},
            r"friction\.speeds` is \[0\.0, 2\.0, 1\.0\]; the slip rates must",
        ),
        (
            {"law": "table", "speeds": [0.0, 2.0], "coefficients": [0.1, 0.1, 0.1]},
            r"friction\.coefficients` has 3 entries; it must have 2, one for each of `speeds`",
        ),
        (
            {"law": "table", "speeds": [0.0, 2.0], "coefficients": [0.1, 0.0]},
            r"friction\.coefficients` is \[0\.1, 0\.0\]; each must be > 0 and ≤ 10",
        ),
        (
            {"law": "pressure", "coefficient": 0.3, "reference": 1e6, "exponent": -1.0},
            r"friction\.exponent` is -1\.0",
        ),
        (
            {"law": "coulomb", "coefficient": 0.3, "decay": 1.0},
            'decay` .*"coulomb".*"exponential"',
        ),
        (ROCK | {"length": 0.0}, r"friction\.length` is 0\.0"),
    ],
)
def test_an_invalid_law_is_reported(friction, words):
    with pytest.raises(StudyError, match=words) as messages:
        fecontact.load("incline", {"contact.sole.friction": friction})
    assert len(str(messages.value).splitlines()) == 1


def test_static_friction_does_not_stand_beside_a_law():
    keys = {"contact.sole.friction": ROCK, "contact.sole.static_friction": 0.7}
    with pytest.raises(StudyError, match="static_friction`"):
        fecontact.load("incline", keys)
    keys = {"obstacles.belt.friction": ROCK, "time": {"scheme": "newmark", "step": 1e-3}}
    with pytest.raises(StudyError, match="static_friction`"):
        fecontact.load("belt-lumped", keys)


def test_the_exact_integrator_rejects_laws_without_closed_form():
    keys = {"obstacles.belt.static_friction": None, "checks": None, "variants": None}
    constant = {"law": "coulomb", "coefficient": 0.25, "static": 0.4}
    falling = {"law": "exponential"} | EXAMPLES["exponential"]
    fecontact.load("belt-lumped", keys | {"obstacles.belt.friction": constant})
    with pytest.raises(StudyError, match=r'is the law "exponential", which is not supported'):
        fecontact.load("belt-lumped", keys | {"obstacles.belt.friction": falling})


def test_a_law_over_a_number_and_a_number_over_a_law():
    keys = {"contact.sole.friction": {"law": "directional"} | EXAMPLES["directional"]}
    turned = fecontact.load("incline", keys | {"references": None})
    for change, expected in (({".forward": 0.1}, (0.1, 0.5)), ({"": 0.2}, 0.2)):
        keys = {f"contact.sole.friction{inside}": value for inside, value in change.items()}
        found = fecontact.changed(turned, keys).contact["sole"].friction
        assert (found if expected == 0.2 else found.numbers()) == expected
