"""The conditions that end a game of Ants (RULES.md, section 7)."""

from ...games.ants.state import HILL_POINTS, N_FOOD, N_HILLS, N_PLAYERS, World, dead_ants

CUTOFF_TURNS, CUTOFF_SHARE = 150, 0.85
NOBODY, FOOD = -2, -3


class Cutoff:
    """Counts the turns without progress: one holder dominates, and no hill was razed or
    attacked.
    """

    def __init__(self) -> None:
        self.holder, self.turns = NOBODY, 0

    def count(self, world: World, turn: int) -> None:
        """Count a turn that has been played."""
        if any(world.hill_razed[hill] == turn for hill in range(world.numbers[N_HILLS])):
            self.turns = 0
        holder = self._holder(world)
        if holder != self.holder or holder == NOBODY:
            self.holder, self.turns = holder, int(holder != NOBODY)
        elif not self._hill_was_held(world, turn):
            self.turns += 1

    def _holder(self, world: World) -> int:
        counts = {
            player: int(world.n_ants_of[player])
            for player in range(world.numbers[N_PLAYERS])
            if world.n_ants_of[player]
        }
        for owner in live_hills(world):
            counts[owner] = counts.get(owner, 0) + int(world.hives[owner])
        counts[FOOD] = int(world.numbers[N_FOOD])
        total = sum(counts.values())
        for holder, count in counts.items():
            if count >= CUTOFF_SHARE * total:
                return holder
        return NOBODY

    def _hill_was_held(self, world: World, turn: int) -> bool:
        """Returns True if an ant died on a hill that stood before the turn and is not the
        holder's.
        """
        hills = {
            world.hill_cells[hill]
            for hill in range(world.numbers[N_HILLS])
            if world.hill_owners[hill] != self.holder
            and (world.hill_razers[hill] < 0 or world.hill_razed[hill] == turn)
        }
        return any(cell in hills for cell, _ in dead_ants(world))


def live_hills(world: World) -> list[int]:
    """Returns the owner of each hill that is not razed."""
    return [
        int(world.hill_owners[hill])
        for hill in range(world.numbers[N_HILLS])
        if world.hill_razers[hill] < 0
    ]


def is_rank_stable(world: World, alive: list[int]) -> bool:
    """Returns True if no living player with a hill can still change ranks with another player."""
    owners = live_hills(world)
    for player in alive:
        if player not in owners:
            continue
        most = world.scores[player] + HILL_POINTS * (len(owners) - owners.count(player))
        for other in range(world.numbers[N_PLAYERS]):
            least = world.scores[other] - owners.count(other)
            behind = world.scores[player] - world.scores[other]
            if other != player and (
                (behind < 0 and most >= least) or (behind == 0 and most > least)
            ):
                return False
    return True


def why_over(world: World, cutoff: Cutoff, alive: list[int], is_last: bool) -> str | None:
    """Returns the reason for the end in the engine's words, None while the game goes on."""
    if not alive:
        return "extermination"
    if len(alive) == 1:
        return "lone survivor"
    if cutoff.turns >= CUTOFF_TURNS:
        return "food not being gathered" if cutoff.holder == FOOD else "ants not razing hills"
    if is_rank_stable(world, alive):
        return "rank stabilized"
    return "turn limit reached" if is_last else None
