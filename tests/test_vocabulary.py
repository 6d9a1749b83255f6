"""The code keeps to its vocabulary: no retired names, and docstrings for everything public in some modules.

docs/glossary.md has the words, docs/retired_words.txt the retired ones.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps

from tests.page_names import (
    BARE_PARTICIPLES,
    iter_data_attributes,
    iter_script_functions,
    iter_script_names,
    iter_style_classes,
    iter_template_classes,
    iter_template_names,
    list_templates,
)
from tests.page_names import (
    Name as PageName,
)
from tests.source_tree import ROOT, SOURCE_ROOMS

SOURCE_FOLDERS = ("bench", "clients", "docker", "tests", *SOURCE_ROOMS)
DOCUMENTED = (
    "common",
    "games/clock.py",
    "games/engine",
    "games/loss_forecast.py",
    "tournaments/leagues/selectors",
    "tournaments/leagues/services",
    "tournaments/pairing",
    "tournaments/ratings",
    *(f"{room}/{part}" for room in SOURCE_ROOMS for part in ("selectors", "services")),
)
# (path, kind, name), with the reason why a framework or the public protocol requires the name.
JSON_KEY = "a key of the API, which stays"
EXCEPTIONS: dict[tuple[str, str, str], str] = {
    ("clients/python/otto_client/errors.py", "field", "instead"): JSON_KEY,
    ("common/api/serializers.py", "field", "instead"): JSON_KEY,
}

# Exceptions for pages: (path, name).
READ_MODEL = "a key of a read model that the API shows too"
FORM_FIELD = "the field of a form, whose name is a parameter of the request"
STATUS_KEY = "the value of a status, by which entrants are counted"
STATUS_CLASS = "the value of a status or list kind, which the template writes as a class"
PAGE_EXCEPTIONS: dict[tuple[str, str], str] = {
    ("static/account.css", "dropped"): STATUS_CLASS,
    ("static/account.css", "waiting"): STATUS_CLASS,
    ("static/lists.css", "finished"): STATUS_CLASS,
    ("templates/games/new_game.html", "shuffled"): FORM_FIELD,
    ("templates/games/profile_results.html", "drawn"): READ_MODEL,
    ("templates/games/profile_results.html", "lost"): READ_MODEL,
    ("templates/games/profile_results.html", "played"): READ_MODEL,
    ("templates/games/profile_results.html", "won"): READ_MODEL,
    ("templates/games/replay.html", "drawn"): READ_MODEL,
    ("templates/tournaments/entrant_lines.html", "confirmed"): READ_MODEL,
    ("templates/tournaments/fairness.html", "undone"): READ_MODEL,
    ("templates/tournaments/leagues/division.html", "played"): READ_MODEL,
    ("templates/tournaments/leagues/division.html", "withdrawn"): READ_MODEL,
    ("templates/tournaments/leagues/history.html", "promoted"): READ_MODEL,
    ("templates/tournaments/organise/dashboard.html", "entered"): STATUS_KEY,
    ("templates/tournaments/organise/dashboard.html", "waiting"): STATUS_KEY,
    ("templates/tournaments/organise/dashboard.html", "withdrawn"): STATUS_KEY,
    ("templates/tournaments/organise/entrants.html", "confirmed"): READ_MODEL,
    ("templates/tournaments/standings.html", "played"): READ_MODEL,
    ("templates/tournaments/standings.html", "withdrawn"): READ_MODEL,
    ("templates/tournaments/tournament_row.html", "entered"): READ_MODEL,
}

MAX_TEMPLATE_LINE_LENGTH = 120

Function = ast.FunctionDef | ast.AsyncFunctionDef
Name = tuple[str, str, int]  # kind, name, line


def list_modules(*places: str) -> list[Path]:
    """Return the Python files under these places, without migrations."""
    paths = [path for place in places for path in [ROOT / place, *sorted((ROOT / place).rglob("*.py"))]]
    return [path for path in paths if path.suffix == ".py" and "migrations" not in path.parts]


def read_retired_words() -> dict[str, dict[str, str]]:
    """Return the retired words of each kind, each with its replacement."""
    words: dict[str, dict[str, str]] = {}
    kind = ""
    for line in (ROOT / "docs/retired_words.txt").read_text().splitlines():
        if line.startswith("["):
            kind = line.strip("[]")
            words[kind] = {}
        elif line and not line.startswith("#"):
            word, instead = line.split(" -> ")
            assert word not in words[kind], f"{word} stands twice under [{kind}]"
            words[kind][word] = instead
    return words


RETIRED = read_retired_words()


def is_property(function: Function) -> bool:
    """True if a method is read like a field."""
    return any("property" in ast.unparse(decorator) for decorator in function.decorator_list)


def iter_context_keys(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the literal keys of a dict that a template gets, also where dicts are merged or chosen."""
    if isinstance(node, ast.Dict):
        for key in node.keys:
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, key.lineno
    elif isinstance(node, ast.BinOp):
        yield from iter_context_keys(node.left)
        yield from iter_context_keys(node.right)
    elif isinstance(node, ast.IfExp):
        yield from iter_context_keys(node.body)
        yield from iter_context_keys(node.orelse)


