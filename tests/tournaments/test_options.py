"""An option is declared once: form, API, service, admin and read models follow from the declaration."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db.models import NOT_PROVIDED

from games.api.serializers import NewGameSerializer
from games.options import GAME_OPTIONS, Option, OptionTable
from games.services import lobby
from games.web.create_game_form import NewGameForm
from tests.factories.cast import open_browser, player
from tests.source_tree import iter_modules
from tournaments.api import request_serializers
from tournaments.leagues.web.form import LeagueForm
from tournaments.options import GAME_SETTINGS_OPTIONS, LEAGUE_OPTIONS, TOURNAMENT_OPTIONS
from tournaments.services import game_settings
from tournaments.web.tournament_form import TournamentForm

ROOT = Path(settings.BASE_DIR)
TABLES: list[tuple[OptionTable, Any, Any]] = [
    (GAME_OPTIONS, NewGameForm, NewGameSerializer),
    (TOURNAMENT_OPTIONS | GAME_SETTINGS_OPTIONS, TournamentForm, request_serializers.NewTournamentSerializer),
    (LEAGUE_OPTIONS | GAME_SETTINGS_OPTIONS, LeagueForm, request_serializers.NewLeagueSerializer),
]
EVERY_OPTION = [(option, form, serializer) for table, form, serializer in TABLES for option in table.values()]
# This app is ready before the others and adds an option for an existing column; the rest is built afterwards.
NEW_OPTION = """
from types import ModuleType

import django.conf
from django.apps import AppConfig, apps

class NewOption(AppConfig):
    path = "."

    def ready(self):
        from games.options import FixedFrom, Option
        from tournaments.models import Tournament
        from tournaments.options import TOURNAMENT_OPTIONS

        TOURNAMENT_OPTIONS["group"] = Option(
            "group", "Group", "One of several.", model=Tournament, api_help="a group", section="entry",
            fixed_from=FixedFrom.END, formats={"swiss": (2,)}, describe="Group {}.".format,
        )

apps.populate([NewOption("new_option", ModuleType("new_option")), *django.conf.settings.INSTALLED_APPS])

from common.read_model_serializers import build_serializer
from tournaments.admin import TournamentAdmin
from tournaments.api.request_serializers import NewTournamentSerializer
from tournaments.models import Tournament
from tournaments.read_models.tournaments import TournamentData
from tournaments.selectors.tournament_read_models import settings_dict
from tournaments.services import tournaments
from tournaments.text import describe_entry_rules
from tournaments.web.tournament_form import TournamentForm, build_initial_values, list_fixed_fields

field = TournamentForm.base_fields["group"]
assert (field.label, field.help_text, field.initial, field.min_value) == ("Group", "One of several.", 1, 0)
assert "group" in TournamentForm.sections["entry"]
form = TournamentForm({"name": "Cup", "format": "swiss", "group": "3"})
assert form.is_valid() and form.build_settings()["group"] == 3, form.errors
form = TournamentForm({"name": "Cup", "format": "knockout", "group": "3"})
assert form.is_valid() and form.build_settings()["group"] == 1, "it does not fit"
request_field = NewTournamentSerializer().fields["group"]
assert (request_field.help_text, request_field.default, request_field.min_value) == ("a group", 1, 0)
assert "group" in build_serializer(TournamentData)().fields
assert TournamentAdmin.display_fields.count("group") == 2, "as an option, and as what the admin had before"
event = Tournament(name="Cup", format="swiss", group=5, allowance=60, bank=0, status="running")
assert settings_dict(event)["group"] == 5
assert "Group 5." in describe_entry_rules(settings_dict(event))
assert build_initial_values(event)["group"] == 5
assert "group" not in list_fixed_fields(event)
event.group = -1
try:
    tournaments.check_tournament(event)
except tournaments.Invalid as error:
    assert str(error).startswith("group: "), error
else:
    raise AssertionError("the service takes what is beyond the limits of the column")
