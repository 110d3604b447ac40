"""Compiled functions of time: value, first and second derivative at any time.

The functions of a model are flattened into a program in postfix order that one compiled kernel
evaluates, so that evaluation in a time loop (in Python or itself compiled) is fast, and velocity
and acceleration of a moving support come from the same data. Values are jets (f, f', f''): sums add
them, products follow Leibniz: (fg)' = f'g + fg', (fg)'' = f''g + 2f'g' + fg''.

At a kink or jump of a table, value and derivative are those to the right; the impulse in the
derivative is neglected.

A time integrator evaluates a function at discrete times only. This module describes the function
between them: its :func:`kinks`, its :func:`fastest` frequency, its :func:`shortest_swing`, and
:func:`resolution_warnings` where steps of a given length would miss a part of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fecontact.arrays import Array, Integers
from fecontact.kernels import njit
from fecontact.record import RunWarning
from fecontact.study.errors import InputError
from fecontact.study.models.functions import Constant, Product, Ramp, Sine, Sum, Table, TimeFunction
from fecontact.tables import peaks

PUSH_SINE, PUSH_TABLE, ADD, MULTIPLY = 0, 1, 2, 3
DEEPEST = 64  # stack limit of one function
MAX_TERMS = 100_000  # of one function, including the functions of which it is composed


class Program(NamedTuple):
    """Functions as flat arrays; function i is the instructions first[i] : first[i + 1].

    An instruction is (operation, offset into data, length).
    """

    first: Integers
    instructions: Integers
    data: Array


def compile_functions(
    functions: Mapping[str, TimeFunction], names: Sequence[str | None]
) -> Program:
    """Return the named functions as a program; None stands for the constant 1.

    Raise InputError if sums and products are nested deeper than a kernel can evaluate.
    """
    first, instructions, data = [0], [], [0.0]

    def emit(operation: int, numbers: Sequence[float], length: int) -> None:
        instructions.append((operation, len(data), length))
        data.extend(numbers)

    def flatten(name: str, depth: int) -> None:
        if depth > DEEPEST or len(instructions) - first[-1] > MAX_TERMS:
            raise InputError(
                f"functions.{name}: sums and products are limited to {DEEPEST - 1} levels and "
                f"{MAX_TERMS} terms. Use fewer."
            )
        match functions[name]:
            case Constant(value=value):
                emit(PUSH_TABLE, (0.0, 1.0, value, value), 2)
            case Ramp(start=start, end=end, initial=initial, final=final):
                emit(PUSH_TABLE, (start, end, initial, final), 2)
            case Table(times=times, values=values):
                emit(PUSH_TABLE, (*times, *values), len(times))
            case Sine(frequency=frequency, amplitude=amplitude, phase=phase, offset=offset):
                emit(PUSH_SINE, (amplitude, 2.0 * np.pi * frequency, phase, offset), 4)
            case Sum(of=parts) | Product(of=parts):
                flatten(parts[0], depth + 1)
                for part in parts[1:]:
                    flatten(part, depth + 1)
                    emit(ADD if isinstance(functions[name], Sum) else MULTIPLY, (), 0)

    for name in names:
        if name is None:
            emit(PUSH_TABLE, (0.0, 1.0, 1.0, 1.0), 2)
        else:
            flatten(name, 1)
        first.append(len(instructions))
    return Program(
        np.array(first, dtype=np.int64),
        np.array(instructions, dtype=np.int64).reshape(-1, 3),
        np.array(data, dtype=np.float64),
    )


@njit
def evaluate(program: Program, t: float, out: Array) -> None:
    """Fill out[i] with (f_i, f_i', f_i'') at time t, in units of 1, 1/s, 1/s²."""
    stack = np.empty((DEEPEST, 3))
    for i in range(program.first.size - 1):
        top = -1
        for j in range(program.first[i], program.first[i + 1]):
            operation, start, length = program.instructions[j]
            if operation == PUSH_SINE:
                top += 1
                amplitude, omega = program.data[start], program.data[start + 1]
                angle = omega * t + program.data[start + 2]
                s, c = amplitude * np.sin(angle), amplitude * np.cos(angle)
                stack[top, 0] = program.data[start + 3] + s
                stack[top, 1] = omega * c
                stack[top, 2] = -omega * omega * s
            elif operation == PUSH_TABLE:
                top += 1
                times = program.data[start : start + length]
                values = program.data[start + length : start + 2 * length]
                k = np.searchsorted(times, t, side="right") - 1
                stack[top, 1] = 0.0
                stack[top, 2] = 0.0
                if k < 0:
                    stack[top, 0] = values[0]
                elif k >= length - 1:
                    stack[top, 0] = values[length - 1]
                else:
                    slope = (values[k + 1] - values[k]) / (times[k + 1] - times[k])
                    stack[top, 0] = values[k] + slope * (t - times[k])
                    stack[top, 1] = slope
            elif operation == ADD:
                top -= 1
                for d in range(3):
                    stack[top, d] += stack[top + 1, d]
            else:
                top -= 1
                f, f1, f2 = stack[top]
                g, g1, g2 = stack[top + 1]
                stack[top, 0] = f * g
                stack[top, 1] = f1 * g + f * g1
                stack[top, 2] = f2 * g + 2.0 * f1 * g1 + f * g2
        out[i, 0], out[i, 1], out[i, 2] = stack[0, 0], stack[0, 1], stack[0, 2]


def function_of_time(
    functions: Mapping[str, TimeFunction], name: str | None
) -> Callable[[float], float]:
    """Return a function of a study as t ↦ value; None stands for the constant 1."""
    program, jets = compile_functions(functions, (name,)), np.zeros((1, 3))

    def value(t: float) -> float:
        evaluate(program, t, jets)
        return float(jets[0, 0])

    return value


STEPS_A_SWING = 4.0
"""Minimum steps of a swing: half a period of a sine, a pulse at half of its height."""

MAX_STEP_PER_CYCLE = 0.5 + 1e-9
"""Limit of `load.resolution`: with fewer than two steps a sine can be zero at all of them."""

_BEFORE = 1e-11  # relative to the time of a jump: just before it
_ON_GRID = 1e-6  # fraction of a step: closer table times are treated as steps


def kinks(program: Program) -> Array:
    """Return the times at which a function or its slope jumps, sorted, s.

    A jump has two: a step that ends at the first uses the value before it, the next step the value
    after it.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # a jump has no finite slope
        times = [
            t[np.diff(slopes) != 0.0]
            for t, v in _tables(program)
            for slopes in [np.concatenate(([0.0], np.diff(v) / np.diff(t), [0.0]))]
        ]
    before = [t[1:][(np.diff(t) == 0.0) & (np.diff(v) != 0.0)] for t, v in _tables(program)]
    times += [t[t > 0.0] * (1.0 - _BEFORE) for t in before]
    return np.unique(np.concatenate([np.empty(0), *times]))


def fastest(program: Program) -> float:
    """Return the largest angular frequency of the functions (for a product, the sum of its parts'),
    rad/s.
    """
    largest = 0.0
    for first, last in zip(program.first[:-1], program.first[1:], strict=True):
        stack: list[float] = []
        for operation, start, _ in program.instructions[first:last]:
            if operation in (PUSH_SINE, PUSH_TABLE):
                stack.append(program.data[start + 1] if operation == PUSH_SINE else 0.0)
            else:
                right, left = stack.pop(), stack.pop()
                stack.append(max(left, right) if operation == ADD else left + right)
        largest = max(largest, float(stack[0]))
    return largest


class Steps(NamedTuple):
    """The times at which a run evaluates its functions.

    step: length of the steps from start on, s.
    seen: further times, s.
    """

    step: float
    start: float = 0.0
    end: float = np.inf
    seen: tuple[float, ...] = ()

    def hit(self, times: Array) -> bool:
        """Return True if all of these times within the run are steps."""
        inside = times[(times > self.start) & (times < self.end)]
        steps = (inside - self.start) / self.step
        off = np.abs(steps - np.round(steps)) > _ON_GRID
        if not self.seen or not off.any():
            return not off.any()
        seen = np.asarray(self.seen)
        away = np.abs(inside[off, None] - seen[None, :]).min(axis=1)
        return bool((away <= _ON_GRID * self.step).all())


def shortest_swing(program: Program, steps: Steps) -> float:
    """Return half the shortest period, or the shortest duration of the outer half of a peak of a
    table, s.

    Infinite without a period or peak. A ramp or jump is not a peak, however steep: it is delayed by
    one step at most, while a peak between two steps is lost. A table whose times are steps loses
    nothing.
    """
    omega = fastest(program)
    shortest = np.pi / omega if omega > 0.0 else np.inf
    for times, values in _tables(program):
        if not steps.hit(times):
            widths = [
                peak.end - peak.begin
                for peak in peaks(times, values)
                if peak.end > steps.start and peak.begin < steps.end
            ]
            shortest = min(shortest, *widths, np.inf)
    return float(shortest)


def resolution_warnings(
    functions: Mapping[str, TimeFunction], used: Sequence[str | None], steps: Steps
) -> list[RunWarning]:
    """Return a warning for every function that these steps do not resolve."""
    sentences, step = [], steps.step
    for name in dict.fromkeys(used):
        if name is None:
            continue
        swing = shortest_swing(compile_functions(functions, (name,)), steps)
        if swing < STEPS_A_SWING * step * (1.0 - 1e-9):
            sentences.append(
                RunWarning(
                    f"time.step = {step:g} s: functions.{name} changes within {swing:.3g} s "
                    f"({swing / step:.2g} steps), so part of it is missed. Reduce time.step to "
                    f"{swing / STEPS_A_SWING:.2g} s or less."
                )
            )
    return sentences


def _tables(program: Program) -> Iterator[tuple[Array, Array]]:
    """Yield times and values of all tables and ramps."""
    for operation, start, length in program.instructions:
        if operation == PUSH_TABLE:
            data = program.data[start : start + 2 * length]
            yield data[:length], data[length:]
