"""A bot for Kaggle's simulation contests, which call `agent(observation, configuration)`.

Such a bot reads the configuration as a line of JSON, then each observation, and writes each action
as a line. Its file is a `main.py` for Kaggle if it ends with

    agent = make_agent(new_player)

as Kaggle calls the last callable object of a file. Such a file does not call `run` itself: Kaggle
executes it, and its standard input is not the game's. Source: `get_last_callable` and `Agent.act`
of kaggle-environments 1.33.
"""

import json
import os
from typing import Any, Callable, Dict, List, Tuple

from ..core.loop import run


def read_json(read_line: Callable[[], str]) -> Any:
    """Returns the data of the next line, None at the end of the input."""
    line = read_line()
    return json.loads(line) if line else None


def make_agent(new_player: Callable[[Callable[[], str]], Any]) -> Callable[..., Any]:
    """Returns Kaggle's function of a bot. new_player: as `shared.core.loop.run` takes it.

    A step that is not later than the step before begins another game. With CG_STDIN=1, as in the
    check of a bundle, the bot plays by its standard input and output at once.
    """
    lines: List[str] = []
    player: Tuple[Any, ...] = ()
    step = -1

    def agent(observation: Dict[str, Any], configuration: Dict[str, Any]) -> Any:
        nonlocal player, step
        if not player or observation["step"] <= step:
            lines[:] = [json.dumps(configuration)]
            player = new_player(lambda: lines.pop(0))
        step = observation["step"]
        lines[:] = [json.dumps(observation)]
        read_turn, choose, *clocks = player
        read_turn()
        for clock in clocks:
            clock.start()
        [answer] = choose()
        for clock in clocks:
            clock.report()
        return json.loads(answer)

    if os.environ.get("CG_STDIN") == "1":
        run(new_player)
    return agent
