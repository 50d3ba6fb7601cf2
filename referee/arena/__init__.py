"""Plays many games between bots and says which is stronger, and how sure that is.

`plan` lists the games and `entrants` the bots, `play` plays one game, or `in_process` within a
worker process. `workers` play many at once on this machine, those of `cluster` on others;
`worker_pool` chooses. `store` keeps every result, a row of `rows` as it is read, by `series`: games
that may be compared. `run` ties them together.

`statistics` holds the mathematics, `standings` applies it to a series; `table`, `progress`,
`report` and `charts` show it.
"""
