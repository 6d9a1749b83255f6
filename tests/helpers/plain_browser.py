"""A browser without scripts: it follows links and submits forms that it finds in the HTML of a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client


@dataclass
class Form:
    """A form with its fields; name and value of a button are sent only if it is pressed."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)  # name, value, text
    options: dict[str, list[str]] = field(default_factory=dict)


class Page(HTMLParser):
    """The forms, links and cells of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.forms: list[Form] = []
        self.cells: dict[str, str] = {}  # cell -> link
        self.labels: dict[str, str] = {}
        self.links: list[tuple[str, dict[str, str]]] = []
        self.headings: list[str] = []
        self._cell = self._select = ""
        self._open: list[str] = []
        self._words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        self._words = ""
        if tag == "form":
            self.forms.append(Form(at.get("action", ""), at.get("method", "get")))
        elif tag == "input" and self.forms and "name" in at:
            if at.get("type") not in ("radio", "checkbox") or "checked" in at:
                unsaid = "on" if at.get("type") in ("radio", "checkbox") else ""
                self.forms[-1].fields[at["name"]] = at.get("value", unsaid)
        elif tag == "select" and self.forms:
            self._select = at["name"]
            self.forms[-1].options[self._select] = []
        elif tag == "option" and self._select:
            self._open.append(at.get("value", ""))
        elif tag == "button" and self.forms:
            self.forms[-1].buttons.append((at.get("name", ""), at.get("value", ""), ""))
        elif tag == "li" and "data-cell" in at:
            self._cell = at["data-cell"]
        elif tag == "a":
            self.links.append((at.get("href", ""), at))
            if self._cell:
                self.cells[self._cell] = at["href"]

    def handle_data(self, data: str) -> None:
        self._words += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "option" and self._select:
            value = self._open.pop() or self._words.strip()
            self.forms[-1].options[self._select].append(value)
        elif tag == "select":
            self._select = ""
        elif tag == "button" and self.forms and self.forms[-1].buttons:
            name, value, _ = self.forms[-1].buttons[-1]
            self.forms[-1].buttons[-1] = (name, value, self._words.strip())
        elif tag == "span" and self._cell and self._cell not in self.labels:
            self.labels[self._cell] = self._words.strip()
        elif tag == "li":
            self._cell = ""
        elif tag in ("h1", "h2"):
            self.headings.append(self._words.strip())

    def form(self, *, action: str) -> Form:
        """Return the form with this action that has a button."""
        return next(form for form in self.forms if form.action == action and form.buttons)

    def plays(self) -> list[tuple[Form, str]]:
        """List the actions that buttons play, with their forms, except for resigning."""
        return [
            (form, value)
            for form in self.forms
            for name, value, _words in form.buttons
            if name == "action" and value and value != "resign"
        ]

    def step(self, marker: str) -> list[str]:
        """List the links with the next step of a choice whose URL has this part."""
        return [href for href, _at in self.links if href.startswith("?") and marker in href]


class PlainBrowser:
    """A window of this browser."""

    def __init__(self, client: Client, path: str) -> None:
        self.client, self.path = client, path
        self.page = self.look()

    def look(self, query: str = "") -> Page:
        answer = self.client.get(self.path + query.partition("#")[0])
        assert answer.status_code == 200, answer.status_code
        self.page = Page(answer.content.decode())
        return self.page

    def press(self, form: Form, name: str = "", value: str = "", **fields: str) -> Any:
        sent = form.fields | fields | ({name: value} if name else {})
        return self.client.post(form.action or self.path, sent)
