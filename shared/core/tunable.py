"""Numbers of a bot that tuning may change.

    OPTIONS = Options(holds=(1,) * 6, exploration=tunable("exploration", 0.4, 0.1, 1.2))

reads as 0.4. While the bot runs at home, `CG_PARAMETERS='{"exploration": 0.5}'` gives another
value. In the file to paste there is the number alone, and kernels are compiled with it.

A kernel keeps the numbers that it reads of modules and closures, so another one would have to be
compiled for each value, in 7 to 11 s. Therefore the bundler makes a bundle that is open for tuning
(`--open`): whatever number of a kernel depends on a tunable one is read from memory there, into
which the bundle writes at its start what Python has computed from the values given. It finds these
numbers by importing the bot twice, with other values; so they may be derived from tunable ones in
any way (`4.0 * tunable(...)`, a factory's `max(visits, 1)`), and nothing has to be handed on to the
search.
"""

import json
import os
from typing import Any

VARIABLE = "CG_PARAMETERS"


def tunable(name: str, value: Any, low: float, high: float, step: float = 0) -> Any:
    """The value given from outside under this name, else `value`.

    An int stays one. step: what values are multiples of, counted from low; 0 for any. It is for who
    chooses values: here it only matters that they are within low and high. Ends the program where a
    value cannot be used, with a line that says why.
    """
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
