"""The page's server: requests that are refused, and answers in time."""

import http.client
import json
import socket
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from referee.arena.store import open_store, sole_writer
from referee.league.league import League
from referee.sources.site import OWN_PYTHON
from tests.league.conftest import CRASHING, bot, write_bot
from tests.support.listeners import documented_hosts, hosts_of, listening
from tests.support.waiting import wait_for

OWN = {"X-Onefile": "test"}


@pytest.mark.slow("waits for games of a league")
def test_the_state_and_the_lists(served):
    running = served()
    state = running.wait(lambda state: state.get("games", 0) > 8 and state)
    assert {one["name"] for one in state["bots"]} == {"bot1", "bot2", "bot3"}
    assert [len(cells) for cells in state["matrix"]] == [3, 3, 3]
    games = json.loads(running.get("api/games")[1])
    assert games and {"bot1", "bot2", "bot3"} >= {seat["bot"] for seat in games[0]["seats"]}
    pair = json.loads(running.get("api/games?bot=bot1&other=bot2&seat=1")[1])
    assert pair and all(game["seats"][1]["bot"] == "bot1" for game in pair)
    first = games[-1]
    assert first["on"] == [
        f"field {first['seed'] % 3}",
        "even" if first["seed"] % 2 == 0 else "odd",
    ]
    for wanted in first["on"]:
        same = json.loads(running.get(f"api/games?on={wanted.replace(' ', '%20')}")[1])
        assert same and all(wanted in game["on"] for game in same)
    assert json.loads(running.get("api/games?on=elsewhere")[1]) == []
    leaders = json.loads(running.get("api/leaders?seat=1&on=odd")[1])
    points = [mean for _, _, mean in leaders]
    assert {label for label, *_ in leaders} <= {"bot1", "bot2", "bot3"} and max(points) <= 1
    assert points == sorted(points, reverse=True) and min(points) >= 0
    assert json.loads(running.get("api/leaders?on=elsewhere")[1]) == []
    older = json.loads(running.get(f"api/games?before={games[0]['id']}")[1])
    assert all(game["id"] < games[0]["id"] for game in older)
    assert json.loads(running.get("api/games?bot=nobody")[1]) == []
    history = wait_for(
        lambda: (data := json.loads(running.get("api/bot?bot=bot1")[1]))["elo"]["bot1"] and data
    )
    assert history["versions"][0]["state"] == "plays"
    assert history["courses"]["level"]["bot1"][0] == [0, 1.0, 0.0]
    assert running.get("api/bot?bot=nobody")[0] == 404


@pytest.mark.slow("waits for games of a league")
def test_buttons(served):
    running = served()
    running.wait(lambda state: state.get("games", 0) > 4)
    running.order(what="pause", bot="bot1")
    running.order(what="priority", bot="bot2", value=5)
    running.order(what="note", bot="bot3", value="<i>deeper</i>\n search")
    running.order(what="candidate", bot="bot3")
    wait_for(lambda: running.bots()["bot3"]["note"])
    bots = running.bots()
    assert (bots["bot1"]["state"], bots["bot2"]["priority"]) == ("paused", 5)
    assert bots["bot3"]["note"] == "<i>deeper</i> search"
    wait_for(lambda: (running.bots()["bot3"]["pool"] or {}).get("games"))
    running.order(what="go", bot="bot1")
    running.order(what="remove", bot="bot2")
    wait_for(lambda: "bot2" not in running.bots())
    running.order(what="hold", value=True)
    assert running.wait(lambda state: state["paused"])
    running.end()


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ('{"what": "priority", "bot": "bot1", "value": 10}', 400, "from 1 to 9"),
        ('{"what": "priority", "bot": "bot1", "value": 1e999}', 400, "not understood"),
        ('{"what": "priority", "value": {}}', 400, "not understood"),
        ('{"what": "note", "bot": "bot1", "value": "\\ud800"}', 400, "not understood"),
        ('{"what": "format c:"}', 400, "there is no"),
        ("[]", 400, "not understood"),
        ("[" * 9000, 400, "not understood"),
        (" " * 100_000, 413, "too long"),
    ],
)
def test_orders_that_are_not_understood(running_once, body, status, said):
    got, text = running_once.get("api/do", OWN, body.encode())
    assert (got, said in text) == (status, True)
    assert running_once.process.poll() is None


def test_a_request_that_fails_is_told(tmp_path):
    """It ends no league."""
    told, done = [], []
    with sole_writer(tmp_path / "x.db"), open_store(tmp_path / "x.db") as store:
        settings = SimpleNamespace(
            n_seats=2,
            lineage="toy",
            folder=tmp_path,
            copies=tmp_path,
            python=OWN_PYTHON,
            files=(),
            first_seed=1,
            n_cases=None,
        )
        league = League(settings, store, told.append)
        league.ask(lambda: league.store.connection.execute("no SQL"))
        league.ask(lambda: done.append(1))
        league.attend()
    assert done and told == ['a request of the page failed: near "no": syntax error']


