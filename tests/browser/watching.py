"""What goes wrong while somebody looks at pages: errors, answers that nobody expected, strangers' hosts."""

from __future__ import annotations

from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

watches: WeakKeyDictionary[BrowserContext, Watch] = WeakKeyDictionary()
# That an answer was no 200, of which `answered` knows whether it is expected; and that a frame which must not
# run scripts did not run our own.
ASIDE = ("Failed to load resource: the server responded", "Blocked script execution in 'about:srcdoc'")


class Watch:
    """Notes what goes wrong in all pages of a context, pop-ups too."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        self.troubles: list[str] = []
        self.expected: set[int] = set()
        self.running: set[Request] = set()  # not answered yet; streams, which have no end, aside
        context.on("console", self.said)
        context.on("weberror", self.raised)
        context.on("request", self.asked)
        context.on("response", self.answered)
        context.on("requestfinished", self.finished)
        context.on("requestfailed", self.failed)
        watches[context] = self

    def begin(self, *statuses: int) -> None:
        """A new page in an old window: what went wrong before, and what was expected, is past."""
        self.troubles, self.expected = [], {*statuses}

    def expect(self, *statuses: int) -> None:
        """Answers with these statuses are what the test wants to see."""
        self.expected |= {*statuses}

    def check(self) -> None:
        """Raises AssertionError if anything went wrong since the last look."""
        troubles, self.troubles = self.troubles, []
        assert not troubles, "\n".join(troubles)

    # --------------------------------------------------------------------------------- what the browser tells

    def said(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(ASIDE):
            self.troubles.append(f"console: {message.text} ({message.location['url']})")

    def raised(self, error: WebError) -> None:
        self.troubles.append(f"script: {error.error}")

    def asked(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in {"http", "https", "ws", "wss"} and address.netloc != urlsplit(self.url).netloc:
            self.troubles.append(f"a request to a stranger: {request.url}")
        if request.resource_type != "eventsource":
            self.running.add(request)

    def answered(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.troubles.append(f"{response.status}: {response.request.method} {response.url}")

    def finished(self, request: Request) -> None:
        self.running.discard(request)

    def failed(self, request: Request) -> None:
        self.running.discard(request)
        if request.failure != "net::ERR_ABORTED":  # whoever leaves a page does not wait for the rest of it
            self.troubles.append(f"failed: {request.method} {request.url} {request.failure}")


def watch_of(page: Page) -> Watch:
    """The watch over a page's context."""
    return watches[page.context]
