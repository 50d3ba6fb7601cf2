"""Plays matches between bots over pipes, logs them, replays them and shows them.

The command line is `python -m referee --help`. Its packages, each of which imports only from those
below:

    commands      one command a file: options in, calls, text out.
    tuning        finds better numbers for a bot by games against itself.
    arena         many games: plan, store, statistics, workers, cluster, report.
    replay        logs replayed, checked, imported, debugged.
    page          a match in a browser, or as a summary on a terminal.
    scaffold      first contests and bots, written for a user.
    play          one match: its leader, match loop, turn I/O, bot sessions, lateness.
    official      the engine of CodinGame's own referees.
    process       one running bot: supervised, limited, measured.
    sources       the files of bots and contests, and their fingerprints.
    log           records of a match, their file, limits.

Below all of them: `errors`, `project`, `terminal`, `status_line`, `option_groups`,
`deferred_signals`.
"""
