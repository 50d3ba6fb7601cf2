"""The program that plays a bot's logged turns again and reads its searches, in a process of its own.

It watches the kernels of `shared/search` that the bot makes: their game, setup, position, tree and
nodes. So bots carry no code for it. In the asked turns the tree is read by a view (`searches.py`),
and fresh trees are searched: after other actions, or with more nodes.

It is started with the name of a JSON file, the request (`explore.py` and `review.py` write it), and
writes one JSON line a result to the file that the request names.
"""

import importlib
import importlib.util
import json
import sys
from functools import wraps
from pathlib import Path
from types import ModuleType
from typing import Any, Callable, Iterator

# How often a search is looked at while it runs, for the chart of its values.
N_LOOKS = 40
# Children shown in the chart.
N_CHARTED = 8
EXPLAIN = "explain"
# Exit status of a refusal.
REFUSED = 4


class Refused(Exception):
    """The bot cannot be looked into; the text says what to do."""


class Watch:
    """The searches that a bot makes, in the order of their first call in a turn.

    looks: calls of `look` while a search of this turn runs; 0 outside of the asked turn.
    """

    def __init__(self, modules: dict[str, ModuleType], watched_type: Any) -> None:
        self.watched_type = watched_type
        self.made: dict[int, tuple[Any, ...]] = {}
        self.kept: dict[str, tuple[Any, ...]] = {}
        self.functions: list[Any] = []  # keeps their ids from being used again
        self.used: dict[int, Any] = {}
        self.look: Callable[[Any], None] | None = None
        self.budget = 0
        for module in modules.values():
            self._patch(module)
        jit = importlib.import_module("shared.core.jit")
        jit.kernel = self._watched_kernel(jit.kernel)  # type: ignore[attr-defined]

    def _patch(self, module: ModuleType) -> None:
        """Remember the arguments of a module's `make_search` and `new_tree`."""
        make = module.make_search

        @wraps(make)
        def make_search(*arguments: Any, **named: Any) -> Any:
            function = make(*arguments, **named)
            self.functions.append(function)
            self.made[id(function)] = (*arguments, *named.values())
            return function

        module.make_search = make_search  # type: ignore[attr-defined]
        for name in ("new_tree", "new_trees"):
            new = getattr(module, name, None)
            if new is not None:
                setattr(module, name, self._noted(module, new))

    def _noted(self, module: ModuleType, new: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(new)
        def make_tree(*arguments: Any, **named: Any) -> Any:
            self.kept[module.__name__] = (*arguments, *named.values())
            return new(*arguments, **named)

        return make_tree

    def _watched_kernel(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(kernel)
        def watched_kernel(signature: Any) -> Any:
            compiled = kernel(signature)
            made = self.made.get(id(signature))
            if made is None:
                return compiled
            module = sys.modules[signature.__module__]

            @wraps(compiled)
            def search(setup: Any, root: Any, tree: Any, n: int) -> None:
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
            watched = self.watched_type(module, made, compiled, self.kept[module.__name__])
            priors = getattr(tree, "priors", None)
            if priors is not None and module.__name__.endswith("smitsimax"):
                watched.before["priors"] = priors.copy()
            self.used[id(function)] = watched
        watched.setup, watched.tree, watched.root = setup, tree, root.copy()
        if self.look is None:
            watched.search(n)
            return
        for part in parts(n, N_LOOKS):
            watched.search(part)
            self.look(watched)


def parts(n: int, most: int) -> list[int]:
    """Returns n divided into at most `most` parts, the first ones small."""
    ends = sorted({max(1, round(n * ((i + 1) / most) ** 2)) for i in range(most)})
    return [end - begin for begin, end in zip([0, *ends], ends)]


class Explained:
    """The words of a bot's actions and the boards of its positions: of `explain.py` beside it."""

    def __init__(self, source: Path) -> None:
        self.module: Any = None
        if (source.parent / f"{EXPLAIN}.py").is_file():
            self.module = importlib.import_module(f"bots.{source.parent.name}.{EXPLAIN}")

    def word(self, view: Any, state: Any, number: int, action: Any) -> str:
        if self.module is None or isinstance(action, str) or state is None:
            return str(action)
        return str(self.module.word(view.watched.setup, state, number, action))

    def scene(self, view: Any, state: Any, action: Any) -> Any:
        """Returns (setup, snapshot) for the contest's render; None if the bot gives none."""
        if self.module is None or not hasattr(self.module, "scene") or state is None:
            return None
        return self.module.scene(view.watched.setup, state, action)

    def names(self, view: Any) -> list[str]:
        known = getattr(self.module, "AGENTS", ())
        return list(known) if len(known) == len(view.names) else view.names

    def own(self) -> list[int]:
        """The numbers of the trees of the bot's own agents."""
        return list(getattr(self.module, "OWN", (0,)))


class Player:
    """The bot, played turn by turn with the logged nodes."""

    def __init__(self, source: Path) -> None:
        self.module = load(source)
        self.lines: list[str] = []

    def begin(self) -> None:
        """Begin a game."""
        self.lines = []
        read_turn, choose, *clocks = self.module.new_player(self.read_line)
        if not clocks:
            raise Refused("the bot has no clock, so it does not search")
        self.read_turn, self.choose, self.clock = read_turn, choose, clocks[0]

    def read_line(self) -> str:
        return self.lines.pop(0) + "\n" if self.lines else ""

    def turn(self, lines: list[str], nodes: int) -> list[str]:
        """Returns the answer to a turn's input, by a search of so many nodes."""
        self.lines += lines
        if self.clock is not None:
            self.clock.budgets = [nodes]
        if not self.read_turn():
            raise Refused("the input ends before the turn")
        self.clock.start()
        return [str(line) for line in self.choose()]


def load(source: Path) -> Any:
    """Import a bot's source. Raises Refused if it cannot be played in a process."""
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


def tree_data(view: Any, number: int, explained: Explained, limits: dict[str, int]) -> dict[str, Any]:
    """Returns a tree as plain data, its heaviest nodes first.

    nodes: rows of (parent, word, visits, value, prior, bound, proven, mark, depth, children,
    children unseen). scenes: the positions of the first ones, [node, setup, snapshot].
    """
    from referee.explore.searches import walk

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
        "own": number in explained.own(),
        "nodes": nodes,
        "words": list(words),
        "scenes": scenes,
        "line": line,
    }


def digits(number: float | None) -> float | None:
    """A number with six significant digits."""
    return None if number is None else float(f"{number:.6g}")


class Looks:
    """The values of a search's root actions while it runs: a row a look."""

    def __init__(self, explained: Explained, own: int) -> None:
        self.explained, self.own = explained, own
        self.points: list[tuple[int, dict[str, tuple[Any, Any]]]] = []

    def look(self, watched: Any) -> None:
        from referee.explore.searches import view_of

        view = view_of(watched)
        state, rows = view.open(view.roots()[self.own])
        best = max(rows, key=lambda row: row.weight, default=None)
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
            self.points.append((watched.n, values, first))  # type: ignore[arg-type]

    def data(self) -> list[Any]:
        """Returns [nodes, best action, {action: [value, visits]}] of each look."""
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
    from referee.explore.searches import view_of

    view = view_of(watched)
    trees = [tree_data(view, number, explained, limits) for number in range(len(view.names))]
    return {
        "search": watched.name,
        "unit": view.unit,
        "counts": view.counts(),
        "granted": watched.n,
        "value": best_value(view, explained.own()[0]),
        "trees": trees,
        "looks": looks,
    }


def best_value(view: Any, number: int) -> float | None:
    """The value of the action that a search would play; None before any."""
    line = view.line(number)
    rows = view.open(view.roots()[number])[1] if line else []
    return next((digits(row.value) for row in rows if row.action == line[0]), None)


def play_up_to(player: Player, turns: list[Any]) -> int | None:
    """Play turns as logged; returns the number of the first with another answer, or None."""
    differs = None
    for number, lines, output, nodes in turns:
        answer = player.turn(lines, max(nodes or 1, 1))
        if output is not None and answer != output and differs is None:
            differs = number
    return differs


def searched(watch: Watch, number: int) -> list[Any]:
    """The searches of the turn just played. Raises Refused if there are none."""
    found = list(watch.used.values())
    if not found:
        names = ", ".join(sorted(known_searches()))
        raise Refused(
            f"in turn {number} none of the searches that can be looked into ran ({names}): the"
            " value was proven before, or the bot searches otherwise"
        )
    return found


def known_searches() -> dict[str, ModuleType]:
    from referee.explore.searches import watch_modules

    return watch_modules()


def explore(request: dict[str, Any], source: Path, watch: Watch) -> Iterator[dict[str, Any]]:
    """Yields the searches of a turn, then those after the actions asked for."""
    player, explained = Player(source), Explained(source)
    *earlier, (number, lines, output, nodes) = request["turns"]
    if not nodes:
        raise Refused(f"turn {number} has no node count, so it cannot be repeated exactly")
    player.begin()
    differs = play_up_to(player, earlier)
    factor, limits, own = request["factor"], request["limits"], explained.own()[0]
    looks = Looks(explained, own)
    watch.used, watch.look = {}, looks.look
    answer = player.turn(lines, max(1, round(nodes * factor)))
    watch.look = None
    found = searched(watch, number)
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
            search_data(one, explained, limits, looks.data() if i == 0 else [])
            for i, one in enumerate(found)
        ],
    }
    for word in request["plays"]:
        yield what_if(found[0], explained, own, word, limits)


