"""Friction laws: how strong friction is, for contact of finite elements and of lumped masses.

:mod:`fecontact.friction.laws` has them, one file each; :mod:`fecontact.friction.strength` asks any
of them from compiled code.
"""

import fecontact.study  # noqa: F401 (its tables are made of the laws, and it must be there first)
