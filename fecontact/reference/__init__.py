"""Reference solutions: closed-form and event-driven, independent of the rest of the package.

Each solution is a frozen dataclass whose fields are its physical parameters (SI units). A
time-dependent one has ``history(t)``, a distribution over a surface ``profile(x)``; both return
named arrays. ``SOLUTIONS`` lists them under the names that studies use.
"""

from __future__ import annotations

from fecontact.reference.arch import ClampedArch
from fecontact.reference.contact.flat_punch import FlatPunch
from fecontact.reference.contact.glued_block import GluedBlock
from fecontact.reference.contact.hertz import HertzLineContact
from fecontact.reference.contact.hertz_sphere import HertzImpact, HertzPointContact
from fecontact.reference.contact.hunter import HunterRolling
from fecontact.reference.contact.lame import HollowSphere, ShrinkFit, ThickCylinder
from fecontact.reference.contact.patch_test import PatchTest
from fecontact.reference.contact.ring_in_ring import RingInRing
from fecontact.reference.contact.snap_hook import SnapHook
from fecontact.reference.friction.belt_block import BeltBlock
from fecontact.reference.friction.belt_stribeck import BeltStribeck
from fecontact.reference.friction.carter import CarterRolling
from fecontact.reference.friction.cattaneo_mindlin import CattaneoMindlin
from fecontact.reference.friction.incline import Incline
from fecontact.reference.friction.incline_exponential import InclineExponential
from fecontact.reference.friction.lap_joint import LapJoint
from fecontact.reference.friction.mindlin_loop import MindlinLoop
from fecontact.reference.friction.rate_state_slider import RateStateSlider
from fecontact.reference.friction.rupture import Rupture
from fecontact.reference.friction.slip_patch import SlipPatch
from fecontact.reference.impact.bar_impact import BarOnWall, TwoBars
from fecontact.reference.impact.bouncing_ball import BouncingBall
from fecontact.reference.impact.bouncing_rod import BouncingRod
from fecontact.reference.impact.buckling_stop import BucklingStop
from fecontact.reference.impact.colliding_discs import CollidingDiscs
from fecontact.reference.impact.impact_mode import ImpactMode
from fecontact.reference.impact.impact_oscillator import ImpactOscillator
from fecontact.reference.impact.plastic_wave import PlasticWave
from fecontact.reference.impact.rocking_block import RockingBlock
from fecontact.reference.motion.following_thrust import FollowingThrust
from fecontact.reference.motion.pendulum import PhysicalPendulum
from fecontact.reference.motion.rolling_disc import RollingDisc
from fecontact.reference.motion.spring_orbit import SpringOrbit
from fecontact.reference.motion.wheel_over_bump import WheelOverBump
from fecontact.reference.oscillators.coulomb_oscillator import CoulombOscillator
from fecontact.reference.oscillators.dragged_pair import DraggedPair
from fecontact.reference.oscillators.shaken_block import ShakenBlock
from fecontact.reference.oscillators.zener_oscillator import ZenerOscillator
from fecontact.reference.solids.elastica import Elastica
from fecontact.reference.solids.inflated_tube import InflatedTube
from fecontact.reference.solids.lever import LeverOnStrip
from fecontact.reference.solids.pulsing_tube import PulsingTube
from fecontact.reference.solids.rubber import OgdenStrain, YeohStrain
from fecontact.reference.solids.spinning_disc import SpinningDisc
from fecontact.reference.solids.stuck_block import StuckBlock
from fecontact.reference.solids.uniform_strain import GumBar, UniformStrain
from fecontact.reference.solids.viscoelastic import RelaxingLineContact, StandardSolid
from fecontact.reference.solids.yielding import Flow, YieldingTube, YieldUnderCylinder
from fecontact.reference.wear.worn_circle import WornCircle
from fecontact.reference.wear.worn_obstacle import WornSlider, WornSlot

SOLUTIONS: dict[str, type] = {
    "bar-on-wall": BarOnWall,
    "belt-block": BeltBlock,
    "belt-stribeck": BeltStribeck,
    "bouncing-ball": BouncingBall,
    "bouncing-rod": BouncingRod,
    "buckling-stop": BucklingStop,
    "carter-rolling": CarterRolling,
    "cattaneo-mindlin": CattaneoMindlin,
    "clamped-arch": ClampedArch,
    "colliding-discs": CollidingDiscs,
    "coulomb-oscillator": CoulombOscillator,
    "dragged-pair": DraggedPair,
    "flat-punch": FlatPunch,
    "following-thrust": FollowingThrust,
    "hertz-impact": HertzImpact,
    "hertz-line": HertzLineContact,
    "hertz-sphere": HertzPointContact,
    "hollow-sphere": HollowSphere,
    "hunter-rolling": HunterRolling,
    "impact-mode": ImpactMode,
    "impact-oscillator": ImpactOscillator,
    "glued-block": GluedBlock,
    "incline": Incline,
    "incline-exponential": InclineExponential,
    "lap-joint": LapJoint,
    "lever-on-strip": LeverOnStrip,
    "mindlin-loop": MindlinLoop,
    "patch-test": PatchTest,
    "pendulum": PhysicalPendulum,
    "pulsing-tube": PulsingTube,
    "rate-state-slider": RateStateSlider,
    "relaxing-line-contact": RelaxingLineContact,
    "ring-in-ring": RingInRing,
    "rocking-block": RockingBlock,
    "rolling-disc": RollingDisc,
    "rupture": Rupture,
    "shaken-block": ShakenBlock,
    "shrink-fit": ShrinkFit,
    "slip-patch": SlipPatch,
    "snap-hook": SnapHook,
    "spinning-disc": SpinningDisc,
    "spring-orbit": SpringOrbit,
    "standard-solid": StandardSolid,
    "thick-cylinder": ThickCylinder,
    "two-bars": TwoBars,
    "wheel-over-bump": WheelOverBump,
    "worn-circle": WornCircle,
    "worn-slider": WornSlider,
    "worn-slot": WornSlot,
    "zener-oscillator": ZenerOscillator,
}

__all__ = [
    "SOLUTIONS",
    "BarOnWall",
    "BeltBlock",
    "BeltStribeck",
    "BouncingBall",
    "BouncingRod",
    "BucklingStop",
    "CarterRolling",
    "CattaneoMindlin",
    "ClampedArch",
    "CollidingDiscs",
    "CoulombOscillator",
    "DraggedPair",
    "Elastica",
    "FlatPunch",
    "Flow",
    "FollowingThrust",
    "GumBar",
    "HertzImpact",
    "HertzLineContact",
    "HertzPointContact",
    "HollowSphere",
    "HunterRolling",
    "ImpactMode",
    "ImpactOscillator",
    "Incline",
    "InclineExponential",
    "InflatedTube",
    "LapJoint",
    "LeverOnStrip",
    "MindlinLoop",
    "OgdenStrain",
    "PatchTest",
    "PhysicalPendulum",
    "PlasticWave",
    "PulsingTube",
    "RateStateSlider",
    "RelaxingLineContact",
    "RingInRing",
    "RockingBlock",
    "RollingDisc",
    "Rupture",
    "ShakenBlock",
    "ShrinkFit",
    "SlipPatch",
    "SnapHook",
    "SpinningDisc",
    "SpringOrbit",
    "StandardSolid",
    "StuckBlock",
    "ThickCylinder",
    "TwoBars",
    "UniformStrain",
    "WheelOverBump",
    "WornCircle",
    "WornSlider",
    "WornSlot",
    "YeohStrain",
    "YieldUnderCylinder",
    "YieldingTube",
    "ZenerOscillator",
]