def iter_statement_keys(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield the context keys that a statement or a call of `render` writes."""
    match node:
        case ast.Assign(targets=[ast.Name(id="context")], value=value):
            yield from iter_context_keys(value)
        case ast.AnnAssign(target=ast.Name(id="context"), value=ast.AST() as value):
            yield from iter_context_keys(value)
        case ast.AugAssign(target=ast.Name(id="context"), value=value):
            yield from iter_context_keys(value)
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id="context"), slice=ast.Constant(value=key))]):
            yield key, node.lineno
        case ast.Call(func=ast.Name(id="render"), args=arguments):
            for argument in arguments:
                yield from iter_context_keys(argument)
        case ast.FunctionDef(name=name) if name.endswith(("_context", "_row", "_rows")):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value:
                    yield from iter_context_keys(inner.value)


def iter_written_names(node: ast.AST) -> Iterator[Name]:
    """Yield the names that are written as keywords or strings: of annotations, URLs, salts and contexts."""
    match node:
        case ast.Call(func=ast.Attribute(attr="annotate" | "alias"), keywords=keywords):
            yield from (("field", keyword.arg, keyword.value.lineno) for keyword in keywords if keyword.arg)
        case ast.Call(func=ast.Name(id="path" | "re_path"), keywords=keywords):
            for keyword in keywords:
                if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
                    yield "url", keyword.value.value.replace("-", "_"), node.lineno
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text))):
            if name.endswith(("_SALT", "_PURPOSE")):
                yield "salt", re.sub(r"\W", "_", text), node.lineno
    yield from (("context", key, line) for key, line in iter_statement_keys(node))


def iter_names(node: ast.AST, in_class: bool = False) -> Iterator[Name]:
    """Yield every name that is defined below a node: functions, classes, fields, variables, parameters.

    Also yields names that are only written, see `iter_written_names`.
    """
    for child in ast.iter_child_nodes(node):
        inside_class = in_class
        if isinstance(child, Function):
            yield ("field" if is_property(child) else "function"), child.name, child.lineno
            inside_class = False
        elif isinstance(child, ast.ClassDef):
            yield "class", child.name, child.lineno
            inside_class = True
        elif isinstance(child, ast.arg):
            yield "variable", child.arg, child.lineno
        elif isinstance(child, ast.ExceptHandler) and child.name:
            yield "variable", child.name, child.lineno
        elif isinstance(child, ast.Attribute) and isinstance(child.ctx, ast.Store):
            yield "field", child.attr, child.lineno
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            kind = "constant" if child.id.isupper() else "field" if in_class else "variable"
            yield kind, child.id, child.lineno
        yield from iter_written_names(child)
        yield from iter_names(child, inside_class)


def split_name(name: str) -> set[str]:
    """Return the words of a name, in lower case: `DeedForm` and `deed_form` are a deed and a form."""
    return set(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_"))


def find_retired_names(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield kind, name and alarm of every name that is retired, or has a retired part."""
    file = path.relative_to(ROOT).as_posix()
    module = path.parent.name if path.stem == "__init__" else path.stem
    for kind, name, line in [("module", module, 1), *iter_names(ast.parse(path.read_text()))]:
        words = [name.lstrip("_"), *sorted(split_name(name) & RETIRED["part"].keys())]
        kinds = ("variable", "template", "context", "part") if kind == "context" else (kind, "part")
        retired = {word: text for each in kinds for word, text in RETIRED.get(each, {}).items()}
        instead = [retired[word] for word in words if word in retired]
        if instead and (file, kind, name) not in EXCEPTIONS:
            yield kind, name, f"{file}:{line}: {kind} {name} -> {instead[0]}"


def find_missing_docstrings(path: Path) -> Iterator[str]:
    """Yield an alarm for a module, public class, function or method without a docstring."""

    def find_below(node: ast.Module | ast.ClassDef) -> Iterator[ast.ClassDef | Function]:
        for child in node.body:
            if isinstance(child, ast.ClassDef | Function) and not child.name.startswith("_"):
                if child.name != "Meta" and not ast.get_docstring(child):
                    yield child
                if isinstance(child, ast.ClassDef):
                    yield from find_below(child)

    file, tree = path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())
    if not ast.get_docstring(tree):
        yield f"{file}:1: module"
    yield from (f"{file}:{node.lineno}: {node.name}" for node in find_below(tree))