print("seen everywhere")
"""


def test_a_row_in_the_table_is_an_option_everywhere() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", NEW_OPTION], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert answer.stdout.strip() == "seen everywhere", answer.stderr


def test_an_option_has_a_column() -> None:
    for option, _form, _serializer in EVERY_OPTION:
        assert option.column.name == option.name


@pytest.mark.parametrize(
    ("option", "form", "serializer"), EVERY_OPTION, ids=lambda value: getattr(value, "name", "")
)
def test_form_and_api_have_the_default_of_the_declaration(option: Option, form: Any, serializer: Any) -> None:
    field = serializer().fields[option.key]
    assert field.source == option.name
    if option.default_value is not NOT_PROVIDED:
        assert field.default == option.default_value
    else:
        assert field.required == option.is_required
    if option.label:
        assert form.base_fields[option.name].initial == option.initial_value


def test_services_have_the_default_of_the_declaration() -> None:
    for table, validate in (
        (GAME_OPTIONS, lobby.validate_game_settings),
        (GAME_SETTINGS_OPTIONS, game_settings.validate_game_settings),
    ):
        chosen = validate()
        assert chosen.keys() == table.keys()
        for name, option in table.items():
            if option.default_value not in (NOT_PROVIDED, None):
                assert chosen[name] == option.default_value
        with pytest.raises(TypeError):
            validate(colour="red")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "tables"),
    [
        ("/games/new/", [GAME_OPTIONS]),
        ("/tournaments/new/", [TOURNAMENT_OPTIONS, GAME_SETTINGS_OPTIONS]),
        ("/leagues/new/", [LEAGUE_OPTIONS, GAME_SETTINGS_OPTIONS]),
    ],
)
def test_a_page_has_every_field(address: str, tables: list[OptionTable]) -> None:
    player("ada")
    page = open_browser("ada").get(address).text
    names = {name for table in tables for name, option in table.items() if option.label}
    missing = {name for name in names if not re.search(rf'name="{name}(_0)?"', page)}
    assert missing == ({"rematch_allowance", "rematch_bank"} if address == "/leagues/new/" else set())


# ----------------------------------------------------------------------------------- single source of limits

NUMBERS = {
    option.name for option, _form, _serializer in EVERY_OPTION if option.kind in ("number", "duration")
}


def list_modules() -> Iterator[Path]:
    for path in iter_modules():
        if not {"models", "engine", "pairing"} & set(path.parts):
            yield path


def is_own_range(keyword: ast.keyword) -> bool:
    written = ast.dump(keyword)
    return keyword.arg is None and "bounds" in written and "_OPTIONS" not in written


def states_limits(call: ast.expr) -> bool:
    return isinstance(call, ast.Call) and any(
        keyword.arg in ("min_value", "max_value", "validators") or is_own_range(keyword)
        for keyword in call.keywords
    )


def test_no_field_states_the_limits_of_an_option() -> None:
    alarms = []
    for path in list_modules():
        for scope in ast.walk(ast.parse(path.read_text())):
            for line in scope.body if isinstance(scope, ast.ClassDef) else ():
                if isinstance(line, ast.Assign) and states_limits(line.value):
                    names = {target.id for target in line.targets if isinstance(target, ast.Name)}
                    alarms += [f"{path.name}: {scope.name}.{name}" for name in names & NUMBERS]  # type: ignore[attr-defined]
    assert not alarms


def test_no_service_compares_an_option_with_limits_of_its_own() -> None:
    alarms = []
    for path in list_modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare) and len(node.ops) == 2:
                sides = [node.left, node.comparators[1]]
                middle = node.comparators[0]
                name = middle.attr if isinstance(middle, ast.Attribute) else ""
                if name in NUMBERS and any(isinstance(side, ast.Constant) for side in sides):
                    alarms.append(f"{path.name}:{node.lineno} {name}")
    assert not alarms


def test_a_limit_of_an_option_is_a_constant_that_only_columns_use() -> None:
    """Code outside the models uses `option.limits`; only sentences and other fields may use the constants."""
    ranges = ("TABLE_SIZE", "CAPACITY", "RATING", "CYCLES", "ADVANCING_COUNT", "DIVISION_SIZE")
    ranges += (
        "PROMOTION_COUNT",
        "GROUPS_PER_DIVISION",
        "SEASON_PAUSE",
        "SEASON_LIMIT",
        "TARGET_SCORE",
        "BANK",
    )
    used = {
        f"{path.relative_to(ROOT)}: {node.attr}"
        for path in list_modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in ranges
        and isinstance(node.value, ast.Name)
        and node.value.id == "limits"
    }
    assert not used
