"""The program that plays a bot's logged turns again and reads its searches, in its own process.

It watches the kernels of `shared/search` that the bot makes: their game, setup, position, tree and
nodes. So bots need no code for it. In the requested turns the tree is read by a view (`view.py`),
and fresh trees are searched: after other actions, or with more nodes.

Its argument is the name of a JSON file, the request, which `explore.py` and `review.py` write. It
appends its results to the file that the request names, one JSON line each.
"""

import importlib
import importlib.util
import json
import signal
import sys
from dataclasses import replace
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Iterator

from referee.explore import REFUSED
from referee.explore.view import (
    MOST_TREES,
    View,
    Watched,
    copied,
    is_shown,
    new_tree_of,
    searches,
    walk,
)
from referee.parent_death import signal_when_parent_ends
from shared.core.game import CHANCE, AlternatingGame
from shared.core.jit import kernel
from shared.search import proof_number

# Looks at a search while it runs, for the chart of its values.
N_LOOKS = 40
# Children shown in the chart.
N_CHARTED = 8
EXPLAIN = "explain"
# A proof that a position is lost may generate so many nodes for each one of the long search; one
# takes a fifth of the time of an iteration of UCT. Plies of its lines, and bits of its table.
PROOF_NODES = 40
PROOF_PLIES, MOST_TABLE_BITS = 400, 22
# A value of this part of a lost position's looks lost.
NEARLY = 0.95
# Other actions of the turn that lost a game, each searched again.
MOST_OTHERS = 12
# Searches whose `best_action` is the answer, if the players move in turns.
LED = ("mcts", "alphabeta")


class Refused(Exception):
    """The bot cannot be inspected; the text gives advice."""


