"""A small web server of another origin: a page that uses the service, and streams that say when to come again."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

_PAGE = Path(__file__).with_name("page.html").read_bytes()


@dataclass(frozen=True)
class Elsewhere:
    """The server, which has two names: pages of the one are of another origin than those of the other."""

    port: int

    @property
    def origin(self) -> str:
        """Where pages are from."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def other_origin(self) -> str:
        """Where the same pages are from, too."""
        return f"http://localhost:{self.port}"


class _Handler(BaseHTTPRequestHandler):
    """Gives the page at `/`, and at `/stream?retry=` an event stream that ends as soon as it has said that."""

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if asked.path == "/":
            self._answer("text/html; charset=utf-8", _PAGE)
        else:
            retry = "".join(f"retry: {each}\n\n" for each in parse_qs(asked.query).get("retry", []))
            self._answer("text/event-stream", retry.encode())

    def _answer(self, media: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name in the library
        """Write nothing."""


@contextmanager
def elsewhere_serving() -> Generator[Elsewhere]:
    """Run it in a thread."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True  # a browser connects before it has anything to ask: nobody waits for that to end
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield Elsewhere(server.server_port)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