@pytest.fixture(scope="module")
def running_once(tmp_path_factory):
    """One league for all tests that change nothing."""
    pytest.importorskip("starlette", reason="Starlette is not installed: the extra `league`")
    pytest.importorskip("uvicorn", reason="uvicorn is not installed: the extra `league`")
    from tests.arena.conftest import TOY
    from tests.league.conftest import Running

    place = tmp_path_factory.mktemp("league")
    (place / "bots").mkdir()
    write_bot(place / "bots", "bot1", bot(1))
    write_bot(place / "bots", "bot2", bot(2))
    write_bot(place / "bots", "<b>x<b>", CRASHING)
    words = [TOY, place / "bots", "--db", place / "x.db", "--limits", "off", "--port", "0"]
    running = Running([*words, "--jobs", "1"], {"TMPDIR": str(place)}).begin()
    running.wait(lambda state: state.get("games", 0) > 12)
    yield running
    running.end()


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {"Host": "rebound.example:{port}"}, 421),
        ("GET", "/", {"Host": "localhost:{port}"}, 200),
        ("GET", "/", {"Host": "localhost:\xb2"}, 421),
        ("GET", "/", {"Host": "localhost:" + "9" * 5000}, 421),
        ("GET", "/events", {"Origin": "http://evil.example"}, 403),
        ("GET", "/api/state", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403),
        ("POST", "/api/do", {}, 403),
        ("POST", "/api/do", {"X-Onefile": "1", "Origin": "http://evil.example"}, 403),
        ("POST", "/", {"X-Onefile": "1"}, 405),
        ("GET", "/assets/%2e%2e%2fleague.py", {}, 404),
        ("GET", "/live/..%2f..%2fx", {}, 404),
        ("GET", "/game/" + "9" * 5000, {}, 404),
        ("GET", "/game/x", {}, 404),
        ("GET", "/api/games?before=x&seed=%00&bot=%27%20OR%201", {}, 200),
    ],
)
def test_requests(running_once, method, path, headers, status):
    at = urlsplit(running_once.url)
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value.format(port=at.port))
    connection.putheader("Content-Length", "2")
    connection.endheaders(b"{}")
    assert connection.getresponse().status == status
    connection.close()


def test_half_open_connections_hold_nobody_up(running_once):
    """Of more than a page opens the oldest is closed, each after a while."""
    at = urlsplit(running_once.url)
    with ExitStack() as stack:
        half_open = [
            stack.enter_context(socket.create_connection((at.hostname, at.port)))
            for _ in range(230)
        ]
        for opened in half_open:
            with suppress(OSError):
                opened.sendall(b"GET / HTTP/1.1\r\n")
        assert running_once.get("api/state")[0] == 200
        half_open[0].settimeout(60)
        with suppress(ConnectionError):
            assert half_open[0].recv(1) == b""


def test_a_large_body_is_not_kept(running_once):
    """It is refused without its end, whether its length is given or not."""
    at, before = urlsplit(running_once.url), peak_kb(running_once.process.pid)
    chunk = b"100000\r\n" + bytes(2**20) + b"\r\n"
    for header in (b"Content-Length: 300000000", b"Transfer-Encoding: chunked"):
        with socket.create_connection((at.hostname, at.port), timeout=60) as opened:
            start = b"POST /api/do HTTP/1.1\r\nHost: %b\r\nX-Onefile: 1\r\n"
            opened.sendall(start % at.netloc.encode() + header + b"\r\n\r\n")
            with suppress(OSError):
                for _ in range(60):
                    opened.sendall(chunk)
    assert running_once.get("api/state")[0] == 200
    assert peak_kb(running_once.process.pid) < before + 30_000


def peak_kb(pid):
    """Returns the most memory that a process has had."""
    [line] = [one for one in Path(f"/proc/{pid}/status").read_text().splitlines() if "VmHWM" in one]
    return int(line.split()[1])


def test_pages_run_nothing_else(running_once):
    at = urlsplit(running_once.url)
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
    for path in ("/", f"/game/{a_game_with_a_page(running_once)}"):
        connection.request("GET", path)
        answer = connection.getresponse()
        text = answer.read().decode()
        policy = answer.getheader("Content-Security-Policy")
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        script = policy.split("script-src")[1].split(";")[0]
        assert "unsafe" not in script and "http" not in script
        assert "<img src=x" not in text and "<b>x<b>" not in text
    connection.close()


def a_game_with_a_page(running):
    return wait_for(lambda: json.loads(running.get("api/games?page=1")[1]))[0]["id"]


def test_it_listens_on_the_loopback_alone(running_once):
    """All processes of a league together listen at the address that is printed."""
    at = urlsplit(running_once.url)
    found = listening(running_once.process.pid)
    assert found == {("127.0.0.1", at.port)} and hosts_of(found) == documented_hosts(
        "onefile league"
    )


def test_another_host_needs_the_token(served):
    """Beyond the loopback a request without the token is refused."""
    running = served("--host", "0.0.0.0")
    at = urlsplit(running.url)
    found = listening(running.process.pid)
    assert found == {("0.0.0.0", at.port)}
    assert hosts_of(found) == documented_hosts("onefile league", "0.0.0.0")
    assert at.query.startswith("token=")
    token, host = at.query.removeprefix("token="), {"Host": f"127.0.0.1:{at.port}"}

    def get(path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", at.port, timeout=60)
        connection.request("GET", path, headers={**host, **headers})
        answer = connection.getresponse()
        answer.read()
        return answer

    assert get("/").status == get("/api/state").status == get("/?token=wrong").status == 401
    assert get("/", Cookie="onefile_token=wrong").status == 401
    entered = get(f"/?token={token}")
    cookie = entered.getheader("Set-Cookie")
    assert entered.status == 303 and "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert entered.getheader("Location") == "/"
    assert get("/api/state", Cookie=cookie.split(";")[0]).status == 200
    assert get("/api/state", Authorization=f"Bearer {token}").status == 200
    assert get("/", Host="evil.example:80").status == 421
