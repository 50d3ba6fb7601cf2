"""Statistics of results, independent of files and processes.

`tally` counts results by pairs of bots and by seeds. `plackett_luce` fits strengths to the seeds,
`elo` expresses them as scores and Elo with intervals, and `sprt` is the sequential test.
"""
