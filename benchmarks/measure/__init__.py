"""Benchmarks: ratios measured side by side, not times in seconds.

Times are CPU seconds of one process (other work on the machine delays a process, but is not counted
as its time), medians of several repetitions.
"""
