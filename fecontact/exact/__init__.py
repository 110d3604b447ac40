"""Reference solutions: closed-form and event-driven, independent of the rest of the package.

Each solution is a frozen dataclass whose fields are its physical parameters (SI units). A
time-dependent one has ``history(t)``, a distribution over a surface ``profile(x)``; both return
named arrays. ``SOLUTIONS`` lists them under the names that studies use.
"""

from __future__ import annotations

from fecontact.exact.arch import ClampedArch
from fecontact.exact.bar_impact import BarOnWall, TwoBars
from fecontact.exact.belt_block import BeltBlock
from fecontact.exact.belt_stribeck import BeltStribeck
from fecontact.exact.bouncing_ball import BouncingBall
from fecontact.exact.bouncing_rod import BouncingRod
from fecontact.exact.buckling_stop import BucklingStop
from fecontact.exact.carter import CarterRolling
from fecontact.exact.cattaneo_mindlin import CattaneoMindlin
from fecontact.exact.colliding_discs import CollidingDiscs
from fecontact.exact.coulomb_oscillator import CoulombOscillator
from fecontact.exact.dragged_pair import DraggedPair
from fecontact.exact.elastica import Elastica
from fecontact.exact.flat_punch import FlatPunch
from fecontact.exact.following_thrust import FollowingThrust
from fecontact.exact.glued_block import GluedBlock
from fecontact.exact.hertz import HertzLineContact
from fecontact.exact.hertz_sphere import HertzImpact, HertzPointContact
from fecontact.exact.hunter import HunterRolling
from fecontact.exact.impact_mode import ImpactMode
from fecontact.exact.impact_oscillator import ImpactOscillator
from fecontact.exact.incline import Incline
from fecontact.exact.incline_exponential import InclineExponential
from fecontact.exact.inflated_tube import InflatedTube
from fecontact.exact.lame import HollowSphere, ShrinkFit, ThickCylinder
from fecontact.exact.lap_joint import LapJoint
from fecontact.exact.lever import LeverOnStrip
from fecontact.exact.mindlin_loop import MindlinLoop
from fecontact.exact.patch_test import PatchTest
from fecontact.exact.pendulum import PhysicalPendulum
from fecontact.exact.plastic_wave import PlasticWave
from fecontact.exact.pulsing_tube import PulsingTube
from fecontact.exact.rate_state_slider import RateStateSlider
from fecontact.exact.ring_in_ring import RingInRing
from fecontact.exact.rocking_block import RockingBlock
from fecontact.exact.rolling_disc import RollingDisc
from fecontact.exact.rubber import OgdenStrain, YeohStrain
from fecontact.exact.rupture import Rupture
from fecontact.exact.shaken_block import ShakenBlock
from fecontact.exact.slip_patch import SlipPatch
from fecontact.exact.snap_hook import SnapHook
from fecontact.exact.spinning_disc import SpinningDisc
from fecontact.exact.spring_orbit import SpringOrbit
from fecontact.exact.stuck_block import StuckBlock
from fecontact.exact.uniform_strain import GumBar, UniformStrain
from fecontact.exact.viscoelastic import RelaxingLineContact, StandardSolid
from fecontact.exact.wheel_over_bump import WheelOverBump
from fecontact.exact.worn_circle import WornCircle
from fecontact.exact.worn_obstacle import WornSlider, WornSlot
from fecontact.exact.yielding import Flow, YieldingTube, YieldUnderCylinder
from fecontact.exact.zener_oscillator import ZenerOscillator

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
