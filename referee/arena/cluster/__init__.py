"""Plays games on the workers of a dask scheduler.

    python -m dask scheduler      on one machine; it prints its ADDRESS
    onefile worker ADDRESS        on each machine, in any folder
    onefile arena ... --cluster ADDRESS

`scheduler` asks dask for its workers and gives games to each. A worker needs dask and the packages
of the referee, but no checkout. The arena sends the source of `remote_worker`, whose functions run
inside the worker: they write the project's files there, and start a process that runs
`remote_program`. That process plays the games with the files of bots and rules that `packaging`
sends, and returns a `reply`. `keys` secures the connections.
"""
