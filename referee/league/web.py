"""The server of local pages: checks of the requests, and headers that isolate the pages.

The server listens on the loopback by default; on any other address, requests need a token. A
request has to name this host (a rebound name of a page elsewhere does not). A request that changes
something has to come from a page of this server: its origin is compared, and it bears a header that
no other page can send without being granted permission. Pages may load and run only the content of
the server.
"""

import asyncio
import hmac
import ipaddress
import secrets
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from referee.errors import UsageError

COOKIE = "onefile_token"
# The header of a request that changes something.
OWN_HEADER = b"x-onefile"
POLICY = (
    "default-src 'none'; script-src 'self'{nonce}; style-src {style}; img-src 'self' data: blob:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
# A comment that keeps an idle stream alive.
BEAT_S = 10.0
POLL_S = 0.25
# Streams at once: more are no reader's.
MOST_STREAMS = 64
# Connections at once, and those of them that wait for the headers of a request.
MOST_CONNECTIONS, MOST_WAITING = 200, 50
HEADERS_S = 5.0
GOODBYE_S = 1
# The port of a Host that names none.
HTTP_PORT = 80

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


def is_loopback(host: str) -> bool:
    """Returns True for an address that no other machine reaches."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass
class Guard:
    """The ASGI application that passes allowed requests to `app`, and answers all others itself.

    port, host: the port and address of the server. token: the text required in each request, or "".
    """

    app: Asgi
    port: int
    host: str
    token: str = ""
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.names = {"localhost", "127.0.0.1", "[::1]", self.host.lower(), f"[{self.host}]"}
        if not is_loopback(self.host):
            self.names.add(socket.gethostname().lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = dict(scope["headers"])
        refused = self.refusal(scope, headers)
        if refused is not None:
            await refused(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> Response | None:
        """Returns the response to a request that is not passed on, a refusal or a redirection; None
        for an allowed request.
        """
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if not self.is_own(host):
            return self.text("This server is not called so: use the address that it printed.", 421)
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        if origin and origin != f"http://{host}":
            return self.text("A page of another origin may do nothing here.", 403)
        site = headers.get(b"sec-fetch-site", b"none")
        if site == b"cross-site" and headers.get(b"sec-fetch-mode") != b"navigate":
            return self.text("A page of another origin may do nothing here.", 403)
        if scope["method"] not in ("GET", "HEAD") and OWN_HEADER not in headers:
            return self.text("The header X-Onefile is missing.", 403)
        return self.check_token(scope, headers) if self.token else None

    def is_own(self, host: str) -> bool:
        """Returns True if `host`, the Host of a request, names this server."""
        name = host.removesuffix(f":{self.port}")
        if name == host and self.port != HTTP_PORT:
            return False
        if name in self.names:
            return True
        try:
            # Every address of this machine: a name alone can be rebound.
            ipaddress.ip_address(name.strip("[]"))
            return not is_loopback(self.host)
        except ValueError:
            return False

    def check_token(self, scope: Scope, headers: dict[bytes, bytes]) -> Response | None:
        """Returns a redirection with a cookie if the address has the token, None if a cookie or
        header has it, and a refusal without the token.
        """
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if given and self.is_token(given):
            answer = RedirectResponse(scope["path"], 303, HEADERS)
            answer.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return answer
        bearer = headers.get(b"authorization", b"").decode("latin-1").removeprefix("Bearer ")
        if self.is_token(bearer) or self.is_token(cookie_of(headers)):
            return None
        return self.text("Open the address with the token that the terminal shows.", 401)

    def is_token(self, text: str) -> bool:
        """Returns True if a text is the token. The time of the comparison reveals nothing of the
        token.
        """
        return hmac.compare_digest(text.encode(), self.token.encode())

    def text(self, text: str, status: int) -> Response:
        """Returns a refusal as a response of plain text."""
        return PlainTextResponse(f"{text}\n", status, HEADERS)


def cookie_of(headers: dict[bytes, bytes]) -> str:
    """Returns the token in a request's cookies, "" without one."""
    try:
        jar = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return ""
    return jar[COOKIE].value if COOKIE in jar else ""


def page_headers(nonce: str = "") -> dict[str, str]:
    """Returns the HTTP headers of a page. nonce: the nonce of the scripts in a page that contains
    its scripts and styles, "" for a page that loads them.
    """
    script, style = (f" 'nonce-{nonce}'", "'unsafe-inline'") if nonce else ("", "'self'")
    return {**HEADERS, "Content-Security-Policy": POLICY.format(nonce=script, style=style)}


class Connection(H11Protocol):
    """A connection, closed unless the headers of its next request come within HEADERS_S.

    If more than MOST_WAITING connections wait for headers, the oldest one is closed, so that they
    do not keep readers out.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.wait()
        connections = [other for other in self.connections if isinstance(other, Connection)]
        waiting = [other for other in connections if other.waits()]
        if len(waiting) > MOST_WAITING:
            min(waiting, key=lambda other: other.since).transport.close()

    def on_response_complete(self) -> None:
        self.wait()
        super().on_response_complete()

    def wait(self) -> None:
        """Start the time within which the headers of the next request have to come."""
        self.since = self.loop.time()
        self.loop.call_later(HEADERS_S, self.close_without_another, self.cycle)

    def waits(self) -> bool:
        """Returns True while the connection is open and no request is being answered."""
        is_idle = self.cycle is None or self.cycle.response_complete
        return is_idle and not self.transport.is_closing()

    def close_without_another(self, last: RequestResponseCycle | None) -> None:
        """Close the connection unless another request has followed the last one."""
        if self.cycle is last:
            self.transport.close()  # sends the unsent part of an answer first


class WebServer:
    """A server in a thread of its own, as a context manager; `url` is its address for a browser."""

    def __init__(self, routes: list[Route], host: str, port: int) -> None:
        self.routes, self.host = routes, host
        self.token = "" if is_loopback(host) else secrets.token_urlsafe(24)
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            self.socket = socket.create_server((host, port), family=family)
        except (OSError, OverflowError) as error:
            raise UsageError(
                f"{host}:{port}: cannot listen there: {error}: give another --port"
            ) from error
        self.port: int = self.socket.getsockname()[1]
        self.n_streams = 0
        app: Any = Starlette(routes=routes)
        guard: Any = Guard(app, self.port, host, self.token)
        config = uvicorn.Config(
            guard,
            log_level="critical",
            access_log=False,
            lifespan="off",
            server_header=False,
            ws="none",
            http=Connection,
            timeout_graceful_shutdown=GOODBYE_S,
            limit_concurrency=MOST_CONNECTIONS,
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(
            target=self.server.run, args=([self.socket],), daemon=True, name="server"
        )

    @property
    def url(self) -> str:
        """The address for a browser."""
        host = self.host
        if host in ("0.0.0.0", "::"):
            host = socket.gethostname()
        if ":" in host:
            host = f"[{host}]"
        return f"http://{host}:{self.port}/" + (f"?token={self.token}" if self.token else "")

    def __enter__(self) -> "WebServer":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join(GOODBYE_S + 2)
        self.socket.close()

    def stream(self, more: Callable[[], bytes | None]) -> Response:
        """Returns a response of server-sent events, an error while MOST_STREAMS are open.

        more: called every POLL_S in another thread; returns further events, b"" if there are none,
        and None at the end.
        """
        if self.n_streams >= MOST_STREAMS:
            return PlainTextResponse("Too many pages are open.\n", 503, HEADERS)
        self.n_streams += 1

        async def events() -> AsyncIterator[bytes]:
            silent_s = 0.0
            try:
                yield b": hello\n\n"
                while not self.server.should_exit:
                    data = await asyncio.to_thread(more)
                    if data is None:
                        return
                    silent_s = 0.0 if data else silent_s + POLL_S
                    if silent_s >= BEAT_S:
                        data, silent_s = b": still here\n\n", 0.0
                    if data:
                        yield data
                    await asyncio.sleep(POLL_S)
            finally:
                self.n_streams -= 1

        return StreamingResponse(events(), media_type="text/event-stream", headers=HEADERS)