def what_if(
    watched: Any, explained: Explained, own: int, word: str, limits: dict[str, int]
) -> dict[str, Any]:
    """Returns the search of the position after an action, as long again. Raises Refused."""
    from referee.explore.searches import view_of

    view = view_of(watched)
    state, rows = view.open(view.roots()[own])
    actions = {explained.word(view, state, own, row.action): row.action for row in rows}
    if word not in actions:
        raise Refused(f"{word!r} is no action here: there are {', '.join(sorted(actions))}")
    after = view.after(state, own, actions[word])
    if after is None:
        raise Refused(f"the position after {word!r} is not known, or the game is over there")
    other = watched.on(after, view.fresh(1.0))
    looks = Looks(explained, own)
    for part in parts(watched.n, N_LOOKS):
        other.search(part)
        looks.look(other)
    return {"play": word, **search_data(other, explained, limits, looks.data())}


def review(request: dict[str, Any], source: Path, watch: Watch) -> Iterator[dict[str, Any]]:
    """Yields, for each asked turn of each game, the choice of a longer search and its values."""
    player, explained = Player(source), Explained(source)
    own = explained.own()
    for game in request["games"]:
        asked = set(game["asked"])
        if not asked:
            continue
        player.begin()
        for number, lines, output, nodes in game["turns"]:
            watch.used = {}
            answer = player.turn(lines, max(nodes or 1, 1))
            if number in asked:
                result = {"game": game["name"], "turn": number, "nodes": nodes}
                same = None if output is None else answer == output
                found = next(iter(watch.used.values()), None)
                if found is None or not nodes:
                    yield {**result, "same": same, "agents": []}
                else:
                    agents = reviewed(found, explained, own, nodes, request["factor"])
                    yield {**result, "same": same, "agents": agents}
                if len(asked) == 1:
                    break
                asked.discard(number)


