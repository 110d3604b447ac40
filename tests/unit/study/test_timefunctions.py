"""Functions of time: values and derivatives."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.study.models.functions import Constant, Product, Ramp, Sine, Sum, Table, jumps
from fecontact.timefunctions import compile_functions, evaluate, kinks

FUNCTIONS = {
    "two": Constant(type="constant", value=2.0),
    "ramp": Ramp(type="ramp", start=1.0, end=3.0, initial=1.0, final=5.0),
    "sine": Sine(type="sine", frequency=0.3, amplitude=1.5, phase=0.4, offset=0.2),
    "table": Table(type="table", times=(0.0, 1.0, 4.0), values=(0.0, 2.0, -1.0)),
    "sum": Sum(type="sum", of=("two", "ramp", "sine")),
    "product": Product(type="product", of=("sum", "table", "sine")),
}


def jets(name: str | None, t: float) -> np.ndarray:
    out = np.empty((1, 3))
    evaluate(compile_functions(FUNCTIONS, [name]), t, out)
    return out[0]


@pytest.mark.parametrize(
    ("name", "t", "value"),
    [
        (None, 7.0, 1.0),
        ("two", 7.0, 2.0),
        ("ramp", 0.0, 1.0),
        ("ramp", 2.0, 3.0),
        ("ramp", 9.0, 5.0),
        ("sine", 0.5, 0.2 + 1.5 * np.sin(2 * np.pi * 0.3 * 0.5 + 0.4)),
        ("table", -1.0, 0.0),
        ("table", 2.5, 0.5),
        ("table", 5.0, -1.0),
    ],
)
def test_a_function_takes_its_value(name: str | None, t: float, value: float) -> None:
    assert jets(name, t)[0] == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("t", [0.3, 1.7, 2.9, 3.6])
def test_derivatives_are_those_of_the_value(name: str, t: float) -> None:
    h = 1e-4
    before, here, after = jets(name, t - h), jets(name, t), jets(name, t + h)
    assert here[1] == pytest.approx((after[0] - before[0]) / (2 * h), abs=1e-6)
    assert here[2] == pytest.approx((after[1] - before[1]) / (2 * h), abs=1e-6)


def test_a_time_given_twice_is_a_jump() -> None:
    pulse = Table(type="table", times=(1.0, 1.0, 2.0, 2.0), values=(0.0, 3.0, 3.0, -1.0))
    functions = {"pulse": pulse, "twice": Sum(type="sum", of=("pulse", "pulse"))}
    program, out = compile_functions(functions, ["pulse"]), np.empty((1, 3))
    seen = []
    for t in (0.5, 1.0, 1.5, 2.0, 3.0):
        evaluate(program, t, out)
        seen.append(out[0].tolist())
    assert [value for value, *_ in seen] == [0.0, 3.0, 3.0, -1.0, -1.0]
    assert all(slopes == [0.0, 0.0] for _, *slopes in seen)
    assert jumps(functions, "twice") == [1.0, 2.0]
    assert kinks(program) == pytest.approx([1.0, 1.0, 2.0, 2.0], rel=1e-10)
    with pytest.raises(ValueError, match="for the third time"):
        Table(type="table", times=(1.0, 1.0, 1.0), values=(0.0, 1.0, 2.0))


def test_several_functions_share_one_program() -> None:
    names = ["product", None, "ramp"]
    out = np.empty((3, 3))
    evaluate(compile_functions(FUNCTIONS, names), 2.2, out)
    for i, name in enumerate(names):
        assert out[i] == pytest.approx(jets(name, 2.2))
