"""One match: bots asked turn by turn under limits, led by the rules or another referee.

`match` starts and ends it. `leader` chooses who leads: the contest's rules, an official engine, a
`foreign_referee`, or a `scorer`. `match_loop` asks and judges the bots of a turn, through `turn_io`
with `lateness`, on the cores of `cores`. `fair_match` repeats a match that the machine spoiled.
`trust` decides if a log's code may run.
"""
