"""The commands of `python -m referee`, a module each: options in, calls, text out.

`options/` declares the options that several commands share, as dataclasses;
`referee/option_groups.py` gives a command their fields as parameters.
"""
