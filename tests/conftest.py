"""Tiers of the tests.

`pytest` runs the tests of the main functions: the four documents, a claim for each capability,
the environment, the command line, restart and ranks. Tests listed in EXTENDED (variants, corpora of
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
        "unit/reference",
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
    # Variants of claims that bundled studies or other tests of the first tier make.
    "unit/benchmarks/test_measure.py",
    *(
        f"unit/mesh/test_mesh_exodus.py::{name}"
        for name in (
            "test_what_is_wrong_is_one_message",
            "test_truncated_files",
            "test_wrong_universal_files",
            "test_truncated_universal_files",
        )
    ),
    "unit/mesh/test_mesh_files.py::test_med_files_come_back_oriented_whatever_their_orientation",
    *(
        f"mechanics/simulation/test_viscoelastic.py::{name}"
        for name in (
            "test_history_variables_pass_to_the_next_stage",
            "test_the_error_falls_with_the_square_of_the_step",
            "test_a_run_continues_from_a_state_as_if_it_had_not_stopped",
            "test_a_linear_body_beside_rubber_moves_as_alone",
        )
    ),
    *(
        f"mechanics/simulation/test_resolution.py"
        f"::test_an_impulse_does_not_depend_on_the_length_of_the_next_step[{scheme}-steps1]"
        for scheme in ("hht0", "hht1", "wbz-alpha", "newmark")
    ),
    "mechanics/simulation/test_self_contact.py"
    "::test_self_contact_is_that_of_two_declared_edges[lagrangian-1e-11]",
    "mechanics/simulation/test_self_contact.py"
    "::test_self_contact_in_dynamics_is_that_of_two_declared_edges[lagrangian]",
    "mechanics/simulation/test_stabilised.py"
    "::test_a_body_constrained_only_by_contact_comes_to_rest_after_a_jump",
    "mechanics/simulation/test_soft_contact.py"
    "::test_two_soft_blocks_of_quadratic_cells_compress_each_other",
    "mechanics/simulation/test_mixed_bodies.py"
    "::test_a_corotational_disc_turns_beside_rubber_as_it_does_alone",
    "mechanics/simulation/test_precision.py"
    "::test_a_strip_that_its_load_alone_would_bend_by_hundreds_of_metres_is_trusted",
    "mechanics/simulation/test_bent_rubber.py"
    "::test_surface_stress_converges_faster_than_with_first_order[tri6]",
    *(
        f"unit/periodic/test_response.py::{name}"
        for name in (
            "test_branch_of_a_stop_folds_and_changes_stability",
            "test_slider_has_the_motion_of_harmonic_balance",
            "test_reduced_beam_with_friction_has_the_motion_of_harmonic_balance",
        )
    ),
    *(
        f"robustness/test_resume_studies.py::test_one_study_of_each_capability_resumes_exactly[{name}]"
        for name in (
            "corotational and hyperelastic bodies, dynamic",
            "slave nodes off the master",
            "corotational and elastoplastic bodies",
        )
    ),
    "unit/cli/test_verify.py::test_results_are_in_the_order_of_the_studies_without_messages",
    "unit/cli/test_exit_codes.py::test_a_reader_who_goes_away_hears_no_complaint",
    "parallel/test_failures.py::test_mesh_that_rank_0_cannot_read_ends_all",
    "parallel/test_failures.py::test_one_failing_rank_ends_all[1-factor-MemoryError]",
    "parallel/test_failures.py::test_one_failing_rank_ends_all[1-assembly-InputError]",
    "robustness/test_resume.py::test_another_mesh_of_the_same_size_is_rejected",
    "robustness/test_isolation.py"
    "::test_paths_are_those_of_the_folder_in_which_the_command_is_called",
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
