"""Plays many games between bots and estimates their strengths, with intervals.

`plan` lists the games and `entrants` the bots, `play` plays one game, or `in_process` within a
worker process. `workers` play many at once on this machine, those of `cluster` on others. `store`
keeps every result by `series` of comparable games; `rows` validates them when they are read. `run`
ties them together: its loop plays games here, in leagues and in tunings.

`statistics` holds the mathematics. `measures` has the two kinds of standings, by wins and by
scores, and `standings` makes them of a stored series; `table`, `progress`, `report` and `charts`
show them.

A result has five forms: the Log of a match, the Result of a game with its SeatResults, its rows in
the store, Standings, which are a Tally or the Scores of all games, and the columns of their table.
"""
