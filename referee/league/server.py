"""The pages of a league and their data: routes from addresses to `state`, `queries` and `live`.

No address names a file: games are known by number, bots by label, and running games by a name that
is looked up among the games under way.
"""

import asyncio
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from referee.arena.report import FOLDER as REPORT
from referee.errors import UsageError
from referee.league.league import League
from referee.league.live import Follower, event, unwatch, watch
from referee.league.queries import MOST_VALUES, Filter, Queries
from referee.league.state import Publisher
from referee.league.versions import MOST_PRIORITY, State
from referee.league.web import HEADERS, WebServer, page_headers
from referee.log.file import read_log
from referee.log.schema import FieldError, parse, read
from referee.page.page import page_data, page_text
from referee.play.leader import leader_of

ASSETS = Path(__file__).parent / "assets"
TYPES = {"league.js": "text/javascript", "league.css": "text/css"}
MOST_NOTE = 400
# A request of the page is short, and comes at once.
MOST_BODY, BODY_S = 10_000, 10.0
MOST_NUMBER = 2**62
# A page that is being opened is waited for.
WAIT_S, LAST_WAIT = 0.5, 10


@dataclass
class Order:
    """The request of a button: its name, a version's label, and a value."""

    what: str
    bot: str = ""
    value: str | int | bool | None = None


