"""Names of the histories and scalars that every finite-element run writes."""

from __future__ import annotations

ENERGIES = (
    "kinetic",
    "strain",
    "springs",
    "contact",
    "external",
    "friction",
    "contact_loss",
    "damping",
    "numerical",
    "balance_error",
)
"""The histories `energy.…` of every run."""

OF_STAGES = "stage_change"
"""Additional energy history of a run in stages."""

OF_YIELD = "plastic"
"""Additional energy history of a run with elastoplastic bodies."""

OF_RELAXATION = "viscous"
"""Additional energy history of a run with viscoelastic bodies."""

OF_JUMPS = "stabilization"
"""Additional energy history of a run with stabilised static steps."""

SHARE_OF_JUMPS = "stabilization.share"
"""The scalar of every run with stabilised static steps."""

LOAD_FACTOR = "load_factor"
"""The history of a static run along the path of equilibria (arc length)."""

OF_A_PAIR = ("normal", "tangential", "stick", "slip", "open")
"""The histories `contact.PAIR.…` of every contact pair."""

OF_A_TOOL = ("x", "y", "moment")
"""The histories `tool.TOOL.…` of every tool that is a master."""

OF_A_DRIVEN_TOOL = {
    "displacement_x": "m",
    "displacement_y": "m",
    "rotation": "rad",
    "velocity_x": "m/s",
    "velocity_y": "m/s",
    "angular_velocity": "rad/s",
}
"""The histories `tool.TOOL.…` of every force-controlled tool, and their units."""

OF_A_MOVED_TOOL = {"x": "displacement_x", "y": "displacement_y", "angle": "rotation"}
"""The histories `tool.TOOL.…` of prescribed motions that change in time, by the key of the tool."""

UNITS_OF_WATCHES = {
    "displacement": "m",
    "velocity": "m/s",
    "acceleration": "m/s²",
    "centroid-displacement": "m",
    "centroid-velocity": "m/s",
    "rotation": "rad",
    "angular-velocity": "rad/s",
    "stress": "Pa",
    "max-von-mises": "Pa",
    "max-principal-stress": "Pa",
    "plastic-strain": "1",
    "contact-pressure": "Pa",
    "peak-pressure": "Pa",
    "contact-width": "m",
    "pretension-shortening": "m",
    "wetted-length": "m",
}
"""Units of history outputs by their types."""

UNITS_OF_A_DEPTH = {
    "contact-force": "N",
    "wear-work": "J",
    "work-rate": "W",
    "reaction": "N",
    "pretension-force": "N",
}
"""Units of history outputs that are per metre of depth for bodies without thickness."""

SCALARS = ("energy.balance_error", "residual.equilibrium")
"""The scalars of every run."""

OF_MOTION = ("energy.gain", "energy.loss", "time.resolution")
"""The scalars of every dynamic run."""

OF_REDUCTION = (
    "reduction.neglected_energy",
    "reduction.residual",
    "reduction.frequency",
    "reduction.neglected_frequency",
)
"""The scalars of every run with reduced bodies."""

OF_FLOW = ("yield.onset_time", "yield.max_plastic_strain")
"""The scalars of every run with elastoplastic bodies."""

ERROR_OF_FLOW = "energy.plastic_error"
"""Another one, unless the run continues from another run, with its plastic strain."""

OF_SEVERAL = ("overlap",)
"""The scalars of every run with several bodies."""

OF_CONTACT = ("residual.contact", "penetration")
"""The scalars of every run with contact."""

OF_A_SURFACE = (
    "contact_width",
    "stick_width",
    "peak_pressure",
    "contact_duration",
    "impulse",
    "wear_work",
    "wear_volume",
    "master_wear_volume",
)
"""The scalars `contact.PAIR.…` of every contact pair."""

PEAKS_OF_A_SURFACE = (
    "max_pressure",
    "max_contact_width",
    "max_normal_force",
    "max_tangential_force",
)
"""The scalars `contact.PAIR.…` of every contact pair: largest values of the run."""

PEAKS_OF_A_BODY = ("max_von_mises", "max_principal_stress", "max_displacement")
"""The scalars `bodies.NAME.…` of every body: largest values of the run."""

PEAKS_OF_A_SUPPORT = ("max_reaction_x", "max_reaction_y")
"""The scalars `supports.NAME.…` of every support: largest values of the run, with sign."""

PEAK_OF_A_TOOL = "max_moment"
"""The scalar `tool.NAME.…` of every tool with a reference point: largest value of the run."""

LABELS_OF_PEAKS = {
    "max_pressure": "largest contact pressure",
    "max_contact_width": "largest contact width",
    "max_normal_force": "largest normal force",
    "max_tangential_force": "largest tangential force",
    "max_von_mises": "largest von Mises stress",
    "max_principal_stress": "largest principal stress",
    "max_displacement": "largest displacement",
    "max_reaction_x": "largest reaction in x",
    "max_reaction_y": "largest reaction in y",
    "max_moment": "largest moment about the reference point",
}
"""Descriptions of the largest values of a run."""

MARGIN = "yield_margin"
"""Additional scalar of a body whose material has a yield stress."""
