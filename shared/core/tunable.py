"""Numbers of a bot that tuning may change.

    OPTIONS = Options(holds=(1,) * 6, exploration=tunable("exploration", 0.4, 0.1, 1.2))

reads as 0.4. While the bot runs at home, `CG_PARAMETERS='{"exploration": 0.5}'` gives another
value. The file to paste contains only the number, and kernels are compiled with it.

A kernel bakes in the numbers of modules and closures, so each value would need a new compilation,
in 7 to 11 s. Therefore the bundler makes bundles that are open for tuning (`--open`): kernels read
every number that depends on a tunable one from memory, and the bundle computes it at its start by
the steps that Python took (`4.0 * tunable(...)`). Where Python decides by a number while kernels
are made, as a factory's `max(visits, 1)` does, values of another decision need a bundle of their
own.
"""

import json
import os
from typing import Any

from ..core.jit import open_number

VARIABLE = "CG_PARAMETERS"


def tunable(name: str, value: Any, low: float, high: float, step: float = 0) -> Any:
    """Returns CG_PARAMETERS's value of this name, else `value`.

    An int stays an int. step: values are multiples of it, counted from low; 0 for any value. Only
    the tuner uses it; here a value only has to be within low and high. Ends the program with the
    reason if a value cannot be used.
    """
    if open_number is not None:
        return open_number(name, value)
    text = os.environ.get(VARIABLE)
    if not text:
        return value
    try:
        given = json.loads(text).get(name, value)
    except (ValueError, AttributeError):
        raise SystemExit(f'{VARIABLE} must be like {{"{name}": {value}}}, got {text!r}') from None
    kind = int if type(value) is int else float
    if type(given) not in (int, kind) or not low <= given <= high:
        what = "a whole number" if kind is int else "a number"
        raise SystemExit(f"{VARIABLE}: {name} is {what} from {low} to {high}, got {given!r}")
    return kind(given)
