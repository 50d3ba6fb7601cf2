"""Continues on this machine's cores if a cluster is lost."""

from collections.abc import Callable

from referee.arena.plan import Game
from referee.arena.workers import NoWorkers, Played, Workers


class FallbackWorkers:
    """The workers of a cluster while there are any, then those made by `make_local`.

    Games not finished by the cluster are played again. tell: is called with the reason.
    """

    def __init__(
        self, cluster: Workers, make_local: Callable[[], Workers], tell: Callable[[str], None]
    ) -> None:
        self.workers, self.make_local, self.tell = cluster, make_local, tell
        self.is_local = False
        # In the order in which they began, including those that wait for a place.
        self.running: list[Game] = []
        self.waiting: list[Game] = []

    def __enter__(self) -> "FallbackWorkers":
        try:
            self.workers.__enter__()
        except NoWorkers as lost:
            self._go_on_locally(lost)
        return self

    def __exit__(self, *why: object) -> None:
        self.workers.__exit__(*why)

    def capacity(self) -> int:
        try:
            return self.workers.capacity()
        except NoWorkers as lost:
            self._leave(lost)
            return self.workers.capacity()

    def start(self, game: Game) -> None:
        self.running.append(game)
        try:
            self.workers.start(game)
        except NoWorkers as lost:
            self._leave(lost)

    def wait(self, seconds: float) -> list[Played]:
        try:
            played = self.workers.wait(seconds)
        except NoWorkers as lost:
            self._leave(lost)
            return []
        for game, *_ in played:
            self.running.remove(game)
            if self.waiting:
                self.workers.start(self.waiting.pop(0))
        return played

    def _leave(self, lost: NoWorkers) -> None:
        """Play the unfinished games here. Raises the error again if they are here already."""
        if self.is_local:
            raise lost
        self.workers.__exit__(None, None, None)
        self._go_on_locally(lost)
        n_places = self.workers.capacity()
        for game in self.running[:n_places]:
            self.workers.start(game)
        self.waiting = self.running[n_places:]

    def _go_on_locally(self, lost: NoWorkers) -> None:
        self.tell(f"{lost}; going on alone")
        self.workers, self.is_local = self.make_local(), True
        self.workers.__enter__()
