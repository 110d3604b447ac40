"""fecontact: how bodies slide, stick, hit and wear against each other in time.

A 2D finite-element contact-dynamics application on FEniCSx, with a lumped-mass module for
single-node cases. All quantities are in SI units; forces in 2D are per metre of depth.
"""

__version__ = "0.1.0"