@pytest.mark.parametrize("folder", SOURCE_FOLDERS)
def test_no_name_is_retired(folder: str) -> None:
    alarms = [alarm for path in list_modules(folder) for _kind, _name, alarm in find_retired_names(path)]
    assert not alarms, "\n".join(["retired names; see docs/glossary.md:", *alarms])


def test_a_retired_name_that_is_only_written_is_found() -> None:
    source = """
leagues.annotate(mine=Exists(own), **more)
path("", show, name="pulse")
JOIN_SALT = "tournaments.knock"
context: dict = {"house": 1} | {"until": 2}
context["terms"] = 3
def seat_context(): return {"cautions": 4} if x else {"soon": 5}
render(request, "x.html", {"words": 6})
"""
    names = {(kind, name) for kind, name, _line in iter_names(ast.parse(source))}
    keys = {("context", key) for key in ("house", "until", "terms", "cautions", "soon", "words")}
    assert names >= keys | {("field", "mine"), ("url", "pulse"), ("salt", "tournaments_knock")}


def test_every_model_is_in_the_glossary() -> None:
    glossary = (ROOT / "docs/glossary.md").read_text()
    models = [model for model in apps.get_models() if model.__module__.split(".")[0] in SOURCE_ROOMS]
    assert len(models) > 40
    missing = [model.__name__ for model in models if not re.search(rf"`{model.__name__}[`.]", glossary)]
    assert missing == [], "each needs a line in docs/glossary.md"


def test_every_exception_is_needed() -> None:
    for (file, kind, name), reason in EXCEPTIONS.items():
        assert reason
        names = [definition[:2] for definition in iter_names(ast.parse((ROOT / file).read_text()))]
        assert (kind, name) in names, f"{file} has no {kind} {name} any more"


@pytest.mark.parametrize("place", DOCUMENTED)
def test_everything_public_has_a_docstring(place: str) -> None:
    alarms = [alarm for path in list_modules(place) for alarm in find_missing_docstrings(path)]
    assert not alarms, "\n".join(["without a docstring:", *alarms])


def test_no_template_line_is_too_long() -> None:
    alarms = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} characters"
        for path in sorted((ROOT / "templates").rglob("*"))
        if path.suffix in (".html", ".txt", ".svg", ".xml")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > MAX_TEMPLATE_LINE_LENGTH
    ]
    assert not alarms, "\n".join(["break these lines:", *alarms])


# ------------------------------------------------------------------------------------------------------ pages


def iter_page_names(path: Path) -> Iterator[tuple[tuple[str, ...], PageName]]:
    """Yield every name of a template, style sheet or script, with the kinds of retired words that bind it."""
    text = path.read_text()
    if path.suffix == ".css":
        yield from ((("style",), name) for name in iter_style_classes(text))
    elif path.suffix == ".js":
        yield from ((("variable",), name) for name in iter_script_names(text))
        yield from ((("function",), name) for name in iter_script_functions(text))
    else:
        yield ("module", "variable"), (path.name.split(".")[0], 1)
        yield from ((("variable", "template"), name) for name in iter_template_names(text))
        yield from ((("style",), name) for name in iter_template_classes(text))
    yield from ((("style",), name) for name in iter_data_attributes(text))


