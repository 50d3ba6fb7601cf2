"""The page's server: requests that are refused, and answers in time."""

import http.client
import json
from urllib.parse import urlsplit

import pytest

from tests.league.conftest import CRASHING, bot, wait_for, write_bot
from tests.support.listeners import listening

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
    older = json.loads(running.get(f"api/games?before={games[0]['id']}")[1])
    assert all(game["id"] < games[0]["id"] for game in older)
    assert json.loads(running.get("api/games?bot=nobody")[1]) == []
    history = json.loads(running.get("api/bot?bot=bot1")[1])
    assert history["elo"]["bot1"] and history["versions"][0]["state"] == "plays"
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
    ("data", "said"),
    [
        ({"what": "priority", "bot": "bot1", "value": 10}, "from 1 to 9"),
        ({"what": "format c:"}, "there is no"),
        ([], "not understood"),
        ({"what": "priority", "value": {}}, "not understood"),
    ],
)
def test_orders_that_are_not_understood(running_once, data, said):
    status, text = running_once.get("api/do", OWN, json.dumps(data).encode())
    assert status == 400 and said in text


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
        ("GET", "/events", {"Origin": "http://evil.example"}, 403),
        ("GET", "/api/state", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"}, 403),
        ("POST", "/api/do", {}, 403),
        ("POST", "/api/do", {"X-Onefile": "1", "Origin": "http://evil.example"}, 403),
        ("POST", "/", {"X-Onefile": "1"}, 405),
        ("GET", "/assets/%2e%2e%2fleague.py", {}, 404),
        ("GET", "/live/..%2f..%2fx", {}, 404),
        ("GET", "/game/99999999999999999999999", {}, 404),
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
    assert listening(running_once.process.pid) == {("127.0.0.1", at.port)}


def test_another_host_needs_the_token(served):
    """Beyond the loopback a request without the token is refused."""
    running = served("--host", "0.0.0.0")
    at = urlsplit(running.url)
    assert listening(running.process.pid) == {("0.0.0.0", at.port)}
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
