"""How fast fecontact is: ratios measured side by side, never promises in seconds.

Times are CPU seconds of one process (other work on the machine delays a process, but is not counted
as its time), medians of several repetitions.
"""