def find_retired_page_names(path: Path) -> Iterator[tuple[str, str]]:
    """Yield name and alarm of every name of a page that is retired or a bare participle."""
    file = path.relative_to(ROOT).as_posix()
    for kinds, (name, line) in sorted(set(iter_page_names(path)), key=lambda page_name: page_name[1][::-1]):
        word = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|-", "_", name).lower()
        retired = dict.fromkeys(BARE_PARTICIPLES, "the noun of the thing, or is_…, has_…, can_…")
        for kind in (*kinds, "part"):
            retired |= {old.replace("-", "_"): instead for old, instead in RETIRED[kind].items()}
        words = [word, *sorted(split_name(word) & RETIRED["part"].keys())]
        if instead := [retired[old] for old in words if old in retired]:
            yield name, f"{file}:{line}: {name} -> {instead[0]}"


def list_page_files() -> list[str]:
    """Return the paths of all templates, style sheets and scripts."""
    static = ROOT / "static"
    paths = [*list_templates(), *sorted(static.glob("*.css")), *sorted(static.glob("*.js"))]
    return [path.relative_to(ROOT).as_posix() for path in paths]


@pytest.mark.parametrize("file", list_page_files())
def test_no_name_of_a_page_is_retired(file: str) -> None:
    alarms = [
        alarm for name, alarm in find_retired_page_names(ROOT / file) if (file, name) not in PAGE_EXCEPTIONS
    ]
    assert not alarms, "\n".join(["retired names; see docs/glossary.md:", *alarms])


@pytest.mark.parametrize("file", [file for file in list_page_files() if file.endswith(".js")])
def test_a_function_of_a_script_is_a_verb_with_its_object(file: str) -> None:
    functions = iter_script_functions((ROOT / file).read_text())
    alarms = [f"{file}:{line}: {name}" for name, line in functions if not re.search(r"[a-z0-9][A-Z]", name)]
    assert not alarms, "\n".join(["one word says too little:", *alarms])


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("entrants.html", "{% for one in entrants %}{% endfor %}", "one"),
        ("entrants.html", "{{ league.status_told }}", "status_told"),
        ("entrants.html", "{% include 'x.html' with mine=True %}", "mine"),
        ("entrants.html", "{% url 'game' asked.code as address %}", "asked"),
        ("entrants.html", '<p class="row{% if game.is_own %} mine{% endif %}">', "mine"),
        ("entrants.html", "<p data-kept>", "kept"),
        ("desk.html", "", "desk"),
        ("style.css", ".row > .deeds { margin: 0 }", "deeds"),
        ("script.js", "const told = [...lines];", "told"),
        ("script.js", "send([...fetched], `${told.length}`);", "fetched"),
        ("script.js", "async function shuffled(items) {}", "shuffled"),
        ("script.js", "send(item.dataset.wanted);", "wanted"),
    ],
)
def test_a_retired_name_in_a_page_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, name: str
) -> None:
    monkeypatch.setattr("tests.test_vocabulary.ROOT", tmp_path)
    (tmp_path / file).write_text(text)
    assert name in dict(find_retired_page_names(tmp_path / file))


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("entrants.html", '{% translate "one told me" %}{# told #}{{ game.name|told }}<p class="seat-list">'),
        (
            "script.js",
            "const { joined: seats } = record; // told\nconst text = `told` + event.stolen;",
        ),
        ("style.css", "/* .deeds */ .row { margin: .5rem }"),
    ],
)
def test_texts_comments_and_keys_of_others_are_no_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str
) -> None:
    monkeypatch.setattr("tests.test_vocabulary.ROOT", tmp_path)
    (tmp_path / file).write_text(text)
    assert not list(find_retired_page_names(tmp_path / file))


def test_every_exception_for_a_page_is_needed() -> None:
    for (file, name), reason in PAGE_EXCEPTIONS.items():
        assert reason
        assert name in dict(find_retired_page_names(ROOT / file)), f"{file} has no {name} any more"
