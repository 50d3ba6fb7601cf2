"""Statistics of results, independent of files and processes.

`tally` counts results by pairs of bots and by seeds. `plackett_luce` fits strengths to the counts
by seeds, and `elo` expresses strengths as scores and Elo with intervals. `scores` has the means and
leads of bots that play alone. `sprt` is the sequential test.
"""
