"""A lumped study: masses, springs, obstacles and friction."""

from __future__ import annotations

from typing import Literal

from fecontact.study.common import Study


class LumpedStudy(Study):
    """A small system of masses."""

    kind: Literal["lumped"]
