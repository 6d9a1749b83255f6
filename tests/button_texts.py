"""The texts of all buttons in templates, forms and mails."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser

from django.template.base import Lexer, Token, TokenType

from tests.site_texts import Message, list_messages
from tests.source_tree import ROOT, iter_modules
from tests.text_checks import MAX_BUTTON_LENGTH, Finding

# Sample values for placeholders in buttons: a name of common length, a number of two digits.
LONG_NAME, LONG_NUMBER = "Marjolein", "12"
_STRING = re.compile(r"""(["'])(.*?)\1""", re.DOTALL)
_MARK = re.compile("\ue000(\\d+)\ue001")
_VARIABLE = re.compile("\ue002(.*?)\ue003")
_ARGUMENT = re.compile(r"""\b(\w+)=_\((["'])(.*?)\2\)""")
_SCRIPT_TEXT = re.compile(r"data-\w+-text")
_VALUE = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")
NUMBER_NAMES = {"n", "number", "count", "points", "round", "rank", "left", "days", "seq", "seats", "total"}
# Strings next to the text of a button that are no texts.
NO_TEXTS = {"/lobby/": "the address that a button of a mail leads to"}
BUTTON_NAMES = {"button", "button_text", "button_label", "submit_label"}
# Variables that are the text of a button in a template, each with where its texts are found.
VARIABLES = {
    "alternative.description": "allauth names the other ways to confirm who you are",
    "button_text": "where the template is included",
    "form.button_text": "the classes of forms",
    "label|capfirst": "ACTION_BUTTONS",
    "target.description|capfirst": "moves in words: as long as their cards and players",
    "rotation.picture": "a picture",
    "rotation.preview": "the points of a tile: a number",
}
# Buttons whose Dutch text has no infinitive: they name a thing or a direction, or say what the reader says.
WITHOUT_INFINITIVE = {
    *("All seasons and champions", "Bots", "First lesson", "Leagues", "Lobby", "Mailbox", "PDF, %(name)s"),
    *("Season %(n)s", "The game", "Your account", "Your games", "as %(card)s", "Pause", "Replay", "Rematch"),
    *(
        "New game",
        "New league",
        "New tournament",
        "Older ones",
        "Next",
        "Next lesson",
        "Next step",
        "Previous",
    ),
    *("Next waiting game", "Back", "Back to the table", "Continue", "Continue: your turn", "Open the table"),
    *("Continue without a password", "Go to the home page", "Go to tournament", "Make it a person’s account"),
    *("Join the waiting list", "Leave the waiting list"),
    *("Copied", "I will play", "No, stay", "No, thanks", "This was not me", "Was it fair?"),
}
ACTION_BUTTONS = dict.fromkeys(("draw a tile", "pass", "answer with {card}"), "games/engine/text.py")


class ButtonFinder(HTMLParser):
    """Collects the marks inside buttons, without texts for screen readers only."""

    VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})

    def __init__(self) -> None:
        super().__init__()
        self.marks: list[int] = []
        self.variables: list[str] = []
        self.button = ""  # the tag of the open button
        self.depth = 0  # open elements with this tag
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        classes = attributes.get("class", "").split()
        if tag == "input" and attributes.get("type") == "submit":
            self.marks += map(int, _MARK.findall(attributes.get("value", "")))
        elif self.button:
            self.depth += tag == self.button
            if self.hidden or {"hidden", "visually-hidden"} & {*classes}:
                self.hidden += tag not in self.VOID
        elif tag == "button" or (tag in ("a", "span", "summary") and "button" in classes):
            self.button, self.depth, self.hidden = tag, 1, 0
            for name, value in attributes.items():
                if _SCRIPT_TEXT.fullmatch(name):  # a script shows it on the button
                    self.marks += map(int, _MARK.findall(value))

    def handle_endtag(self, tag: str) -> None:
        if self.button:
            self.hidden -= self.hidden > 0
            self.depth -= tag == self.button
            if not self.depth:
                self.button = ""

    def handle_data(self, data: str) -> None:
        if self.button and not self.hidden:
            self.marks += map(int, _MARK.findall(data))
            self.variables += _VARIABLE.findall(data)


def read_block(tokens: list[Token], start: int) -> tuple[str, int]:
    """Return the message of a blocktranslate, as in catalogues, and the index after its end."""
    words, place = "", start + 1
    while not tokens[place].contents.startswith("endblocktrans"):
        token = tokens[place]
        if token.token_type == TokenType.BLOCK:  # {% plural %}
            words = ""
        else:
            words += f"%({token.contents})s" if token.token_type == TokenType.VAR else token.contents
        place += 1
    return words, place + 1


def mark_template(source: str, messages: list[str]) -> str:
    """Return the HTML of a template; each message is added to the list and replaced by its index."""
    tokens, html, place = Lexer(source).tokenize(), "", 0
    while place < len(tokens):
        token, place = tokens[place], place + 1
        name = token.contents.split(" ", 1)[0]
        if token.token_type == TokenType.TEXT:
            html += token.contents
        elif token.token_type == TokenType.VAR:
            html += f"\ue002{token.contents}\ue003"
        elif token.token_type != TokenType.BLOCK:
            continue
        elif name.startswith("blocktrans"):
            words, place = read_block(tokens, place - 1)
            if "trimmed" in token.contents:
                words = " ".join(line.strip() for line in words.strip().splitlines())
            html += f"\ue000{len(messages)}\ue001"
            messages.append(words)
        elif name in ("translate", "trans") and " as " not in token.contents:
            html += f"\ue000{len(messages)}\ue001"
            messages.append(_STRING.search(token.contents)[2])  # type: ignore[index]
        elif name == "include" and (included := _STRING.search(token.contents)):
            path = ROOT / "templates" / included[2]
            is_small = path.exists() and "<" not in path.read_text().split("%}", 1)[-1]
            html += mark_template(path.read_text(), messages) if is_small else ""
    return html


