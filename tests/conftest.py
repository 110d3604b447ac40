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
    "unit/mesh/test_mesh_files.py::test_unreadable_files_are_reported_with_the_reason",
    *(f"robustness/test_{name}.py" for name in ("process_start", "untrusted_input")),
    *(f"robustness/test_{name}.py" for name in ("result_folder_lock", "quality_warnings")),
    *(f"robustness/test_{name}.py" for name in ("security", "disk", "fuzz", "long_runs")),
    *(f"robustness/test_{name}.py" for name in ("kernel_cache", "invalid_models", "absurd_models")),
    "robustness/test_interruption.py",
    "robustness/test_resume_studies.py::test_a_lumped_run_takes_any_number_of_checkpoints",
    "browser",
    *(f"unit/results/test_results_{name}.py" for name in ("plots", "manual")),
    *(f"unit/results/test_results_{name}.py" for name in ("comparison", "convergence", "live")),
    "unit/results/test_results_page_scripts.py",
    "mechanics/simulation/test_energy_limits.py::test_master_vertices_that_become_active_create_no_energy",
    *("mechanics/simulation/test_conserving.py", "mechanics/simulation/test_warnings.py"),
    *("mechanics/simulation/test_crushed_ring.py", "mechanics/simulation/test_fretting.py"),
    *(
        "mechanics/simulation/test_corotational_invariance.py",
        "mechanics/simulation/test_corotational_links.py",
    ),
    "mechanics/simulation/test_rigid_tools.py::test_a_pin_that_comes_down_between_nodes_presses",
    "mechanics/dynamics/test_schemes_and_energy_balance.py::test_the_order_of_each_scheme",
    *("mechanics/dynamics/test_sdnv104_by_hand.py", "mechanics/dynamics/test_many_contact_dofs.py"),
    *("unit/cli/test_inspect_commands.py", "documentation/test_pages.py"),
    *("unit/lumped/test_lumped_campaign.py", "unit/lumped/test_lumped_convergence.py"),
    *("unit/lumped/test_lumped_against_scipy.py", "unit/lumped/test_lumped_bad_input.py"),
    *("packaging/test_rootfs_build.py", "packaging/test_image.py", "packaging/test_wheel.py"),
    # Starts of several processes; one test of each kind is in the first tier.
    *(
        f"robustness/test_isolation.py::{name}"
        for name in (
            "test_a_run_in_a_folder_of_settings_is_that_in_an_empty_one[block-flags0]",
            "test_so_is_a_run_on_two_ranks",
            "test_so_are_those_that_the_processes_of_a_sweep_read",
            "test_the_ranks_of_a_comparison_are_as_isolated",
            "test_what_the_benchmark_starts_is_as_isolated",
            "test_a_run_leaves_nothing_in_the_home_folder",
        )
    ),
    *("parallel/test_sweeps.py", "documentation/test_cluster_page.py"),
    "documentation/test_examples.py::test_own_forms_agree_on_two_ranks",
    "documentation/test_examples.py::test_the_map_of_an_oscillator_is_den_hartogs",
    "unit/solid/test_solid_ranks.py::test_ranks_agree_with_serial[5]",
    "unit/modal/test_sliding.py::test_two_ranks_find_the_same_modes",
    "unit/lumped/test_lumped_sweep.py::test_ranks_share_the_work",
    "unit/lumped/test_lumped_sweep.py::test_a_script_that_sweeps_is_not_run_again_in_every_process",
    *("unit/cli/test_without_dolfinx.py", "unit/study/test_linked_axes.py"),
    "unit/cli/test_verify.py::test_full_computes_refinement_series_and_checks_their_order",
    "unit/cli/test_verify.py::test_a_study_that_cannot_be_built_is_reported_beside_those_that_can",
    "unit/study/test_how_to_add.py::test_a_choice_can_be_imported_first_and_brings_nothing_heavy",
    "mechanics/simulation/test_registered.py::test_a_law_is_imported_and_its_result_read_without_it",
    # Long runs.
    "documentation/test_generated_tables.py",
    "mechanics/simulation/test_ends_of_edges.py"
    "::test_a_block_that_tips_over_the_end_of_its_master_is_not_kicked[penalty]",
    "mechanics/simulation/test_ends_of_edges.py"
    "::test_a_block_that_tips_over_the_end_of_its_master_is_not_kicked[lagrangian]",
    "unit/lumped/test_lumped_exact_progress.py::test_a_block_shaken_at_twenty_kilohertz",
    "unit/lumped/test_lumped_exact_progress.py::test_a_block_shaken_for_twenty_thousand_periods",
    "unit/contact/test_outlines.py"
    "::test_the_gap_is_the_distance_from_the_outline_with_the_sign_of_its_side[measured]",
)


def is_extended(node: str) -> bool:
    """Return True if a test, `folder/module.py::name[…]`, is in the second tier."""
    return any(
        node == entry or node.startswith((f"{entry}/", f"{entry}::", f"{entry}["))
        for entry in EXTENDED
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the second tier, and keep the tests of a module in one worker: they share
    fixtures and computed runs. A test with its own group can go to any worker.
    """
    for item in items:
        relative = item.path.relative_to(TESTS).as_posix()
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(relative))
        if is_extended(f"{relative}::{item.name}"):
            item.add_marker(pytest.mark.extended)
