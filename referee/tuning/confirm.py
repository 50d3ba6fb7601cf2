"""Whether the values that were found are better than those before: an arena of its own, on seeds that
the tuning has not seen.
"""

from typing import Callable

from referee.arena.entrants import make_entrants
from referee.arena.plan import Plan
from referee.arena.play import Setting
from referee.arena.run import Archive, Arena
from referee.arena.statistics.sprt import Sprt
from referee.arena.store import Store
from referee.arena.workers import Workers
from referee.sources.fingerprint import Fingerprint, fingerprint_command


def confirm(
    store: Store,
    setting: Setting,
    rules: Fingerprint,
    plan: Plan,
    test: Sprt,
    archive: Archive,
    workers: Workers,
    show: Callable[[Arena], None],
) -> Arena:
    """Play the first bot of a setting against the second until the test has a verdict."""
    contents = [fingerprint_command(bot.command) for bot in setting.bots]
    entrants = make_entrants(list(setting.bots), contents=contents)
    store.add_entrants(entrants)
    series = store.series(setting.contest, setting.conditions, rules)
    arena = Arena(series, entrants, plan, store, archive, test, [*contents, rules])
    arena.run(workers, show)
    return arena