class LeagueSite:
    """The routes of one league, below a prefix; `server` is set before the first request."""

    def __init__(self, league: League, publisher: Publisher, queries: Queries, prefix: str) -> None:
        self.league, self.publisher, self.queries = league, publisher, queries
        self.prefix = prefix
        self.server: WebServer

    def routes(self) -> list[Route]:
        """Returns the routes."""
        at = self.prefix
        return [
            Route(f"{at}/", self.page),
            Route(f"{at}/events", self.events),
            Route(f"{at}/api/state", self.state),
            Route(f"{at}/api/games", self.games),
            Route(f"{at}/api/leaders", self.leaders),
            Route(f"{at}/api/bot", self.bot),
            Route(f"{at}/api/do", self.do, methods=["POST"]),
            Route(f"{at}/game/{{game}}", self.game),
            Route(f"{at}/live/{{name}}", self.live),
            Route(f"{at}/live/{{name}}/events", self.live_events),
        ]

    async def page(self, request: Request) -> Response:
        text = (ASSETS / "league.html").read_text(encoding="utf-8")
        return Response(text, media_type="text/html", headers=page_headers())

    async def state(self, request: Request) -> Response:
        return Response(self.publisher.text, media_type="application/json", headers=HEADERS)

    async def events(self, request: Request) -> Response:
        seen = -1

        def more() -> bytes:
            nonlocal seen
            if self.publisher.news == seen:
                return b""
            seen = self.publisher.news
            return event("state", self.publisher.text)

        return self.server.stream(more)

    # Games and bots

    def labels(self) -> dict[str, str]:
        """Returns the labels of all versions by the keys of their games."""
        return {version.id: version.label for version in list(self.league.lineage.versions)}

    def key_of(self, label: str | None) -> str | None:
        """Returns the key of a version's games by its label, None without a label; "?", the key of
        no games, for an unknown label.
        """
        if not label:
            return None
        version = self.league.lineage.find(label)
        return version.id if version else "?"

    async def games(self, request: Request) -> Response:
        series = self.league.series
        if series is None:
            return JSONResponse([], headers=HEADERS)
        query = request.query_params
        wanted = Filter(
            bot=self.key_of(query.get("bot")),
            other=self.key_of(query.get("other")),
            seat=number_of(query.get("seat")),
            seed=number_of(query.get("seed")),
            only_errors=query.get("errors") == "1",
            with_page=query.get("page") == "1",
            on=query.get("on") or None,
            before=number_of(query.get("before")),
        )
        games = await run_in_threadpool(self.queries.games, series.number, self.labels(), wanted)
        return JSONResponse(games, headers=HEADERS)

    async def leaders(self, request: Request) -> Response:
        """Returns the bots at a seat, or on a map or group, by their mean points, as JSON."""
        series, query = self.league.series, request.query_params
        if series is None:
            return JSONResponse([], headers=HEADERS)
        wanted = (number_of(query.get("seat")), query.get("on") or None)
        labels = self.labels()
        leaders = await run_in_threadpool(self.queries.leaders, series.number, labels, *wanted)
        return JSONResponse(leaders, headers=HEADERS)

    async def bot(self, request: Request) -> Response:
        """Returns the history of a bot as JSON: Elo over the games, reported values, times and
        versions.
        """
        label = request.query_params.get("bot", "")
        version, series = self.league.lineage.find(label), self.league.series
        if version is None or series is None:
            return JSONResponse({"error": "there is no such bot"}, 404, HEADERS)
        values = await run_in_threadpool(self.queries.values, series.number, version.id)
        times = await run_in_threadpool(self.queries.times, series.number, version.id)
        versions = self.league.lineage.of_name(version.name)
        # Beside its predecessor: a change shows in the numbers before it does in the results.
        compared = [version, *versions[: versions.index(version)][-1:]]
        courses = await run_in_threadpool(
            self.queries.courses, series.number, [version.id for version in compared]
        )
        data = {
            "label": version.label,
            "given": version.bot.bot,
            "elo": {
                version.label: self.league.plan.history.get(version.id, []) for version in versions
            },
            "values": values,
            "courses": {
                name: {
                    version.label: [
                        (row.turn, row.mean, row.deviation) for row in by_bot[version.id]
                    ]
                    for version in compared
                    if version.id in by_bot
                }
                for name, by_bot in list(courses.items())[:MOST_VALUES]
            },
            "times": {str(time): n for time, n in sorted(times.items())},
            "versions": [
                {"label": version.label, "since": version.since, "state": str(version.state)}
                for version in versions
            ],
        }
        return JSONResponse(data, headers=HEADERS)

    async def do(self, request: Request) -> Response:
        """Carry out the request of a button of the page. Returns an error for an invalid
        request.
        """
        body = b""
        try:
            async with asyncio.timeout(BODY_S):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > MOST_BODY:
                        return JSONResponse({"error": "too long"}, 413, HEADERS)
            self.give(read(Order, parse(body)))
        except TimeoutError:
            return JSONResponse({"error": "too slow"}, 408, HEADERS)
        except (ValueError, FieldError) as error:
            return JSONResponse({"error": f"not understood: {error}"}, 400, HEADERS)
        return JSONResponse({"done": True}, headers=HEADERS)

    def give(self, order: Order) -> None:
        """Queue a request for the thread that plays. Raises ValueError for an unknown request or
        priority.
        """
        league, what, bot, value = self.league, order.what, order.bot, order.value
        states = {"pause": State.PAUSED, "go": State.PLAYS, "remove": State.REMOVED}
        if what in states:
            league.ask(lambda: league.set_state(bot, states[what]))
        elif what == "priority":
            if not isinstance(value, int) or not 1 <= value <= MOST_PRIORITY:
                raise ValueError(f"a priority is a number from 1 to {MOST_PRIORITY}")
            league.ask(lambda: league.set_priority(bot, value))
        elif what == "candidate":
            league.ask(lambda: league.set_candidate(bot))
        elif what == "note":
            note = " ".join(str(value).split())[:MOST_NOTE]
            league.ask(lambda: league.set_note(bot, note))
        elif what == "hold":
            league.ask(lambda: setattr(league, "paused", bool(value)))
        else:
            raise ValueError(f"there is no {what[:40]!r}")

    # Pages of games

    async def game(self, request: Request) -> Response:
        number = number_of(request.path_params["game"])
        path = None if number is None else await run_in_threadpool(self.queries.log, number)
        if path is None:
            return PlainTextResponse("The log of this game is not kept.\n", 404, HEADERS)
        try:
            text, nonce = await run_in_threadpool(self.page_of, path)
        except (UsageError, OSError) as error:
            return PlainTextResponse(f"There is no page: {error}\n", 404, HEADERS)
        return Response(text, media_type="text/html", headers=page_headers(nonce))

    def page_of(self, path: str) -> tuple[str, str]:
        """Returns a log's page, and the nonce of its scripts. Raises UsageError and OSError."""
        logs = self.league.settings.logs.resolve()
        log_path = (self.league.store.path.parent / path).resolve()
        if not log_path.is_relative_to(logs):
            raise UsageError("its log lies elsewhere")
        log = read_log(log_path)
        if log.header.contest != self.league.settings.rules.name:
            raise UsageError("its log is of another contest")
        contest = leader_of(log.header.conditions).contest(log.header.contest)
        nonce = secrets.token_urlsafe(16)
        return page_text(page_data(log, contest), nonce), nonce

    def place_of(self, name: str) -> Path | None:
        """Returns the place of a running game's log, None for any other name."""
        known = {game["name"] for game in self.league.running_games()}
        return self.league.settings.live / f"{name}.jsonl" if name in known else None

    async def live(self, request: Request) -> Response:
        name = request.path_params["name"]
        place = self.place_of(name)
        if place is None:
            return PlainTextResponse("This game is over: see the list of games.\n", 404, HEADERS)
        watch(place)
        return await live_page(place, f"{name}/events")

    async def live_events(self, request: Request) -> Response:
        place = self.place_of(request.path_params["name"])
        if place is None:
            return self.server.stream(once(event("end", {})))
        watch(place)
        follow = following(place, lambda: self.is_running(place), lambda: unwatch(place))
        return self.server.stream(follow)

    def is_running(self, place: Path) -> bool:
        """Returns True while the game whose log is at `place` is played."""
        return any(game["name"] == place.stem for game in self.league.running_games())


