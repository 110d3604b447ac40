"""Former names of keys, used only for the suggestion in the message on an unknown key."""

from __future__ import annotations

RENAMED = {
    "about": "reference_point",
    "along": "profile",
    "aster": "code_aster",
    "centre": "center",
    "centred": "centered",
    "close_gaps_below": "gap_closure_tolerance",
    "cut": "cutback_factor",
    "follows": "axial",
    "guard": "regression_only",
    "halvings": "max_halvings",
    "integrator": "scheme",
    "largest_step": "max_step",
    "milestones": "required_times",
    "minimum_step": "min_step",
    "offset_along": "offset_profile",
    "over": "coordinate",
    "resolve_overlap_over": "overlap_ramp_time",
    "smallest_step": "min_step",
    "spin": "angular_velocity",
    "start": "initial_state",
    "touched": "contact_side",
    "turning_damping": "rotational_damping",
    "turning_stiffness": "rotational_stiffness",
    "wear_of_master": "master_wear_fraction",
    "wear_opens_gap": "wear_updates_gap",
    "without": "exclude",
}
