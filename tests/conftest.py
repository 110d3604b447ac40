"""Tiers of the tests.

`pytest` runs the tests that prove the mission: the four documents, a claim for each capability, the
environment, the command line, restart and ranks. Tests listed in EXTENDED (variants, corpora of
broken input, file formats, browser) are marked `extended` and run in `.ci/run` too. Campaigns are
marked `slow` where they are defined.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# Folders, modules or single tests.
EXTENDED = (
    *(
        "campaign",
        "unit/convert/test_assemblies.py",
        "unit/convert/test_ten_styles.py",
        "unit/exact",
        "mechanics/verification/test_verification_claims.py",
    ),
    *(
        f"unit/mesh/test_mesh_{name}.py"
        for name in ("malformed", "mail", "formats", "scripts", "mixed")
    ),
    "unit/mesh/test_mesh_files.py::test_gmsh_files_of_both_versions_come_back",
    "unit/mesh/test_mesh_files.py::test_files_that_cannot_be_read_say_why",
    *(f"robustness/test_{name}.py" for name in ("starting", "claims", "honest", "strangers")),
    *(f"robustness/test_{name}.py" for name in ("security", "disk", "fuzz", "long_runs")),
    *(f"robustness/test_{name}.py" for name in ("kernel_cache", "invalid_models", "absurd_models")),
    "robustness/test_interruption.py",
    "robustness/test_resume_studies.py::test_a_lumped_run_takes_any_number_of_checkpoints",
    *(
        f"unit/results/test_results_{name}.py"
        for name in ("browser", "stage", "pictures", "manual")
    ),
    *(f"unit/results/test_results_{name}.py" for name in ("comparison", "convergence", "live")),
    "unit/results/test_results_page_scripts.py",
    *("mechanics/simulation/test_conserving.py", "mechanics/simulation/test_warnings.py"),
    *("mechanics/simulation/test_crushed_ring.py", "mechanics/simulation/test_fretting.py"),
    *("mechanics/simulation/test_turning_alike.py", "mechanics/simulation/test_turning_links.py"),
    "mechanics/simulation/test_rigid_tools.py::test_a_pin_that_comes_down_between_nodes_presses",
    "mechanics/dynamics/test_schemes_and_ledger.py::test_the_order_of_each_scheme",
    *("mechanics/dynamics/test_sdnv104_by_hand.py", "mechanics/dynamics/test_many_contact_dofs.py"),
    *(
        "unit/cli/test_inspect_commands.py",
        "documentation/test_pages.py",
        "documentation/test_site.py",
    ),
    *("unit/lumped/test_lumped_campaign.py", "unit/lumped/test_lumped_convergence.py"),
    *("unit/lumped/test_lumped_against_scipy.py", "unit/lumped/test_lumped_bad_input.py"),
    *("packaging/test_rootfs_build.py", "packaging/test_image.py", "packaging/test_wheel.py"),
)


def is_extended(node: str) -> bool:
    """Return True if a test, `folder/module.py::name[…]`, is in the second tier."""
    return any(
        node == entry or node.startswith((f"{entry}/", f"{entry}::", f"{entry}["))
        for entry in EXTENDED
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the second tier."""
    for item in items:
        relative = item.path.relative_to(TESTS).as_posix()
        if is_extended(f"{relative}::{item.name}"):
            item.add_marker(pytest.mark.extended)
