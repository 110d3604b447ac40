"""Tables of checks in pages of the documentation."""

from __future__ import annotations

import pytest

from fecontact.results import evaluate_checks
from fecontact.results.checks.evaluation import nearer_than_aster, same_as_printed
from fecontact.results.manual.markdown import check_page, write_page_table
from fecontact.study.errors import InputError

PAGE = "# A page\n\n<!-- verify: sdnv104 -->\nold\n<!-- end -->\n\nBelow.\n"


def test_a_table_replaces_the_old_one_between_its_marks(tmp_path, shoe_study, shoe):
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    rows = evaluate_checks(shoe_study, shoe)
    for _ in range(2):  # a second time changes nothing but the date
        write_page_table(page, rows)
    text = page.read_text()
    assert text.startswith("# A page") and text.endswith("Below.\n")
    assert "old" not in text and text.count("| x_A at 1.7 s [m] |") == 1
    assert "Computed by `fecontact verify sdnv104" in text


def test_a_page_without_marks_is_rejected_before_anything_is_computed(tmp_path):
    (tmp_path / "page.md").write_text("# A page")
    with pytest.raises(InputError, match="the table"):
        check_page(tmp_path / "page.md")


def test_a_value_that_agrees_in_the_printed_digits_counts_as_equal(shoe_study, shoe):
    from dataclasses import replace

    row = replace(evaluate_checks(shoe_study, shoe)[0], source="exact", reference=14.9)
    near = replace(row, code_aster=14.84, value=14.8361, error=14.9 - 14.8361)
    far = replace(row, code_aster=14.84, value=14.86, error=0.04)
    assert same_as_printed(near) and not same_as_printed(far)
    assert " in 1, equal in 1, further away in 0" in nearer_than_aster([near, far])
