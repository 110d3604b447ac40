"""Fixtures: the synthetic runs of synthetic.py, new for each test, and their studies."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic import HOSTILE, sliding_shoe

from fecontact.study import load, study_from_dict

STUDIES = Path(__file__).parents[3] / "studies" / "sdnv104"


@pytest.fixture(scope="session")
def shoe_study():
    return load(STUDIES / "sdnv104d.toml", variant="full-hht")


@pytest.fixture
def shoe():
    return sliding_shoe()


@pytest.fixture
def hostile_study(shoe_study):
    """An untrusted study: markup wherever a text or a name is free."""
    data = shoe_study.model_dump(mode="json")
    data["title"] = f"Title {HOSTILE}"
    data["description"] = f"Description {HOSTILE}"
    data["checks"]["x170"]["source"] = HOSTILE
    return study_from_dict(data)
