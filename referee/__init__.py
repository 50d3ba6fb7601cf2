"""Plays matches between bots over pipes, logs them, replays them and shows them.

The command line is `python -m referee --help`; `commands` holds its commands.

`contests` finds a contest, `bots` what to run, `process` runs it below a keeper, `inbox` cuts what
it writes into lines, `exchange` asks it for a turn's answer under `limits`, `match` plays a game of
it, `log` keeps every turn, `summary` says what it came to. `replay` repeats a bot's turns and
`debugger` stops in one, `resimulate` checks a log by the rules, `import_trace` makes a log of a
game played elsewhere. `foreign` has a match led by another referee, `serve` is one for other tools.
`arena` plays many matches, `view` draws one, `scaffold` begins a contest.
"""

import sys

if sys.platform != "linux":
    sys.exit(f"referee: {sys.platform}: it needs Linux, on Windows inside WSL")
