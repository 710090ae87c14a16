"""Who may ask for the page, and what goes out with every answer."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Lets in what was addressed to this machine by this page, and marks what goes out."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = refused_by(scope["method"], scope["path"], Headers(scope=scope))

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)  # a report brings a policy of its own
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        if refusal is None:
            await self.app(scope, receive, marked)
        else:
            status, message = refusal
            await JSONResponse({"error": message}, status)(scope, receive, marked)


def refused_by(method: str, path: str, headers: Headers) -> tuple[int, str] | None:
    """Why a request is not answered, or None where it is."""
    host = headers.get("host", "")
    name, _, port = host.partition(":")
    if name not in HOSTS or not (port.isdecimal() or not port):
        return 400, "this page answers only to 127.0.0.1 and localhost: use the address that `tourney serve` prints."
    costly = method not in ("GET", "HEAD") or path.startswith("/api/")
    if costly and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return 403, "another web page asked for this: only the page itself may."
    origin = headers.get("origin")
    if costly and origin is not None and origin != f"http://{host}":
        return 403, f"a page of {origin[:60]} asked for this: only the page itself may."
    return None
