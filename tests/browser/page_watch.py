"""Records errors on pages: script errors, unexpected statuses, requests to other hosts."""

from __future__ import annotations

from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

watches: WeakKeyDictionary[BrowserContext, PageWatch] = WeakKeyDictionary()
# Console errors to ignore: failed responses, which `on_response` checks, and our own script blocked in a
# sandboxed frame.
ASIDE = ("Failed to load resource: the server responded", "Blocked script execution in 'about:srcdoc'")


class PageWatch:
    """Records the errors of all pages of a context, pop-ups included."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        self.errors: list[str] = []
        self.expected: set[int] = set()
        self.running: set[Request] = set()  # requests without an answer, except for endless streams
        context.on("console", self.on_console)
        context.on("weberror", self.on_page_error)
        context.on("request", self.on_request)
        context.on("response", self.on_response)
        context.on("requestfinished", self.on_request_finished)
        context.on("requestfailed", self.on_request_failed)
        watches[context] = self

    def begin(self, *statuses: int) -> None:
        """Forget the errors and expected statuses of earlier pages; expect these statuses."""
        self.errors, self.expected = [], {*statuses}

    def expect(self, *statuses: int) -> None:
        """Accept responses with these statuses."""
        self.expected |= {*statuses}

    def check(self) -> None:
        """Raise AssertionError if an error was recorded since the last check."""
        troubles, self.errors = self.errors, []
        assert not troubles, "\n".join(troubles)

    # ---------------------------------------------------------------------------------- events of the browser

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(ASIDE):
            self.errors.append(f"console: {message.text} ({message.location['url']})")

    def on_page_error(self, error: WebError) -> None:
        self.errors.append(f"script: {error.error}")

    def on_request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.netloc != urlsplit(self.url).netloc:
            self.errors.append(f"a request to a stranger: {request.url}")
        if request.resource_type != "eventsource":
            self.running.add(request)

    def on_response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.errors.append(f"{response.status}: {response.request.method} {response.url}")

    def on_request_finished(self, request: Request) -> None:
        self.running.discard(request)

    def on_request_failed(self, request: Request) -> None:
        self.running.discard(request)
        if request.failure != "net::ERR_ABORTED":  # leaving a page aborts its requests
            self.errors.append(f"failed: {request.method} {request.url} {request.failure}")


def get_watch(page: Page) -> PageWatch:
    """Return the watch of a page's context."""
    return watches[page.context]
