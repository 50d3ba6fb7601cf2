"""Kaggle's own page of a match in one of its environments, which the match page shows in a
frame.
"""

import json

from referee.errors import UsageError, shorten
from referee.log.records import Log
from referee.page.official_pictures import Pictures
from referee.play.kaggle import PACKAGE, make
from referee.sources.bots import distinct_names


def kaggle_pictures(log: Log, name: str) -> Pictures:
    """Returns Kaggle's page of a logged match in an environment. Raises UsageError."""
    states = [log.header.state, *(turn.state for turn in log.turns)]
    # The package writes them into a script as they are, which no text in them may end.
    harmless = json.dumps([log.header.setup, states]).replace("<", "\\u2039")
    try:
        setup, states = json.loads(harmless)
        environment = make(
            name,
            configuration=setup["configuration"],
            info={**setup["info"], "TeamNames": distinct_names(log.header.bots)},
            steps=[state["agents"] for state in states],
        )
        text = environment.render(mode="html", playing=False, controls=True)
    except UsageError:
        raise
    except Exception as error:  # of any kind, as the package does not expect a damaged log
        told = f"{type(error).__name__}: {error}"
        raise UsageError(f"{log.source}: {PACKAGE} cannot show it: {shorten(told)}") from error
    return Pictures(text, [[*range(1, len(states) + 1)]], by_step=True)
