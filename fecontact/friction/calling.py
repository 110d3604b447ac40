"""Calls of functions by address from compiled code, for user-defined friction laws."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from fecontact.friction.laws.law import Numbers, Sliding
from fecontact.study.errors import InputError

_COMPILED: dict[tuple[Any, ...], Any] = {}
"""Compiled functions, which must outlive the kernels that call them."""


def address(function: Callable[..., float], values: Mapping[str, float]) -> float:
    """Return the address of a function of speed, pressure and distance with its constants,
    exact as a float (addresses have fewer than 53 bits).
    """
    known = (function, tuple(values.items()))
    if known not in _COMPILED:
        _COMPILED[known] = _compiled(function, values)
    return float(_COMPILED[known].address)


def _compiled(function: Callable[..., float], values: Mapping[str, float]) -> Any:
    own = numba.njit(function)
    constants = tuple(float(values[n]) for n in [*inspect.signature(function).parameters][3:])
    count = len(constants)
    padded = constants or (0.0,)

    def plain(speed, pressure, distance):  # type: ignore[no-untyped-def]
        return own(speed, pressure, distance)

    def with_constants(speed, pressure, distance):  # type: ignore[no-untyped-def]
        return own(speed, pressure, distance, *padded)

    try:
        wrapped = with_constants if count else plain
        return numba.cfunc("float64(float64, float64, float64)")(wrapped)
    except numba.core.errors.NumbaError as error:
        reason = " ".join(str(error).split())[:300]
        raise InputError(
            f"friction law {function.__name__!r} cannot be compiled: {reason}"
        ) from None


@intrinsic  # type: ignore[untyped-decorator]
def _call(typing_context, where, speed, pressure, distance):  # type: ignore[no-untyped-def]
    """Call float64 f(float64, float64, float64) at an address."""
    double = types.float64

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        number = builder.fptoui(arguments[0], cgutils.intp_t)
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()] * 3)
        return builder.call(builder.inttoptr(number, kind.as_pointer()), arguments[1:])

    return double(double, double, double, double), generate


def coefficient(n: Numbers, at: Sliding) -> float:
    """Return μ of the function whose address is the only number of the law."""
    found: float = _call(n[0], at.speed, at.pressure, at.distance)
    return found
