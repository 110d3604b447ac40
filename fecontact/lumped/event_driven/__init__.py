"""The exact scheme: from event to event, each phase in closed form, ideal Coulomb friction.

`phase` writes the linear equations between two events, `series` their solution and the zeros of
what ends them, `switch` the change of status at an event, `march` the loop.
"""