async def live_page(place: Path, events: str) -> Response:
    """Returns the page of a running match with the turns so far, or a waiting page before the first
    turn. events: the address of the events that bring further turns.
    """
    nonce = secrets.token_urlsafe(16)
    text = (ASSETS / "waiting.html").read_text(encoding="utf-8")
    text = text.replace("EVENTS", events).replace("NONCE", nonce)
    follower = Follower(place)
    try:
        data = await run_in_threadpool(follower.more)
        if data is not None:
            text = page_text(data, nonce, events)
    except (UsageError, OSError) as error:
        return PlainTextResponse(f"There is no page: {error}\n", 404, HEADERS)
    finally:
        follower.close()
    return Response(text, media_type="text/html", headers=page_headers(nonce))


def following(
    place: Path, is_running: Callable[[], bool], on_end: Callable[[], None]
) -> Callable[[], bytes | None]:
    """Returns a function that returns the next events of a running match, None after the end: first
    all turns so far, then each new turn.

    The first event has the whole page's data, as the reader's page may be older. on_end: called at
    the end.
    """
    follower = Follower(place)
    is_over = False

    def more() -> bytes | None:
        nonlocal is_over
        if is_over:
            follower.close()
            on_end()
            return None
        watches = is_running()
        is_first = follower.page is None
        try:
            data = follower.more()
        except (UsageError, OSError) as error:
            is_over = True
            return event("end", {"problem": str(error)})
        text = b""
        if data is not None:
            text = event("whole" if is_first else "turns", data)
        if follower.has_ended or (data is None and not watches):
            is_over = True
            text += event("end", {})
        return text

    return more


@contextmanager
def one_match(place: Path, host: str, port: int) -> Iterator[str]:
    """Serve the page of a match whose log grows at a place. Yields the page's address.

    At the end the server waits a few seconds for a page that is being opened, and for open pages to
    get the last turns.
    """
    is_over, n_pages = threading.Event(), 0

    async def page(request: Request) -> Response:
        nonlocal n_pages
        n_pages += 1
        return await live_page(place, "events")

    async def events(request: Request) -> Response:
        follow = following(place, lambda: not is_over.is_set(), lambda: None)
        return server.stream(follow)

    routes = [Route("/", page), Route("/events", events), Route("/favicon.ico", nothing)]
    with WebServer(routes, host, port) as server:
        yield server.url
        is_over.set()
        for _ in range(LAST_WAIT):
            time.sleep(WAIT_S)
            if n_pages and server.n_streams == 0:
                break


def once(text: bytes) -> Callable[[], bytes | None]:
    """Returns a function that returns the event at the first call, then None."""
    left = [text]
    return lambda: left.pop() if left else None


async def asset(request: Request) -> Response:
    """Returns a file of the page, its script or its style sheet."""
    name = request.path_params["name"]
    if name not in TYPES:
        return PlainTextResponse("There is no such file.\n", 404, HEADERS)
    text = (ASSETS / name).read_text(encoding="utf-8")
    if name == "league.css":
        text = (REPORT / "report.css").read_text(encoding="utf-8") + text
    return Response(text, media_type=TYPES[name], headers=HEADERS)


def number_of(text: str | None) -> int | None:
    """Returns the number of a field of a query, at most MOST_NUMBER; None without a number."""
    if not text or not text.isascii() or not text.isdigit():
        return None
    return min(int(text[:19]), MOST_NUMBER)


async def nothing(request: Request) -> Response:
    """Returns an empty response, to a browser that asks for an icon."""
    return Response(status_code=204, headers=HEADERS)
