"""The options of a game, each declared once: form, API, service, admin and page follow from the declaration.

A declaration is a column of a model and a row here. The column says type, limits, choices, default and
whether the option may be empty; the `Option` says what people read and what the column cannot say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import datetime
from enum import StrEnum, auto
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import NOT_PROVIDED
from django.utils.translation import gettext_lazy as lazy

from common.field_limits import NumberRange
from games import clock, option_text
from games.engine import DEFAULT_EDITION, OBLIGATIONS, SENIORITY_RULES, list_edition_names
from games.models import Game

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Kind = Literal["boolean", "number", "duration", "choice", "moment", "text"]
FROM_COLUMN = object()  # the default of an option that takes the column's


class FixedFrom(StrEnum):
    """From when on an option cannot change."""

    FIRST_ENTRY = auto()
    START = auto()
    END = auto()


@dataclass(frozen=True)
class Option:
    """A choice of a creator or organiser. Without a `label` no form has a field for it, or one made by hand.

    A `default` of NOT_PROVIDED leaves the choice to the service; `form_default` is another one for the form.
    `values` are the choices where the column has none, `choices` those of the form with their labels;
    `has_api_labels`: the API documents the labels of the column.
    `formats` are the formats that it fits, each with its table sizes; None: all. `describe` makes a sentence
    of a value that is not the default, "" if there is nothing to say.
    """

    name: str
    label: StrOrPromise = ""
    help_text: StrOrPromise = ""
    _: KW_ONLY
    model: type[models.Model] = Game
    api_name: str = ""
    api_help: str = ""
    response_help: str = ""
    api_error: StrOrPromise = ""
    default: Any = FROM_COLUMN
    form_default: Any = FROM_COLUMN
    values: Sequence[str] = ()
    choices: Sequence[tuple[Any, StrOrPromise]] | Callable[[], Sequence[tuple[str, StrOrPromise]]] = ()
    has_api_labels: bool = False
    is_required: bool = False
    duration_unit: int | None = None
    section: str = ""
    fixed_from: FixedFrom | None = None
    formats: Mapping[str, Collection[int]] | None = None
    describe: Callable[[Any], str] | None = None

    @property
    def column(self) -> models.Field[Any, Any]:
        """The column of the model."""
        return cast("models.Field[Any, Any]", self.model._meta.get_field(self.name))

    @property
    def key(self) -> str:
        """The name in requests and responses of the API."""
        return self.api_name or self.name

    @property
    def kind(self) -> Kind:
        """The type of the value, which decides the field of forms and serializers."""
        if self.duration_unit:
            return "duration"
        if self.allowed_values:
            return "choice"
        kinds: list[tuple[type[models.Field[Any, Any]], Kind]] = [
            (models.BooleanField, "boolean"),
            (models.IntegerField, "number"),
            (models.DateTimeField, "moment"),
        ]
        return next((kind for column, kind in kinds if isinstance(self.column, column)), "text")

    @property
    def allowed_values(self) -> list[str]:
        """The values of a choice; empty: not a choice."""
        return list(self.values) or [str(value) for value, _label in self.column.choices or ()]

    @property
    def limits(self) -> NumberRange:
        """The limits of a number or duration, which its column has."""
        minimums, maximums = (
            [check.limit_value for check in self.column.validators if type(check) is validator_class]
            for validator_class in (MinValueValidator, MaxValueValidator)
        )
        return NumberRange(max(minimums), min(maximums))

    @property
    def default_value(self) -> Any:
        """The value without a choice; NOT_PROVIDED if the service decides or it must be chosen."""
        return self.column.default if self.default is FROM_COLUMN else self.default

    @property
    def initial_value(self) -> Any:
        """The initial value of a form field; None for an empty one."""
        value = self.default_value if self.form_default is FROM_COLUMN else self.form_default
        return None if value is NOT_PROVIDED else value

    def describe_value(self, value: Any) -> str:
        """Describe a value in the reader's language; "" if it is the default or needs no sentence."""
        is_default = value in (None, self.default_value)
        return self.describe(value) if self.describe and not is_default else ""

    def fits(self, format_code: str | None, table_size: int) -> bool:
        """True if the option has a meaning in a format at tables of a size."""
        return self.formats is None or table_size in self.formats.get(format_code or "", ())


