"""The cores of a match's bots: an idle bot must not compute on the cores of a thinking one.

If all bots are asked at once and there are enough cores, each gets its own. Else idle bots are
stopped, as CodinGame's engine did.
"""

import os
from dataclasses import dataclass

from referee.log.records import Idle


@dataclass(frozen=True)
class CoreAllocation:
    """The cores of the bots of a match.

    idle: whether idle bots are stopped or confined to their own cores. cores: a list for each
    player, its own or the same for all. shares_cores: True if bots are asked at once on the same
    cores.
    """

    idle: Idle
    cores: list[list[int]]
    shares_cores: bool = False

    def n_cores(self, n_asked: int) -> list[int]:
        """Returns the number of cores that each player has for itself if n_asked are asked."""
        n_sharing = 1 if self.idle is Idle.OWN_CORES else n_asked
        return [max(1, len(cores) // n_sharing) for cores in self.cores]


def allocate_cores(n_players: int, n_asked: int) -> CoreAllocation:
    """Returns the allocation of this process's cores to players, n_asked of them at once."""
    cores = sorted(os.sched_getaffinity(0))
    if n_asked > 1 and n_players <= len(cores):
        return CoreAllocation(
            Idle.OWN_CORES, [sorted(share) for share in share_cores(cores, n_players)]
        )
    return CoreAllocation(Idle.STOPPED, [cores] * n_players, n_asked > 1)


def share_cores(cores: list[int], n_shares: int) -> list[set[int]]:
    """Returns equal shares of cores; if there are more shares than cores, one core each, in
    rotation.
    """
    share = max(1, len(cores) // n_shares)
    return [
        {cores[(number * share + index) % len(cores)] for index in range(share)}
        for number in range(n_shares)
    ]
