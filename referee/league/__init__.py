"""A standing league: plays the bots of a folder for as long as it runs, and serves one page.

`folder` finds the bots, `versions` copies each version and remembers its lineage, `pairing` chooses
the next game, `rounds` plays it through an arena, and `league` ties them together. `state` makes the
page's data, `queries` reads stored games, `live` follows running ones, and `server` serves all of
it. Plans, store, workers and statistics are the arena's.
"""