OptionTable = dict[str, Option]  # by name, in the order of the API


def build_options(
    model: type[models.Model], *options: Option, fixed_from: FixedFrom | None = None
) -> OptionTable:
    """Build the table of a model's options; `fixed_from` holds for those that say nothing else."""
    return {
        option.name: replace(option, model=model, fixed_from=option.fixed_from or fixed_from)
        for option in options
    }


def group_by_section(*tables: OptionTable) -> dict[str, tuple[str, ...]]:
    """Return the names of the options in each section of a form."""
    options = [option for table in tables for option in table.values()]
    sections = dict.fromkeys(option.section for option in options if option.section)
    return {
        section: tuple(option.name for option in options if option.section == section) for section in sections
    }


def read_options(instance: models.Model, names: Iterable[str]) -> dict[str, Any]:
    """Return the values that an instance has for options."""
    return {name: getattr(instance, name) for name in names}


def read_api_options(instance: models.Model, table: OptionTable) -> dict[str, Any]:
    """Return the values that an instance has for the options of a table, by their API names."""
    return {option.key: getattr(instance, name) for name, option in table.items()}


def list_option_types(table: OptionTable) -> dict[str, Any]:
    """Return the types of the options' values by their API names, as a read model has them."""
    types: dict[Kind, Any] = {"boolean": bool, "number": int, "duration": int, "moment": datetime}
    option_types = {}
    for option in table.values():
        choices = option.allowed_values if option.column.choices else ()
        value_type = Literal[tuple(choices)] if choices else types.get(option.kind, str)
        if option.column.null:
            value_type = value_type | None
        help_text = option.response_help or option.api_help or option.label or option.help_text
        option_types[option.key] = Annotated[value_type, help_text]
    return option_types


