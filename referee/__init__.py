"""Plays matches between bots over pipes, logs them, replays them and shows them.

The command line is `python -m referee --help`. Each package imports only from the packages below it
in this list:

    commands      the commands, one in each file: options in, calls, text out.
    tuning        finds better numbers for a bot by games against itself.
    arena         plays many games: plan, store, statistics, workers, cluster, report.
    replay        repeats, checks, imports and debugs logged matches.
    page          shows a match in a browser, or its summary on a terminal.
    scaffold      writes first contests and bots for a user.
    play          plays one match: its leader, match loop, turn I/O, bot sessions, lateness.
    official      plays matches by the engine of CodinGame's own referees.
    process       runs one bot: supervised, limited, measured.
    sources       finds the files of bots and contests, and computes their fingerprints.
    log           defines the records of a match, their file, and limits.

Below all packages are the modules `errors`, `project`, `terminal`, `status_line`, `option_groups`
and `deferred_signals`.
"""