def reviewed(
    watched: Any, explained: Explained, own: list[int], nodes: int, factor: float
) -> list[dict[str, Any]]:
    """Returns, for each own agent, the action played and its value, the better one and its value.

    The value of the action played is that of a search of the position after it, as long as the
    other; where the agents' actions depend on each other, the one in the same trees.
    """
    from referee.explore.searches import view_of

    seen = view_of(watched)
    long = watched.on(watched.root, seen.fresh(factor))
    n = max(1, round(nodes * factor))
    long.search(n)
    view, agents = view_of(long), []
    for agent in own:
        state, rows = view.open(view.roots()[agent])
        by_action = {row.action: row for row in rows}
        played, best = seen.line(agent), view.line(agent)
        if not played or not best:
            continue
        value, value_played = by_action[best[0]].value, by_action[played[0]].value
        is_same = played[0] == best[0]
        if not is_same and seen.single:
            value_played = value_after(long, view, agent, played[0], n, value_played)
        agents.append(
            {
                "agent": explained.names(view)[agent],
                "played": explained.word(view, state, agent, played[0]),
                "best": explained.word(view, state, agent, best[0]),
                "value": digits(value),
                "value_played": digits(value if is_same else value_played),
                "value_seen": best_value(seen, agent),
                "line": [],
            }
        )
    return agents


def value_after(
    long: Any, view: Any, agent: int, action: Any, n: int, otherwise: float | None
) -> float | None:
    """The value of an action for the bot: of a search of n nodes of the position after it."""
    from referee.explore.searches import view_of

    row = next(one for one in view.open(view.roots()[agent])[1] if one.action == action)
    if row.proven:
        return row.value
    after = view.after(long.root, agent, action)
    if after is None:
        return otherwise
    other = long.on(after, view.fresh(n / max(long.n, 1)))
    other.search(n)
    found = best_value(view_of(other), agent)
    return otherwise if found is None else found


def main() -> None:
    """Run a request; exit status 4 and one line on stderr if the bot cannot be looked into."""
    request = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.path[0] = request["project"]
    source = Path(request["source"])
    from bundler.sources.workspace import find_workspace, join  # the import works only from here on

    if workspace := find_workspace(source):
        join(workspace)
    from referee.explore.searches import Watched

    watch = Watch(known_searches(), Watched)
    work = {"explore": explore, "review": review}[request["work"]]
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
