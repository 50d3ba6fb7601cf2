"""Plays matches between bots over pipes, logs them, replays them and shows them.

The command line is `python -m referee --help`.

`contests` finds a contest, `bots` what to run, `process` runs it, `exchange` asks it for a turn's
answer under `limits`, `match` plays a game of it, `log` keeps every turn, `replay` repeats a bot's
turns, `import_trace` makes a log of a game played elsewhere, `view` draws them; `__main__` is the command line.
"""
