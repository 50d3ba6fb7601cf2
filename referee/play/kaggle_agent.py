"""Runs a Python file as Kaggle does, for the referee: `python kaggle_agent.py main.py`.

The program reads the configuration as a line of JSON, then one observation a line, and writes each
action as a line of JSON. The file's last callable object is the agent, called with as many of
(observation, configuration) as it takes. The file is loaded at the first observation, as the limit
of the first turn includes the loading. The agent's prints go to stderr, and its stdin is empty.
Source: `get_last_callable` and `Agent.act` of kaggle-environments 1.33.

The program stands alone: the bot's Python need not have the referee's packages.
"""

import json
import os
import sys
from typing import Any, Callable, Dict


class Struct(Dict[str, Any]):
    """An object of JSON, whose entries are attributes as well."""

    def __init__(self, entries: Dict[str, Any]) -> None:
        super().__init__(entries)
        self.__dict__.update(entries)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = self[name] = value


def load(path: str) -> Callable[..., Any]:
    """Returns the last callable object of a file, which may import modules beside it. Exits without
    one.
    """
    names: Dict[str, Any] = {}
    with open(path, encoding="utf-8") as file:
        code = compile(file.read(), path, "exec")
    sys.path.append(os.path.dirname(path))
    exec(code, names)
    sys.path.pop()
    agents: list[Callable[..., Any]] = [value for value in names.values() if callable(value)]
    if not agents:
        sys.exit(f"{path} has no function agent(observation, configuration)")
    return agents[-1]


def main(path: str) -> None:
    """Answer every observation until the input ends."""
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    told, agent = questions.readline(), None
    for observation in iter(questions.readline, ""):
        agent = agent or load(path)
        # A new one each time, as an agent may change it.
        configuration = json.loads(told, object_hook=Struct)
        configuration["__raw_path__"] = path
        arguments = [json.loads(observation, object_hook=Struct), configuration]
        code = getattr(agent, "__code__", None)
        action = agent(*(arguments[: code.co_argcount] if code else arguments))
        sys.stdout.flush()
        print(json.dumps(action), file=answers, flush=True)


if __name__ == "__main__":
    del sys.path[0]  # the referee's folder, whose modules would hide those of the agent
    main(sys.argv[1])
