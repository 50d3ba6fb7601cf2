"""Plays many games between bots and says which is stronger, and how sure that is.

`plan` says which games, `entrants` which bots take part, `play` plays one game, `workers` and
`cluster` many at once, `store` keeps every result in the moment it is there, `run` ties them
together. `tally` counts results, `elo`, `sprt` and `ratings` are the statistics, `standings` what a
series came to; `table`, `progress` and `report` show it.
"""
