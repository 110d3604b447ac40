"""Friction laws for contact of finite elements and of lumped masses.

:mod:`fecontact.friction.laws` contains them, one file each; :mod:`fecontact.friction.strength`
evaluates them in compiled code.
"""

import fecontact.study  # noqa: F401 (imported first, because its tables are built from the laws)
