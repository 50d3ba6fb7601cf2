"""A standing league: plays the bots of a folder for as long as it runs, and serves one page.

`scanner` looks at the folder, in which `folder` finds the bots; `versions` copies each version and
keeps its lineage, which `version_table` stores beside the games. `plan` chooses the next games, by
`pairing`, and `league` plays them by the arena's run. `state` makes the page's data, `queries`
reads stored games, `live` follows running ones, `server` serves all of it, and `web` guards it.
`watch` writes the line of the terminal. Run, store, workers and statistics are the arena's.
"""
