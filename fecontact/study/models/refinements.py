"""Refinement series: a study on finer meshes or with shorter steps, and its convergence order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, Any

from pydantic import Strict

from fecontact.study.base import Line, Name, Number, Problem, StudyModel, in_toml, key, si, table


class Level(StudyModel):
    """One member of a refinement series."""

    size: Number = si("of the refined quantity", "element size or step", gt=0)
    changes: dict[str, Any] = table("partial study merged over this one")


class Refinement(StudyModel):
    """A refinement series and the order p with which the error of a check decreases: |value −
    reference| ~ sizeᵖ, by least squares over the logarithms of all members.
    """

    check: Name = key("check whose error is evaluated; its tolerance is ignored")
    parameter: Line = key("name of the refined quantity: `h`, `Δt`", "h")
    unit: Line = key("unit of the refined quantity", "m")
    levels: Annotated[tuple[Level, ...], Strict(False)] = key(
        "levels, coarsest first", min_length=3
    )
    order: Number = si("1", "expected order of convergence", gt=0)
    tolerance: Number = si("1", "largest accepted deviation of the order", gt=0)
    source: Line = key("reason for the expected order")

    def problems(self) -> Iterator[Problem]:
        for number, (coarse, fine) in enumerate(pairwise(self.levels), 1):
            if fine.size >= coarse.size:
                words = f"is {in_toml(fine.size)}; it must be smaller than at the previous level"
                yield ("levels", number, "size"), words
