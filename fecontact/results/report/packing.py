"""Arrays and scripts packed for a web page (gzip, base64); text safe inside a script element."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import numpy as np

_TYPES = {"f4": "Float32Array", "f8": "Float64Array", "i2": "Int16Array", "u1": "Uint8Array",
          "u4": "Uint32Array"}  # fmt: skip


def pack_bytes(data: bytes) -> str:
    """Return bytes as base64 of their gzip; `unpack` in page/unpack.js is the inverse."""
    return base64.b64encode(gzip.compress(data, 4, mtime=0)).decode("ascii")


def pack_arrays(arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """Return named arrays as one packed block and the list of their offsets in it (flattened)."""
    parts, entries, offset = [], [], 0
    for name, array in arrays.items():
        data = np.ascontiguousarray(array).tobytes()
        kind = _TYPES[array.dtype.str[1:]]
        entries.append({"name": name, "type": kind, "offset": offset, "length": array.size})
        padding = -len(data) % 8  # typed arrays start at multiples of their size
        parts.append(data + bytes(padding))
        offset += len(data) + padding
    return {"arrays": entries, "data": pack_bytes(b"".join(parts))}


def quantised(values: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Return 16-bit integers q and (a, b) with values ≈ a + b·q: 1/65 000 of the range, enough to
    draw. A value of 0 is exact, so that an open node has no traction.
    """
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
    step = (high - low) / 65000.0 or 1.0
    if low < 0.0 < high:
        middle = np.floor(low / step) + 32500
        return (np.round(values / step) - middle).astype(np.int16), float(middle * step), step
    whole = np.round((values - low) / step) - 32500
    return whole.astype(np.int16), low + 32500 * step, step


def in_steps(frames: np.ndarray) -> np.ndarray:
    """Return differences from one time (T, …) to the next, in wrapping 16 bits: they compress far
    better than the values; `accumulate` in page/unpack.js is the inverse.
    """
    first = np.zeros_like(frames[:1])
    return np.diff(frames, axis=0, prepend=first)


def script_json(value: Any) -> str:
    """Return JSON that can neither end its script element nor break a line of JavaScript."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text
