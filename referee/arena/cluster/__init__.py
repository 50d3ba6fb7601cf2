"""Plays games on the workers of a dask scheduler.

    python -m dask scheduler      on one machine; it prints its ADDRESS
    onefile worker ADDRESS        on each machine, in any folder
    onefile arena ... --cluster ADDRESS

`scheduler` asks dask for its workers and gives games to each. A worker needs dask and the packages
of the referee, but no checkout. The arena sends `remote_worker` by its source: its functions run
inside of the worker, write the project's files there, and start a process that runs
`remote_program`. That process plays the games, of which it gets the files of bots and rules by
`packaging`.

`calibration` measures the speed of a host, so that limits can fit it. `hosts` tests afterwards if
the hosts played alike. `fallback` goes on with this machine's cores where the cluster is gone.
"""
