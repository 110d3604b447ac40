"""Rows of the compliance are computed on demand, stored, and discarded if there are too many."""

from types import SimpleNamespace

import numpy as np
import pytest

from fecontact.contact.local import compliance
from fecontact.contact.local.compliance import BLOCK, MAX_DENSE_DOFS, Compliance


def of_a_rail(size):
    """A compliance that decays along a rail, and the dofs of which rows were made."""
    x = np.arange(size)
    made = []

    def rows(dofs):
        made.extend(dofs.tolist())
        return np.exp(-np.abs(dofs[:, None] - x) / 7.0)

    return Compliance(SimpleNamespace(compliance=rows), size), rows, made


def test_few_rows_are_made_at_once():
    g, rows, made = of_a_rail(60)
    assert g.times(np.eye(60)[7]) == pytest.approx(rows(np.array([7]))[0])
    g.need(np.arange(60))
    assert sorted(made[:-1]) == list(range(60))


def test_only_the_near_part_of_a_long_rail_is_computed_and_stored():
    size = 2 * MAX_DENSE_DOFS
    g, rows, made = of_a_rail(size)
    force = np.zeros(size)
    force[[500, 501]] = 1.0, 2.0
    for _ in range(2):
        assert g.times(force) == pytest.approx(force @ rows(np.arange(size)))
    of_products = [d for d in made if d in range(500 - BLOCK, 502 + BLOCK)]
    assert len(g.rows) <= 2 * BLOCK and len(of_products) < size


def test_rows_that_were_not_used_for_longest_make_room(monkeypatch):
    size = 2 * MAX_DENSE_DOFS
    monkeypatch.setattr(compliance, "LIMIT", 4 * BLOCK * size)
    g, rows, _ = of_a_rail(size)
    for start in range(0, size, BLOCK):  # a shoe that slides along the rail, and back again
        g.need(np.array([start]))
    assert len(g.rows) <= 4 * BLOCK
    force = np.zeros(size)
    force[:3] = 1.0
    assert g.times(force) == pytest.approx(force @ rows(np.arange(size)))
    assert len(g.rows) <= 4 * BLOCK and np.count_nonzero(g.place >= 0) <= 4 * BLOCK


def test_the_diagonal_is_known_without_keeping_all_rows(monkeypatch):
    monkeypatch.setattr(compliance, "LIMIT", 4 * BLOCK * 2 * MAX_DENSE_DOFS)
    g, _, _ = of_a_rail(2 * MAX_DENSE_DOFS)
    assert g.diagonal(np.arange(0, 2 * MAX_DENSE_DOFS, 3)) == pytest.approx(1.0)
    assert len(g.rows) <= 4 * BLOCK
