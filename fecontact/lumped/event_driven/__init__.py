"""Exact scheme: event-driven, each phase in closed form, Coulomb friction with rigid stick.

`phase` builds the linear equations between two events, `series` their solution and the roots of the
event functions, `switch` the change of status at an event, `march` the loop.
"""
