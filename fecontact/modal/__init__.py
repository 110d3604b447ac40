"""Modal analysis: natural frequencies, mode shapes and the stability of steady sliding.

The motion is linearised about a state of a run. Closed contact nodes stay closed (they are tied
where they stick), open ones stay open.
"""
