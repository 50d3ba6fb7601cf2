"""The commands of `python -m referee`, a module each: options in, calls, text out.

`options`, `lineup` and `arena_options` declare options that several commands share, as dataclasses;
`referee/option_groups.py` gives a command their fields as parameters. A lineup is the contest, the
bots and the referee of a match.
"""
