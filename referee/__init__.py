"""Plays matches between bots over pipes, logs them, replays them and shows them.

The command line is `python -m referee --help`; `commands` holds its commands.

`contests` finds a contest, `bots` what to run. `process` runs a bot below a keeper and `procfs` says
what the kernel knows of it; `inbox` cuts what it writes into lines. `exchange` asks it a `question`
under `limits`, `verdict` says what became of it, `blame` whose fault that is. `course` plays a match
turn by turn, whoever answers; `match` lets bots answer. `log` keeps every turn, `summary` says what
it came to. `replay` repeats a bot's turns and `debugger` stops in one, `resimulate` checks a log by
the rules, `import_trace` makes a log of a game played elsewhere (`site_game`, `elsewhere`). `foreign`
has a match led by another referee, `serve` is one for other tools. `arena` plays many matches, `view`
draws one as a `page`, `scaffold` begins a contest.
"""

import sys

if sys.platform != "linux":
    sys.exit(f"referee: {sys.platform}: it needs Linux, on Windows inside WSL")
