"""Functions of time in the lumped kernels: values, or power series about a time.

Both execute the postfix program of :mod:`fecontact.timefunctions` on a stack owned by the kernel.
The series (for the exact scheme) use sin(θ + ωτ) = Σ sin(θ + jπ/2) (ωτ)ʲ/j!, piecewise linear
functions, and Cauchy products.
"""

from __future__ import annotations

import numpy as np

from fecontact.arrays import Array
from fecontact.kernels import helper, kernel
from fecontact.timefunctions import ADD, PUSH_SINE, PUSH_TABLE, Program


@helper
def evaluate_values(
    program: Program, first: float, h: float, count: int, stack: Array, out: Array
) -> None:
    """Compute out[row, i] = fᵢ at the times (first + row)·h, row < count.

    Each instruction is decoded once for all rows. stack: (DEEPEST, count) scratch.
    """
    for i in range(program.first.size - 1):
        top = -1
        for j in range(program.first[i], program.first[i + 1]):
            operation = program.instructions[j, 0]
            start = program.instructions[j, 1]
            if operation == PUSH_SINE:
                top += 1
                amplitude, omega = program.data[start], program.data[start + 1]
                phase, offset = program.data[start + 2], program.data[start + 3]
                for row in range(count):
                    angle = omega * ((first + row) * h) + phase
                    stack[top, row] = offset + amplitude * np.sin(angle)
            elif operation == PUSH_TABLE:
                top += 1
                length = program.instructions[j, 2]
                for row in range(count):
                    stack[top, row] = _line(program, start, length, (first + row) * h)[0]
            elif operation == ADD:
                top -= 1
                for row in range(count):
                    stack[top, row] += stack[top + 1, row]
            else:
                top -= 1
                for row in range(count):
                    stack[top, row] *= stack[top + 1, row]
        for row in range(count):
            out[row, i] = stack[0, row]


@kernel
def evaluate_series(program: Program, t: float, stack: Array, out: Array) -> None:
    """Compute out[i, j] = fᵢ⁽ʲ⁾(t)/j!, j < out.shape[1]; stack: (DEEPEST, out.shape[1]) scratch.

    At a kink of a table the right-hand slope is used.
    """
    terms = out.shape[1]
    for i in range(program.first.size - 1):
        top = -1
        for j in range(program.first[i], program.first[i + 1]):
            operation = program.instructions[j, 0]
            start = program.instructions[j, 1]
            if operation == PUSH_SINE:
                top += 1
                amplitude, omega = program.data[start], program.data[start + 1]
                angle = omega * t + program.data[start + 2]
                s, c = np.sin(angle), np.cos(angle)
                for k in range(terms):
                    stack[top, k] = amplitude * s
                    s, c = c, -s
                    amplitude *= omega / (k + 1)
                stack[top, 0] += program.data[start + 3]
            elif operation == PUSH_TABLE:
                top += 1
                value, slope = _line(program, start, program.instructions[j, 2], t)
                for k in range(terms):
                    stack[top, k] = 0.0
                stack[top, 0], stack[top, 1] = value, slope
            elif operation == ADD:
                top -= 1
                for k in range(terms):
                    stack[top, k] += stack[top + 1, k]
            else:
                top -= 1
                for k in range(terms - 1, -1, -1):
                    total = 0.0
                    for part in range(k + 1):
                        total += stack[top, part] * stack[top + 1, k - part]
                    stack[top, k] = total
        for k in range(terms):
            out[i, k] = stack[0, k]


@helper
def _line(program: Program, start: int, length: int, t: float) -> tuple[float, float]:
    """Return value and right-hand slope of a table at t."""
    data, second = program.data, start + length
    if t < data[start]:
        return data[second], 0.0
    if t >= data[start + length - 1]:
        return data[second + length - 1], 0.0
    low, high = 0, length - 1
    while high - low > 1:
        middle = (low + high) // 2
        if data[start + middle] <= t:
            low = middle
        else:
            high = middle
    slope = (data[second + low + 1] - data[second + low]) / (
        data[start + low + 1] - data[start + low]
    )
    return data[second + low] + slope * (t - data[start + low]), slope
