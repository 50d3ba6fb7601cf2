"""One match: bots are asked turn by turn under limits, led by the contest's rules or another
referee.

`match` starts and ends a match. `leader` chooses the leader: the contest's rules, an official
engine, a `foreign_referee`, a `scorer`, or an environment of `kaggle`, whose agents `kaggle_agent`
runs. `match_loop` asks and judges the bots of a turn, through `turn_io` with `lateness`, on the
cores of `cores`. `fair_match` repeats a match that the machine spoiled. `trust` decides if a log's
code may run.
"""
