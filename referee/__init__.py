"""Plays matches between bots over pipes, logs them, replays them and shows them.

The command line is `python -m referee --help`; `commands` holds its commands.

`contests` finds a contest, `bots` what to run. `process` is a running bot, in one of the `folders`, on
`cores` that are lent to it; `keepers` has it started and ended by the program `keeper`. `meter` says
what it uses, from what the kernel knows (`procfs`); `inbox` cuts what it writes into lines. `exchange`
asks the bots of a turn their `question`s under `limits`, each in a `dialogue`; `verdict` says what
became of it, `blame` whose fault that is, `buffering` whether an answer may be stuck. `course` plays a
match turn by turn, whoever answers; `match` lets bots answer, `fair` plays it again where the machine
spoiled it. `log` keeps every turn, `summary` says what it came to. `replay` repeats a bot's turns and
`debugger` stops in one, `resimulate` checks a log by the rules, `import_trace` makes a log of a game
played elsewhere (`site_game`, `elsewhere`). `foreign` has a match led by another referee, `serve` is one
for other tools. `arena` plays many matches, `view` draws one as a `page`, `scaffold` begins a contest.
"""

import sys

if sys.platform != "linux":
    sys.exit(f"referee: {sys.platform}: it needs Linux, on Windows inside WSL")
