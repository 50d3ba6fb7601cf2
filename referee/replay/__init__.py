"""Replays logs, and imports games played elsewhere.

`replay` repeats a player's turns with a bot, `debugger` repeats them in Python's debugger.
`resimulate` checks a log by the rules, `verify_official` the rules by an official referee.
`import_game` makes a log of a trace or of a replay of the site, whose files `site_game` reads.
"""