def add_defaults(table: OptionTable, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value for each option: the chosen one, its default, or None where the service decides.

    Raises TypeError on names that are no options.
    """
    if unknown_names := choices.keys() - table.keys():
        raise TypeError(f"no options: {', '.join(sorted(unknown_names))}")
    defaults = {
        name: None if option.default_value is NOT_PROVIDED else option.default_value
        for name, option in table.items()
    }
    return defaults | dict(choices)


GAME_OPTIONS = build_options(
    Game,
    Option(
        "mode",
        default=Game.Mode.SINGLES.value,
        api_help="How it is played: `singles`, `pairs` (four players) or `solo` (one).",
    ),
    Option(
        "seat_count",
        api_name="seats",
        api_help="How many players it takes: 2 to 4 in singles. In pairs there are always 4, in solo 1.",
    ),
    Option(
        "edition",
        lazy("Rulebook"),
        lazy("Each box has a few rules of its own. The tiles are the same."),
        api_help="The edition of the rules.",
        default=DEFAULT_EDITION,
        values=tuple(list_edition_names()),
        choices=option_text.list_edition_choices,
        section="games",
    ),
    Option(
        "cards",
        lazy("Secret cards"),
        lazy("They stir things up. Leave them out of your first game."),
        api_help="Whether secret cards are played. The default depends on the edition.",
        default=NOT_PROVIDED,
        choices=(
            ("", lazy("as the rulebook says")),
            (True, lazy("with secret cards")),
            (False, lazy("without cards")),
        ),
    ),
    Option(
        "cards_from",
        lazy("First match with cards"),
        api_help="The first match with cards: 1, or 2 to learn the tiles first.",
        choices=(
            (1, lazy("from the first match on")),
            (2, lazy("from the second match on: first learn the tiles")),
        ),
        section="games",
    ),
    Option(
        "obligation",
        lazy("Duty to close figures"),
        api_help="`strict`: a placement must make an 8 or close a figure where it can. `lenient`:"
        " it need not.",
        values=OBLIGATIONS,
        choices=(
            ("strict", lazy("strict: if you can close a figure, you must")),
            ("lenient", lazy("head in the clouds: a point you miss stays there for the others")),
        ),
        section="games",
    ),
    Option(
        "target",
        lazy("Points to play for"),
        lazy("The rulebooks say 24. At 8, one match is often enough."),
        api_help="The points that a side needs to end the game.",
        section="games",
    ),
    Option(
        "seniority_rule",
        lazy("Seniority"),
        lazy("The oldest takes the first tile and wins ties for the start."),
        api_name="seniority",
        api_help="How the oldest player is found: by the age of the account, or by lot. The default"
        " depends on the edition.",
        default=NOT_PROVIDED,
        values=SENIORITY_RULES,
        choices=(
            ("", lazy("as the rulebook says")),
            ("account", lazy("by age of account")),
            ("lot", lazy("by lot, in every game")),
        ),
        section="games",
    ),
    Option(
        "hints",
        lazy("Help with closing figures"),
        lazy("Spotting figures is part of the game. Either way, we refuse a move that breaks a duty."),
        api_help="Whether pages and mails show where a figure can be closed."
        " The API always lists the legal actions.",
        choices=(
            (True, lazy("show where a figure can be closed")),
            (False, lazy("no help: spot them yourself")),
        ),
        section="games",
    ),
    Option(
        "time_control",
        lazy("Time per turn"),
        option_text.lazy_time_control(),
        api_name="clock",
        api_help="The time control: the name of a preset, or `custom` with `allowance_seconds` and"
        " `bank_seconds`.",
        default=clock.DEFAULT_PRESET,
        values=(*clock.TIME_CONTROL_PRESETS, "custom"),
        choices=option_text.list_preset_choices,
    ),
    Option(
        "allowance",
        api_name="allowance_seconds",
        api_help="The time for each turn, in seconds. Only with the clock `custom`.",
    ),
    Option(
        "bank",
        api_name="bank_seconds",
        api_help="The reserve for the whole game, in seconds. Only with the clock `custom`.",
    ),
    Option(
        "blind_allowance",
        api_name="blind_allowance_seconds",
        default=None,
        api_help="The time for a turn of a blind match, in seconds. Null means half the usual time.",
    ),
    Option(
        "timeout_policy",
        lazy("If time runs out"),
        api_name="timeouts",
        api_help="What happens when time is up. `autoplay`: the server plays the turn. `forfeit`:"
        " the side resigns.",
        has_api_labels=True,
        choices=option_text.list_timeout_choices,
        section="games",
    ),
    Option(
        "weekends",
        lazy("Clocks stop at weekends"),
        api_help="Whether clocks stop at the weekend.",
        section="games",
    ),
    Option(
        "nights",
        lazy("Clocks stop at night"),
        option_text.lazy_nights(),
        api_help="Whether clocks stop in each player's night hours, at most 12 of 24. Changed"
        " hours count from the next turn.",
        section="games",
    ),
    Option(
        "vacation",
        default=None,
        api_help="Whether clocks stop while a player is on vacation. The default is true, except"
        " for quick games.",
    ),
    Option(
        "seat_order",
        api_name="order",
        api_help="How seats are numbered at the start: in the order of joining, or by lot.",
    ),
    Option(
        "private",
        lazy("Private"),
        lazy("Only its players, and people with an invitation, see the game."),
        api_help="Whether only invited players can see and join it.",
        section="games",
    ),
    Option(
        "rated",
        lazy("Rated"),
        lazy("Only between people, and only with the duty to close figures."),
        api_help="Whether it counts for ratings. Only games of people, with the obligation"
        " `strict`, can be rated.",
        section="games",
    ),
    Option(
        "chat",
        lazy("Chat at the table"),
        api_help="Whether the players can chat.",
        section="games",
    ),
    Option(
        "bots_allowed",
        lazy("Other players’ bots may join"),
        lazy(
            "Players here run them as programs. We ask people to agree before they sit down. Not for "
            "rated games."
        ),
        api_help="Whether bot accounts may take a seat; in a game that a bot creates it is always true."
        " A rated game is either for people or, created by a bot, for bots only.",
        section="games",
    ),
)
