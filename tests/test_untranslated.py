"""Text that is not marked for translation: in templates, refusals, messages and labels of pages.

tests/test_languages.py compares the catalogues with marked texts; these tests find unmarked ones.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.source_tree import ROOT, iter_modules

# ------------------------------------------------------------------------------------------------ templates

# Names, and words that are equal in every language.
SAME = {"OTTO", "online", "English", "Italiano", "Nederlands", "OK"}
TYPED = {"draw\nB b3 90"}  # typed actions are equal in every language
READ_OUT = ("title", "aria-label", "alt", "placeholder")
_COMMENT = re.compile(r"\{%\s*comment\b.*?%\}.*?\{%\s*endcomment\s*%\}|\{#.*?#\}", re.DOTALL)
_BLOCK = re.compile(r"\{%\s*blocktrans(?:late)?\b.*?%\}.*?\{%\s*endblocktrans(?:late)?\s*%\}", re.DOTALL)
_DEFAULT = re.compile(r"""\|\s*(?:default|default_if_none|yesno):(["'])(.*?)\1""")
_TAG = re.compile(r"\{%.*?%\}", re.DOTALL)
_VALUE = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class TextFinder(HTMLParser):
    """Collects the readable text of a page: text, and attributes that are shown or read out."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.code = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.code += tag in ("pre", "code", "style", "script")
        attributes = {name: value or "" for name, value in attrs}
        read_out = [attributes[name] for name in READ_OUT if name in attributes]
        if tag == "meta" and attributes.get("name") == "description":
            read_out.append(attributes.get("content", ""))
        if tag == "input" and attributes.get("type") == "submit":
            read_out.append(attributes.get("value", ""))
        self.texts += read_out

    def handle_endtag(self, tag: str) -> None:
        self.code -= tag in ("pre", "code", "style", "script")

    def handle_data(self, data: str) -> None:
        if not self.code:
            self.texts.append(data)


def find_unmarked_text(source: str, *, html: bool = True) -> list[str]:
    """Return the words of a template that are English in every language."""
    source = _BLOCK.sub(" ", _COMMENT.sub(" ", source))
    defaults = [text for _quote, text in _DEFAULT.findall(source)]
    bare = _TAG.sub("", _VALUE.sub(" ", source))
    if html:
        reader = TextFinder()
        reader.feed(bare)
        reader.close()
        texts = [*reader.texts, *defaults]
    else:
        texts = [bare, *defaults]
    return [word for text in texts if text not in TYPED for word in _WORD.findall(text) if word not in SAME]


def list_templates() -> list[Path]:
    folder = ROOT / "templates"
    paths = [path for path in folder.rglob("*") if path.suffix in (".html", ".txt", ".svg")]
    # The rules of the game, and their summary, have a separate page for each language.
    own_pages = [folder / "games" / "rules", folder / "games" / "summary"]
    return [path for path in paths if not any(path.is_relative_to(page) for page in own_pages)]


@pytest.mark.parametrize(
    ("source", "expected_texts"),
    [
        ("<p>Hello there</p>", ["Hello", "there"]),
        ('<p>{% translate "Hello" %} {{ name }} {# not shown #}</p>', []),
        ("{% blocktranslate %}<b>Hello</b>{% endblocktranslate %}<code>draw</code><pre>B b3</pre>", []),
        ('<img alt="A board"><a title="{% translate "x" %}" aria-label="Go">→</a>', ["A", "board", "Go"]),
        ('<input placeholder="a name" value="none"><input type="submit" value="Go">', ["a", "name", "Go"]),
        ('{{ name|default:"nobody" }} {{ x|default:_("nobody") }}', ["nobody"]),
        ("{% if x %}until{% endif %} 3d", ["until", "d"]),
        ('<p class="lead" lang="en">OTTO <span>online</span></p>', []),
        ("{% comment %}Hello{% endcomment %}", []),
    ],
)  # fmt: skip
def test_the_search_finds_what_is_shown_and_nothing_else(source: str, expected_texts: list[str]) -> None:
    assert find_unmarked_text(source) == expected_texts


def test_every_word_of_a_template_can_be_translated() -> None:
    texts_by_file = {
        str(path.relative_to(ROOT)): find_unmarked_text(path.read_text(), html=path.suffix != ".txt")
        for path in list_templates()
    }
    assert len(texts_by_file) > 50
    assert {name: words for name, words in texts_by_file.items() if words} == {}


# ------------------------------------------------------------------------------- refusals, messages, labels

TRANSLATORS = {
    "_", "gettext", "gettext_lazy", "gettext_noop", "lazy", "noop",
    "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy", "npgettext", "npgettext_lazy",
}  # fmt: skip
# Names of error classes whose text is shown to people: of services, of the engine, and of forms.
REFUSALS = {
    "ServiceError", "Conflict", "Denied", "Invalid", "NotFound", "StaleWrite",
    "IllegalAction", "NotYourTurn", "UnreadableAction", "InvalidSetup", "InvalidTimeControl",
    "ValidationError", "ParseError", "Http404",
}  # fmt: skip
MESSAGES = {"debug", "info", "success", "warning", "error"}
LABELS = {"label", "help_text", "empty_label"}


def get_called_name(node: ast.expr) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))


def iter_bare_text(node: ast.expr, *, strict: bool = False) -> Iterator[str]:
    """Yield the untranslated words of an expression; with `strict`, also texts of other errors."""
    match node:
        case ast.Call(func=func) if get_called_name(func) in TRANSLATORS:
            return
        case ast.Call(func=ast.Attribute(value=value, attr="format")):
            yield from iter_bare_text(value, strict=strict)
        case ast.Call(func=ast.Name(id="str"), args=[_]) if strict:
            yield ast.unparse(node)
        case ast.BinOp(left=left, op=ast.Mod()):  # the inserted values are no texts
            yield from iter_bare_text(left, strict=strict)
        case ast.BinOp(left=left, right=right):
            yield from iter_bare_text(left, strict=strict)
            yield from iter_bare_text(right, strict=strict)
        case ast.IfExp(body=body, orelse=orelse):
            yield from iter_bare_text(body, strict=strict)
            yield from iter_bare_text(orelse, strict=strict)
        case ast.BoolOp(values=values) | ast.List(elts=values) | ast.Tuple(elts=values):
            for value in values:
                yield from iter_bare_text(value, strict=strict)
        case ast.Dict(values=values):  # keys are names of fields
            for value in values:
                yield from iter_bare_text(value, strict=strict)
        case ast.JoinedStr(values=values):
            for value in values:
                yield from iter_bare_text(value, strict=strict)
        case ast.Constant(value=str(text)) if _WORD.search(text):
            yield text


def find_untranslated_text(source: str, *, labels: bool = False) -> list[str]:
    """Return the texts of a module that reach people without a translator."""
    texts: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = get_called_name(node.func)
        if name in REFUSALS and node.args:
            texts += iter_bare_text(node.args[0], strict=name not in ("ValidationError", "Http404"))
        is_message = isinstance(node.func, ast.Attribute) and get_called_name(node.func.value) == "messages"
        if is_message and name in MESSAGES and len(node.args) > 1:
            texts += iter_bare_text(node.args[1])
        if labels:
            for keyword in node.keywords:
                if keyword.arg in LABELS:
                    texts += iter_bare_text(keyword.value)
    return texts


@pytest.mark.parametrize(
    ("source", "expected_texts"),
    [
        ('raise Conflict("it is over", code="over")', ["it is over"]),
        ('raise Conflict(_("it is over"), code="over")', []),
        ('raise errors.Invalid(f"one of {names}")', ["one of "]),
        ('raise Invalid(_("one of %(names)s") % {"names": "a, b"})', []),
        ('raise InvalidSetup(_("one of {names}"), names="a, b")', []),
        ("raise Invalid(str(error))", ["str(error)"]),
        ("raise Invalid(error.translate_message(_)) from None", []),
        ('raise ValidationError({"seq": "say which"})', ["say which"]),
        ('messages.success(request, "Saved." if ok else _("Not saved."))', ["Saved."]),
        ('messages.error(request, f"{said} {why}")', []),
        ("messages.error(request, str(refusal))", []),
        ('log.error("request", "said to nobody but us")', []),
        ('raise Http404(_("There is no such game."))', []),
    ],
)
def test_the_search_finds_what_is_said_without_a_translator(source: str, expected_texts: list[str]) -> None:
    assert find_untranslated_text(source) == expected_texts


def test_labels_of_forms_are_searched_where_people_see_them() -> None:
    form = 'x = CharField(label="Name", help_text=_("as others see it"))'
    assert find_untranslated_text(form, labels=True) == ["Name"]
    assert find_untranslated_text(form) == []


def test_every_refusal_message_and_label_can_be_translated() -> None:
    texts_by_file = {}
    modules = list(iter_modules())
    for path in modules:
        labels = "web" in path.relative_to(ROOT).parts
        if words := find_untranslated_text(path.read_text(), labels=labels):
            texts_by_file[str(path.relative_to(ROOT))] = words
    assert len(modules) > 100
    assert texts_by_file == {}
