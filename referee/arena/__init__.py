"""Plays many games between bots and estimates their strengths, with intervals.

`plan` lists the games and `entrants` the bots. `play` plays one game over pipes, `in_process` plays
games inside a worker process. `workers` plays many games at once on this machine, `cluster` on
other machines. `store` keeps every result by `series` of comparable games; `rows` validates the
stored rows when they are read. `run` connects these modules: its loop plays the games of arenas,
leagues and tunings.

`statistics` holds the mathematics. `measures` has the two kinds of standings, by wins and by
scores, and `standings` computes them for a stored series; `table`, `progress`, `report` and
`charts` show them.

A result has five forms: the Log of a match; the Result of a game with its SeatResults; the rows of
the game in the store; the Standings of all games, a Tally or Scores; and the columns of the table
of results.
"""