def read_template(source: str) -> tuple[list[str], list[str]]:
    """Return the messages and the variables of the buttons of a template."""
    messages: list[str] = []
    finder = ButtonFinder()
    finder.feed(mark_template(source, messages))
    finder.close()
    return [messages[mark] for mark in finder.marks], finder.variables


def find_button_messages(source: str) -> list[str]:
    """Return the messages of the buttons of a template, and of those that it includes with their text."""
    arguments = [
        message
        for tag in re.findall(r"{%\s*include\b.*?%}", source, re.DOTALL)
        for name, _quote, message in _ARGUMENT.findall(tag)
        if name in BUTTON_NAMES or (name == "label" and "button.html" in tag)
    ]
    return read_template(source)[0] + arguments


def list_button_variables() -> dict[str, str]:
    """Return each variable that stands in a button of the templates, with one of its files."""
    return {
        variable: path.relative_to(ROOT).as_posix()
        for path in (ROOT / "templates").rglob("*.html")
        for variable in read_template(path.read_text())[1]
    }


def iter_template_buttons() -> Iterator[tuple[str, str]]:
    """Yield message and file of each button of the templates."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        place = path.relative_to(ROOT).as_posix()
        yield from ((words, place) for words in find_button_messages(path.read_text()))


def iter_code_buttons() -> Iterator[tuple[str, str]]:
    """Yield message and file of each button of forms and mails."""
    for path in iter_modules():
        place = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in BUTTON_NAMES:
                    yield from ((words, place) for words in iter_first_messages(value))
                case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                    for target, value in zip(names, values, strict=True):
                        if getattr(target, "id", "") in BUTTON_NAMES:
                            yield from ((words, place) for words in iter_first_messages(value))
                case ast.Dict(keys=keys, values=values):
                    for key, value in zip(keys, values, strict=True):
                        if isinstance(key, ast.Constant) and key.value in BUTTON_NAMES:
                            yield from ((words, place) for words in iter_first_messages(value))
                case ast.keyword(arg=arg, value=value) if arg in BUTTON_NAMES:
                    yield from ((words, place) for words in iter_first_messages(value))
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if (
                    name in BUTTON_NAMES
                ):
                    yield from ((words, place) for words in iter_first_messages(value))
                case ast.FunctionDef(returns=ast.Name(id="Link")):
                    links = [part.value for part in ast.walk(node) if isinstance(part, ast.Return)]
                    labels = [link.elts[0] for link in links if isinstance(link, ast.Tuple)]
                    yield from ((words, place) for label in labels for words in iter_first_messages(label))


def iter_first_messages(node: ast.expr) -> Iterator[str]:
    """Yield the message of each call in an expression."""
    for part in ast.walk(node):
        match part:
            case ast.Call(func=ast.Name(id="pgettext"), args=[_, ast.Constant(value=str(words)), *_]):
                yield words
            case ast.Call(args=[ast.Constant(value=str(words)), *_]):
                yield words


@cache
def list_buttons() -> dict[str, str]:
    """Return the message of each button with one of its files."""
    buttons = ACTION_BUTTONS | dict(iter_code_buttons())
    return buttons | dict(iter_template_buttons())


def fill_in(words: str) -> str:
    """Return a text without tags, with sample values for placeholders."""
    words = re.sub(r"<[^>]*>", "", words)
    return _VALUE.sub(
        lambda value: LONG_NUMBER if (value[1] or value[2]) in NUMBER_NAMES else LONG_NAME, words
    )


def find_long_buttons(buttons: Mapping[str, str] | None = None) -> Iterator[Finding]:
    """Yield a finding for each button that is too long in a language or is in no catalogue."""
    messages: dict[str, Message] = {
        words: message for message in list_messages() for words in message.english
    }
    for words, place in (list_buttons() if buttons is None else buttons).items():
        if words in NO_TEXTS:
            continue
        if not (message := messages.get(words)):
            yield Finding("buttons", "en", place, words, "in no catalogue, so nobody knows its length")
            continue
        forms = [("en", form) for form in message.english]
        forms += [(language, form) for language, parts in message.translations.items() for form in parts]
        for language, form in forms:
            if (length := len(" ".join(fill_in(form).split()))) > MAX_BUTTON_LENGTH:
                yield Finding("buttons", language, place, form, f"{length} characters")


_INFINITIVE = re.compile(r"(?:^|.* )\w+(?:en|aan)(?::.*)?|\w+(?:en|aan) .*")


def find_dutch_imperatives(buttons: Mapping[str, str] | None = None) -> Iterator[Finding]:
    """Yield a finding for each button whose Dutch text has no infinitive at its end or beginning."""
    messages = {words: message for message in list_messages() for words in message.english}
    for words, place in (list_buttons() if buttons is None else buttons).items():
        if words in {*NO_TEXTS, *WITHOUT_INFINITIVE, *ACTION_BUTTONS} or words not in messages:
            continue
        for form in messages[words].translations["nl"]:
            if not _INFINITIVE.fullmatch(form):
                yield Finding("buttons", "nl", place, form, f"without infinitive; English: {words}")