class Watch:
    """Records the searches of a bot.

    used: the searches of a turn in the order of their first calls. look: is called while a search
    of this turn runs, None outside of the requested turn.
    """

    def __init__(self, modules: list[ModuleType]) -> None:
        self.made: dict[int, tuple[Any, ...]] = {}
        self.kept: dict[str, tuple[Any, ...]] = {}
        self.functions: list[Any] = []  # keeps their ids from being used again
        self.used: dict[int, Watched] = {}
        self.unseen: set[str] = set()  # searches without a view that ran
        self.ran: list[int] = []  # turns in which a search ran
        self.look: Callable[[Any], None] | None = None
        # Replaces a search's action by the logged one, so that the bot goes the way of the game.
        self.lead: Callable[[Any, int], int] | None = None
        for module in modules:
            self._patch(module)
        jit = importlib.import_module("shared.core.jit")
        jit.kernel = self._watched_kernel(jit.kernel)  # type: ignore[attr-defined]

    def _patch(self, module: ModuleType) -> None:
        """Record the arguments of each call of a module's `make_search` and `new_tree`."""
        make = module.make_search

        @wraps(make)
        def make_search(*arguments: Any, **named: Any) -> Any:
            function = make(*arguments, **named)
            self.functions.append(function)
            self.made[id(function)] = (*arguments, *named.values())
            return function

        module.make_search = make_search  # type: ignore[attr-defined]
        best = getattr(module, "best_action", None)
        if best is not None and module.__name__.endswith(LED):
            module.best_action = self._led(best)  # type: ignore[attr-defined]
        if new := new_tree_of(module):
            setattr(module, new.__name__, self._noted(module, new))

    def _noted(self, module: ModuleType, new: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(new)
        def make_tree(*arguments: Any, **named: Any) -> Any:
            self.kept[module.__name__] = (*arguments, *named.values())
            return new(*arguments, **named)

        return make_tree

    def _led(self, best: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(best)
        def best_action(tree: Any, *arguments: Any, **named: Any) -> Any:
            action = best(tree, *arguments, **named)
            lead, self.lead = self.lead, None  # views call this function too
            if lead is not None and action is not None:
                action = lead(tree, action)
            self.lead = lead
            return action

        return best_action

    def _watched_kernel(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(kernel)
        def watched_kernel(signature: Any) -> Any:
            compiled = kernel(signature)
            made = self.made.get(id(signature))
            if made is None:
                return compiled
            module = sys.modules[signature.__module__]
            if not is_shown(module):

                @wraps(compiled)
                def unseen(*arguments: Any) -> Any:
                    self.unseen.add(module.__name__)
                    return compiled(*arguments)

                return unseen

            @wraps(compiled)
            def search(setup: Any, root: Any, tree: Any, n: int) -> None:
                if module.__name__.endswith(".sampler"):  # search(field, trees, n_agents, n)
                    root, tree = tree, root
                self._called(signature, module, made, compiled, setup, root, tree, n)

            return search

        return watched_kernel

    def _called(
        self,
        function: Any,
        module: ModuleType,
        made: tuple[Any, ...],
        compiled: Any,
        setup: Any,
        root: Any,
        tree: Any,
        n: int,
    ) -> None:
        watched = self.used.get(id(function))
        if watched is None:
            watched = Watched(module, made, compiled, self.kept[module.__name__])
            watched.tree = tree
            if watched.name in ("smitsimax", "simultaneous_uct"):
                watched.priors = tree.priors.copy()
            if hasattr(module, "allot"):
                watched.is_allotted = int(tree.counters[module.BUDGET]) > 0
            self.used[id(function)] = watched
        watched.setup, watched.tree = setup, tree
        watched.root = root if isinstance(root, int) else root.copy()
        if self.look is None:
            watched.search(n)
            return
        for share in looks_of(watched, n):
            watched.search(share)
            self.look(watched)


def looks_of(watched: Watched, n: int) -> list[int]:
    """Returns the numbers of nodes to search before each look at a search; a beam with a budget is
    searched in one call.
    """
    return parts(n, 1 if hasattr(watched.module, "allot") else N_LOOKS)


def parts(n: int, most: int) -> list[int]:
    """Returns n as the sum of at most `most` numbers, the first ones small."""
    ends = sorted({max(1, round(n * ((i + 1) / most) ** 2)) for i in range(most)})
    return [end - begin for begin, end in zip([0, *ends], ends)]


class Explained:
    """Explains a bot's actions in words and its positions as boards, by `explain.py` beside the
    bot.

    player, n_players: the bot's seat, and the number of seats.
    """

    def __init__(self, source: Path, player: int = 0, n_players: int = 2) -> None:
        self.module: Any = None
        self.player_number, self.n_players = player, n_players
        if (source.parent / f"{EXPLAIN}.py").is_file():
            self.module = importlib.import_module(f"bots.{source.parent.name}.{EXPLAIN}")

    def word(self, view: Any, state: Any, number: int, action: Any) -> str:
        if isinstance(action, tuple):
            return self.joint(view, state, number, action)
        if self.module is None or isinstance(action, str) or state is None:
            return str(action)
        return str(self.module.word(view.watched.setup, state, number, action))

    def joint(self, view: Any, state: Any, number: int, pairs: Any) -> str:
        """Returns the other players' actions as text, or the own action if there is no other
        player.
        """
        viewer = getattr(view, "viewer", number)
        parts = [
            f"{self.name(agent)}: {self.word(view, state, agent, action)}"
            for agent, action in pairs
            if agent != viewer
        ]
        return ", ".join(parts) or self.word(view, state, viewer, pairs[0][1])

    def seats(self) -> list[int]:
        """Returns the seat of each player of the bot's positions. In positions with the bot as
        player 0 (`OWN_FIRST`), the other players follow in the order of seats.
        """
        seats = list(range(self.n_players))
        first = self.player_number if getattr(self.module, "OWN_FIRST", False) else 0
        return seats[first:] + seats[:first]

    def name(self, agent: int) -> str:
        """Returns the name of an agent; texts in `AGENTS` may have the seats in braces."""
        known, seats = getattr(self.module, "AGENTS", ()), self.seats()
        if agent == CHANCE:
            return "chance"
        if agent < len(known):
            return str(known[agent]).format(*seats)
        return f"player {seats[agent] if agent < len(seats) else agent}"

    def scene(self, view: Any, state: Any, action: Any) -> Any:
        """Returns (setup, snapshot) for the contest's render; None if `explain.py` gives none."""
        if self.module is None or not hasattr(self.module, "scene") or state is None:
            return None
        if isinstance(action, tuple):
            action = dict(action).get(getattr(view, "viewer", 0))
        words = view.watched.setup, state, action
        is_own_first = getattr(self.module, "OWN_FIRST", False)
        return self.module.scene(*words, *([self.seats()] if is_own_first else []))

    def names(self, view: Any) -> list[str]:
        if hasattr(self.module, "name"):
            setup = view.watched.setup
            return [str(self.module.name(setup, number)) for number in range(len(view.names))]
        if len(getattr(self.module, "AGENTS", ())) == len(view.names) > 1:
            return [self.name(number) for number in range(len(view.names))]
        return list(view.names)

    def own(self, view: Any) -> list[int]:
        """Returns the numbers of the trees of the bot's own agents: `OWN`, or `own(setup)` if they
        vary.
        """
        if hasattr(self.module, "own"):
            return list(self.module.own(view.watched.setup))
        agents = [agent for agent in getattr(self.module, "OWN", (0,)) if agent < len(view.names)]
        return agents or [0]


class Player:
    """The bot, played turn by turn with the logged nodes."""

    def __init__(self, source: Path, watch: Watch, explained: Explained) -> None:
        self.module = load(source)
        self.watch, self.explained = watch, explained
        self.lines: list[str] = []

    def begin(self, lines: list[str]) -> None:
        """Begin a game. lines: the input of the first turn, a part of which some bots read here."""
        self.lines, self.is_fed = list(lines), True
        read_turn, choose, *clocks = self.module.new_player(self.read_line)
        if not clocks:
            raise Refused("the bot has no clock, so it does not search")
        self.read_turn, self.choose, self.clock = read_turn, choose, clocks[0]

    def read_line(self) -> str:
        return self.lines.pop(0) + "\n" if self.lines else ""

    def turn(self, lines: list[str], nodes: int, logged: list[str] | None) -> list[str]:
        """Returns the answer to a turn's input, by a search of `nodes` nodes.

        The bot continues as if it had given the answer `logged`, if that is an action of its
        search.
        """
        self.watch.used, self.watch.unseen = {}, set()
        self.was_led = False

        def lead(tree: Any, action: int) -> int:
            if logged is None:
                return action
            chosen = self.logged_action(tree, action, " ".join(logged))
            self.was_led = chosen != action
            return chosen

        self.watch.lead = lead
        if not self.is_fed:
            self.lines += lines
        self.is_fed = False
        if self.clock is not None:
            self.clock.budgets = [nodes]
        if not self.read_turn():
            raise Refused("the input ends before the turn")
        self.clock.start()
        return [str(line) for line in self.choose()]

    def agrees(self, answer: list[str], logged: list[str] | None) -> bool:
        """Returns True if the bot's own answer, before it was replaced, is the logged answer, or if
        there is no logged answer.
        """
        if logged is None:
            return True
        return answer == logged and not self.was_led

    def logged_action(self, tree: Any, action: int, text: str) -> int:
        """Returns the action that a logged answer names, `action` if the search has none like
        it.
        """
        for watched in self.watch.used.values():
            if watched.tree is tree:
                view = View(watched)
                state, rows = view.open(view.roots()[0])
                for row in rows:
                    if same_words(self.explained.word(view, state, 0, row.action), text):
                        return int(row.action)
        return action


def same_words(word: str, text: str) -> bool:
    """Returns True if a logged answer names an action, perhaps with a message after it."""
    return text.split()[: len(word.split())] == word.split()


def load(source: Path) -> Any:
    """Returns the module of a bot's source. Raises Refused if it has no `new_player`."""
    sys.path.insert(1, str(source.parent))
    spec = importlib.util.spec_from_file_location("explored_bot", source)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["explored_bot"] = module
    spec.loader.exec_module(module)
    if not hasattr(module, "new_player"):
        raise Refused(
            f"{source.name} has no new_player(read_line), as the bots of `onefile new` have: "
            "only such a bot can be looked into"
        )
    return module


def tree_data(
    view: Any, number: int, explained: Explained, limits: dict[str, int]
) -> dict[str, Any]:
    """Returns a tree as plain data.

    nodes: rows of (parent, index of the action in `words`, visits, value, prior, bound, proven,
    mark, depth, number of children, number of children without a value), the heaviest first.
    scenes: the positions of the first nodes, [node, setup, snapshot]. line: the expected line.
    """
    nodes: list[list[Any]] = []
    scenes: list[list[Any]] = []
    before: dict[int, Any] = {}
    words: dict[str, int] = {}
    for index, parent, row, state, n_children, n_unseen in walk(view, number, limits["nodes"]):
        before[index] = state
        if row is None:
            columns = [-1, "", None, None, None, None, 0, "", None, n_children, n_unseen]
        else:
            word = explained.word(view, before[parent], number, row.action)
            columns = [
                parent,
                words.setdefault(word, len(words)),
                row.visits,
                digits(row.value),
                digits(row.prior),
                digits(row.bound),
                int(row.proven),
                row.mark,
                row.depth,
                n_children,
                n_unseen,
            ]
        nodes.append(columns)
        if len(scenes) < limits["scenes"]:
            scene = explained.scene(view, state, None if row is None else row.action)
            if scene is not None:
                scenes.append([index, *scene])
    state, line = before[0], []
    for ply, action in enumerate(view.line(number)):
        line.append(explained.word(view, state, number, action))
        state = None if state is None else view.after(state, number, action, ply)
    return {
        "name": explained.names(view)[number],
        "own": number in explained.own(view),
        "nodes": nodes,
        "words": list(words),
        "scenes": scenes,
        "line": line,
    }


def digits(number: float | None) -> float | None:
    """Returns a number rounded to six significant digits, None for None."""
    return None if number is None else float(f"{number:.6g}")


class Looks:
    """Records the values of a search's root actions while it runs, for the bot's first agent."""

    def __init__(self, explained: Explained) -> None:
        self.explained = explained
        self.points: list[tuple[int, dict[str, tuple[Any, Any]], str | None]] = []

    def look(self, watched: Any) -> None:
        view = View(watched)
        self.own = self.explained.own(view)[0]
        state, rows = view.open(view.roots()[self.own])
        best = max(rows, key=lambda row: row.weight or 0.0, default=None)
        values = {
            self.explained.word(view, state, self.own, row.action): (
                digits(row.value),
                row.visits if row.visits is not None else row.depth,
            )
            for row in rows
            if row.value is not None
        }
        chosen = view.line(self.own)
        first = self.explained.word(view, state, self.own, chosen[0]) if chosen else None
        if best is not None:
            self.points.append((watched.n, values, first))

    def data(self) -> list[Any]:
        """Returns [nodes, best action, {action: [value, visits or depth]}] of each look."""
        if not self.points:
            return []
        last = self.points[-1][1]
        order = sorted(last, key=lambda word: -(last[word][1] or 0))
        firsts = {first for _, _, first in self.points if first is not None}
        kept = {*order[:N_CHARTED], *firsts}
        return [
            [n, first, {word: pair for word, pair in values.items() if word in kept}]
            for n, values, first in self.points
        ]


def search_data(
    watched: Any, explained: Explained, limits: dict[str, int], looks: list[Any]
) -> dict[str, Any]:
    """Returns a search as plain data: its trees, counts and looks."""
    view, agents = View(watched), explained.own(View(watched))
    numbers = sorted(range(len(view.names)), key=lambda number: number not in agents)[:MOST_TREES]
    # The page has room for so much in all.
    each = {name: max(limit // len(numbers), min(limit, 20)) for name, limit in limits.items()}
    trees = [tree_data(view, number, explained, each) for number in sorted(numbers)]
    return {
        "search": watched.name,
        "unit": view.unit,
        "counts": view.counts(),
        "granted": watched.n,
        "value": best_value(view, agents[0]),
        "trees": trees,
        "looks": looks,
    }


def best_value(view: Any, number: int) -> float | None:
    """Returns the value of the action that a search would play, None if there is none yet."""
    line = view.line(number)
    rows = view.open(view.roots()[number])[1] if line else []
    return next((digits(row.value) for row in rows if row.action == line[0]), None)


def play_up_to(player: Player, turns: list[Any]) -> int | None:
    """Play turns as logged. Returns the number of the first turn with another answer, or None."""
    differs = None
    for number, lines, output, nodes in turns:
        answer = player.turn(lines, max(nodes or 1, 1), output)
        if player.watch.used:
            player.watch.ran.append(number)
        if not player.agrees(answer, output) and differs is None:
            differs = number
    return differs


def searched(watch: Watch, number: int) -> list[Any]:
    """Returns the searches of the turn just played. Raises Refused if there are none."""
    trees = list(watch.used.values())
    if trees:
        return trees
    for name in sorted(watch.unseen):
        raise Refused(
            f"{name} ran in turn {number}, and has no show_nodes(search, node, state) to show its"
            " tree: docs/how-to/find-a-mistake.md describes it"
        )
    if watch.ran:
        raise Refused(
            f"in turn {number} the bot did not search: it plays a plan or a proven value of an"
            f" earlier turn; look into turn {watch.ran[-1]}"
        )
    raise Refused(
        f"up to turn {number} none of the searches of shared/search ran, so there is nothing to"
        " look into: the bot decides without a search, or by one of its own"
    )


def explore(request: dict[str, Any], source: Path, watch: Watch) -> Iterator[dict[str, Any]]:
    """Yields the searches of the last turn of a request, then a search for each of its `plays`.

    Raises Refused if the turn cannot be repeated, did not search, or lacks an action.
    """
    explained = Explained(source, request["player"], request["n_players"])
    player = Player(source, watch, explained)
    *earlier, (number, lines, output, nodes) = request["turns"]
    if not nodes:
        raise Refused(
            f"turn {number} has no node count, so it cannot be repeated exactly: the bot has no"
            " clock that reports one, or does not search"
        )
    player.begin(request["turns"][0][1])
    differs = play_up_to(player, earlier)
    factor, limits = request["factor"], request["limits"]
    looks = Looks(explained)
    watch.look = looks.look
    answer = player.turn(lines, max(1, round(nodes * factor)), None)
    watch.look = None
    trees = searched(watch, number)
    same = None if output is None else answer == output
    yield {
        "turn": number,
        "answer": answer,
        "logged": output,
        "same": same,
        "differs": differs,
        "nodes": nodes,
        "factor": factor,
        "searches": [
            search_data(tree, explained, limits, looks.data() if i == 0 else [])
            for i, tree in enumerate(trees)
        ],
    }
    for word in request["plays"]:
        yield what_if(trees[0], explained, word, limits)


def what_if(
    watched: Any, explained: Explained, word: str, limits: dict[str, int]
) -> dict[str, Any]:
    """Returns the search of the position after the action `word`, with as many nodes as the bot's
    search. Raises Refused.
    """
    view = View(watched)
    agent = explained.own(view)[0]
    state, rows = view.open(view.roots()[agent])
    actions = {explained.word(view, state, agent, row.action): row.action for row in rows}
    if word not in actions:
        raise Refused(f"{word!r} is no action here: there are {', '.join(sorted(actions))}")
    after = view.reply(state, agent, actions[word])
    if after is None or isinstance(after, int):
        raise Refused(f"the position after {word!r} is not known, or the game is over there")
    other = watched.on(after, view.fresh(1.0))
    other.goal = watched.n
    looks = Looks(explained)
    for share in looks_of(other, watched.n):
        other.search(share)
        looks.look(other)
    return {"play": word, **search_data(other, explained, limits, looks.data())}


def review(request: dict[str, Any], source: Path, watch: Watch) -> Iterator[dict[str, Any]]:
    """Yields, for each requested turn of each game, the actions and values that a longer search
    finds.
    """
    player = Player(source, watch, Explained(source))
    for game in request["games"]:
        explained = Explained(source, game["player"], game["n_players"])
        player.explained, asked = explained, set(game["asked"])
        player.begin(game["turns"][0][1])
        for number, lines, output, nodes in game["turns"]:
            if not asked:
                break
            answer = player.turn(lines, max(nodes or 1, 1), output)
            if number not in asked:
                continue
            asked.discard(number)
            tree = next(iter(watch.used.values()), None)
            agents = []
            if tree is not None and nodes:
                agents = reviewed(tree, explained, output, nodes, request["factor"])
            yield {
                "game": game["name"],
                "turn": number,
                "nodes": nodes,
                "agrees": player.agrees(answer, output),
                "agents": agents,
                "provable": tree is not None and is_provable(tree),
            }


def is_provable(watched: Watched) -> bool:
    """Returns True for a game of two players in turns, whose positions can be proven lost."""
    return isinstance(watched.game, AlternatingGame)


def find_lost_turns(
    request: dict[str, Any], source: Path, watch: Watch
) -> Iterator[dict[str, Any]]:
    """Yields, for each lost game, the turn that lost it, or None if no position is proven lost.

    The game is walked back from its end, or from the turn `known` of the request, from which on all
    positions are proven lost, as long as df-pn proves that the position before is lost, too.
    """
    player = Player(source, watch, Explained(source))
    for game in request["games"]:
        player.explained = Explained(source, game["player"], game["n_players"])
        player.begin(game["turns"][0][1])
        roots = []
        for number, lines, output, nodes in game["turns"]:
            player.turn(lines, max(nodes or 1, 1), output)
            for watched in list(watch.used.values())[:1]:
                kept = replace(watched, setup=copied(watched.setup))
                roots.append((number, kept, output or [""], nodes or 1))
        yield {
            "game": game["name"],
            "lost": lost_turn(roots, game["known"], player.explained, request["factor"]),
        }


def lost_turn(
    roots: list[Any], known: int | None, explained: Explained, factor: float
) -> dict[str, Any] | None:
    """Returns the last turn whose position is not proven lost, and the best other action there;
    None if no position is proven lost, or if no such turn is left.

    Turns at which all other actions look lost are skipped, too. lost_from: the first later turn
    that is proven lost. doomed_from: the first turn skipped.
    """
    lost_from, prove = known, None
    doomed_from = known
    for number, watched, output, nodes in reversed(roots):
        if known is not None and number >= known:
            continue
        n = max(1, round(nodes * factor))
        prove = prove or Proofs(watched, PROOF_NODES * n)
        proof = prove(watched)
        if proof.reached is False:
            lost_from = doomed_from = number
            continue
        if lost_from is None:
            return None
        holding = proof.action if proof.reached else None
        other = best_other(watched, explained, output[0], n, holding)
        if other is None:
            doomed_from = number
            continue
        return {
            "turn": number,
            "lost_from": lost_from,
            "doomed_from": doomed_from,
            "proof_nodes": PROOF_NODES * n,
            "proven": holding is not None,
            **other,
        }
    return None


class Proofs:
    """Proves by df-pn that positions of a game are lost or held; all proofs share a table.

    n: the most nodes of a proof. The summary's `reached` is True if the player to move does not
    lose.
    """

    def __init__(self, watched: Watched, n: int) -> None:
        self.n = n
        options = proof_number.Options(goal=0, max_depth=PROOF_PLIES)
        self.search = kernel(proof_number.make_search(watched.game, options))
        bits = min(n.bit_length(), MOST_TABLE_BITS)
        self.tree = proof_number.new_tree(watched.game, options, bits)

    def __call__(self, watched: Watched) -> proof_number.Summary:
        proof_number.reset(self.tree)
        while not proof_number.is_finished(self.tree):
            left = self.n - proof_number.summary(self.tree).generated
            if left <= 0:
                break
            self.search(watched.setup, watched.root, self.tree, left)
        return proof_number.summary(self.tree)


def best_other(
    watched: Watched, explained: Explained, text: str, n: int, holding: int | None
) -> dict[str, Any] | None:
    """Returns the action played, and the best other action by a search of n nodes from the position
    after it; None if all other actions look lost.

    text: the answer played. holding: an action that is proven to hold, then the only candidate, or
    None. Otherwise the heaviest MOST_OTHERS actions are candidates.
    """
    long = watched.on(watched.root, View(watched).fresh(n / max(watched.n, 1)))
    long.goal = n
    long.search(n)
    view = View(long)
    state, rows = view.open(view.roots()[0])
    words = {row.action: explained.word(view, state, 0, row.action) for row in rows}
    others = [row for row in rows if not same_words(words[row.action], text)]
    others.sort(key=lambda row: -(row.weight or 0.0))
    asked = [row for row in others if holding is None or row.action == holding]
    values = {}
    for row in asked[:MOST_OTHERS]:
        value = row.value if row.proven else value_after(long, view, 0, row.action, n, None)
        if value is not None:
            values[row.action] = value
    if not values or max(values.values()) <= NEARLY * view.lost:
        return None
    best = max(values, key=lambda action: values[action])
    # An action that is proven to hold is a draw at least.
    value = digits(values[best] if holding is None else max(values[best], 0.0))
    return {
        "agent": explained.names(view)[0],
        "played": text,
        "best": words[best],
        "value": value,
        "value_played": view.lost,
    }


def reviewed(
    watched: Watched, explained: Explained, logged: list[str] | None, nodes: int, factor: float
) -> list[dict[str, Any]]:
    """Returns, for each own agent, the action played and the best action by a longer search, with
    their values.

    The value of the action played comes from a search of the position after it, with as many nodes;
    where the agents' actions depend on each other, it comes from the trees of the longer search.
    """
    seen = View(watched)
    long = watched.on(watched.root, seen.fresh(factor))
    n = max(1, round(nodes * factor))
    long.goal = n
    long.search(n)
    view, agents = View(long), []
    for i, agent in enumerate(explained.own(seen)):
        state, rows = view.open(view.roots()[agent])
        words = {row.action: explained.word(view, state, agent, row.action) for row in rows}
        by_action = {row.action: row for row in rows}
        line, best = seen.line(agent), view.line(agent)
        if not line or not best or best[0] not in by_action:
            continue
        text = logged[min(i, len(logged) - 1)] if logged else ""
        played = next((word for word in words if same_words(words[word], text)), line[0])
        value = by_action[best[0]].value
        value_played = by_action[played].value if played in by_action else None
        if played == best[0]:
            value_played = value
        elif seen.single:
            value_played = value_after(long, view, agent, played, n, value_played)
        agents.append(
            {
                "agent": explained.names(view)[agent],
                "played": words.get(played) or explained.word(seen, state, agent, played),
                "best": words[best[0]],
                "value": digits(value),
                "value_played": digits(value_played),
                "value_seen": best_value(seen, agent),
                "proven": bool(by_action[best[0]].proven),
            }
        )
    return agents


def value_after(
    long: Any, view: Any, agent: int, action: Any, n: int, otherwise: float | None
) -> float | None:
    """Returns the value of an action for the bot, by a search of n nodes from the position after
    it.

    A proven value is taken from the tree. otherwise: the value if that position is unknown.
    """
    rows = view.open(view.roots()[agent])[1]
    row = next((candidate for candidate in rows if candidate.action == action), None)
    known: float | None = row.value if row else otherwise
    if row and row.proven:
        return known
    after = view.after(long.root, agent, action)
    if after is None:
        return otherwise
    other = long.on(after, view.fresh(n / max(long.n, 1)))
    other.search(n)
    value = best_value(View(other), agent)
    return otherwise if value is None else value


def main() -> None:
    """Run a request; exits with status 4 and one line on stderr if the bot cannot be inspected."""
    # A search of many nodes ends with the command that asked for it.
    signal_when_parent_ends(signal.SIGTERM)
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.path[0] = request["project"]
    source = Path(request["source"])
    from bundler.modules.workspace import find_workspace, join  # the import works only from here on

    if workspace := find_workspace(source):
        join(workspace)
    watch = Watch(searches(source))
    work = {"explore": explore, "review": review, "lost": find_lost_turns}[request["work"]]
    try:
        with open(request["results"], "a", encoding="utf-8") as results:
            for result in work(request, source, watch):
                results.write(json.dumps(result, allow_nan=False) + "\n")
                results.flush()
    except Refused as error:
        print(error, file=sys.stderr)
        sys.exit(REFUSED)


if __name__ == "__main__":
    main()
