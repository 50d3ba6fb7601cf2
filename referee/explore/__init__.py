"""Shows the search of a bot: its tree in a logged turn, and the mistakes of a game.

`inspector` is the program that plays a bot's turns again, in a process of its own, and `view` reads
the trees of its searches. `explore` and `review` start that process, the pages show its results.
"""

# The exit status of `inspector` for a bot that cannot be looked into.
REFUSED = 4
