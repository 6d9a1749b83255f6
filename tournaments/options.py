"""The options of tournaments and leagues, each declared once, as in `games.options`."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from django.db.models import NOT_PROVIDED
from django.utils.functional import lazy as lazily
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from common.duration_format import format_duration
from games import clock, option_text
from games.options import GAME_OPTIONS, FixedFrom, Option, build_options, group_by_section
from tournaments.models import GameSettings, League, Tournament
from tournaments.models.limits import TABLE_SIZE

REMATCH_TIME_DIVISOR = 4  # by default a rematch has a quarter of the time
HOURS, DAYS = clock.SECONDS_PER_HOUR, clock.SECONDS_PER_DAY  # what a form counts a duration in at first
ALL_TABLES = tuple(range(TABLE_SIZE.minimum, TABLE_SIZE.maximum + 1))
SMALL_TABLES, LARGE_TABLES = ALL_TABLES[:1], ALL_TABLES[1:]
KNOCKOUT, ROUND_ROBIN, SWISS = (
    Tournament.Format.KNOCKOUT,
    Tournament.Format.ROUND_ROBIN,
    Tournament.Format.SWISS,
)


def describe_rematch_allowance_default() -> str:
    """Describe the default time for a turn of a rematch."""
    return _("In a knock-out a draw is played again, with less time. Empty: %(share)s of the usual time.") % {
        "share": option_text.format_fraction(REMATCH_TIME_DIVISOR)
    }


def describe_rematch_bank_default() -> str:
    """Describe the default time bank of a rematch."""
    return _("Empty: %(share)s of the usual reserve.") % {
        "share": option_text.format_fraction(REMATCH_TIME_DIVISOR)
    }


def describe_round_length(seconds: int) -> str:
    """Describe how long a round lasts, and what happens at its end."""
    span = format_duration(timedelta(seconds=seconds))
    return _("A round lasts %(span)s; what is still played then is decided by points") % {"span": span}


# What all games of a tournament or league have in common.
GAME_SETTINGS_OPTIONS = build_options(
    GameSettings,
    Option("mode", api_help="whether players enter alone or in pairs"),
    Option(
        "table_size",
        api_help="entrants at a table; in pairs 2",
        response_help="entrants at a table, at most",
    ),
    GAME_OPTIONS["edition"],
    replace(GAME_OPTIONS["cards"], help_text="", section="games"),
    GAME_OPTIONS["cards_from"],
    Option(
        "obligation",
        values=("strict",),
        api_help="strict: whoever can close a figure must",
        api_error=lazy("Tournaments and leagues are played with the duty to close figures."),
    ),
    GAME_OPTIONS["target"],
    GAME_OPTIONS["seniority_rule"],
    GAME_OPTIONS["hints"],
    replace(GAME_OPTIONS["time_control"], choices=option_text.list_time_control_choices),
    Option(
        "allowance",
        lazy("Time for each turn"),
        duration_unit=HOURS,
        api_help="seconds for a turn; for a custom clock",
    ),
    Option(
        "bank",
        lazy("In reserve, for the whole game"),
        duration_unit=DAYS,
        api_help="seconds in reserve; for a custom clock",
    ),
    Option(
        "blind_allowance",
        lazy("Time for a turn of a blind match"),
        option_text.lazy_blind_default(),
        duration_unit=HOURS,
        api_help=GAME_OPTIONS["blind_allowance"].api_help,
        section="games",
    ),
    Option(
        "rematch_allowance",
        lazy("Time for a turn of a rematch"),
        lazily(describe_rematch_allowance_default, str)(),
        duration_unit=HOURS,
        api_help="seconds for a turn of a rematch; a quarter if you say none",
        response_help="of a rematch",
        section="games",
    ),
    Option(
        "rematch_bank",
        lazy("In reserve, for a rematch"),
        lazily(describe_rematch_bank_default, str)(),
        duration_unit=HOURS,
        api_help="seconds in reserve for a rematch; a quarter if you say none",
        section="games",
    ),
    replace(GAME_OPTIONS["timeout_policy"], has_api_labels=False),
    GAME_OPTIONS["weekends"],
    GAME_OPTIONS["nights"],
    Option(
        "vacation",
        default=NOT_PROVIDED,
        api_help="clocks rest on vacation; by default unless games are quick ones",
        describe=lambda is_on: "" if is_on else _("Clocks run through vacations"),
        section="games",
    ),
    replace(
        GAME_OPTIONS["chat"],
        api_help="whether those at a table can talk",
        describe=lambda _is_on: _("No talk at the tables"),
        fixed_from=FixedFrom.END,
    ),
    Option("rated", lazy("Rated"), lazy("The games count for ratings."), section="games"),
    Option(
        "private",
        lazy("Private games"),
        lazy("Only those at a table see its game; results are public all the same."),
        api_help="games are for those who play them",
        describe=lambda _is_on: _("Only those who play a game can see it"),
        section="games",
    ),
    Option(
        "round_length",
        lazy("A round lasts at most"),
        lazy(
            "What is still played then is decided by the points on the table, and the next round can begin. "
            "Empty: games are played to their end, however long it takes."
        ),
        duration_unit=DAYS,
        api_help="seconds until what is still played in a round is decided by its points; null: never",
        response_help="seconds",
        describe=describe_round_length,
        section="running",
        fixed_from=FixedFrom.END,
    ),
    fixed_from=FixedFrom.FIRST_ENTRY,
)

NAME = Option("name", lazy("Name"), is_required=True, fixed_from=FixedFrom.END)
TEXT = Option(
    "text",
    lazy("What players should know"),
    lazy("Who it is for, prizes, house rules: plain text, shown on its page."),
    default=NOT_PROVIDED,
    api_help="what players should know",
    fixed_from=FixedFrom.END,
)
CYCLES = Option(
    "cycles",
    lazy("How often two players meet"),
    lazy("For a round robin at tables of two."),
    api_help="round robin: how often two meet",
    describe=lambda n: _("All meet %(n)s times.") % {"n": n},
    section="shape",
    formats={ROUND_ROBIN: SMALL_TABLES},
)
ALL_ROUNDS_AT_ONCE = Option(
    "all_rounds_at_once",
    lazy("All rounds begin at once"),
    lazy("For a round robin: everybody plays all their games side by side."),
    api_help="round robin: all rounds begin together",
    describe=lambda _is_on: _("All games begin at once."),
    section="shape",
    formats={ROUND_ROBIN: ALL_TABLES},
)

TOURNAMENT_OPTIONS = build_options(
    Tournament,
    NAME,
    TEXT,
    Option("format", is_required=True, api_help="how entrants are paired", fixed_from=FixedFrom.FIRST_ENTRY),
    Option(
        "round_count",
        lazy("Number of rounds"),
        lazy(
            "For Swiss rounds, and for a round robin at tables of three or four. Empty: as many as it takes."
        ),
        api_help="of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes",
        describe=lambda n: ngettext("There is one round.", "There are %(n)s rounds.", n) % {"n": n},
        section="shape",
        formats={SWISS: ALL_TABLES, ROUND_ROBIN: LARGE_TABLES},
    ),
    CYCLES,
    ALL_ROUNDS_AT_ONCE,
    Option(
        "advancing_count",
        lazy("How many go on from a table"),
        lazy("For a knock-out at tables of three or four."),
        api_help="knock-out: how many go on from a table of 3 or 4",
        section="shape",
        formats={KNOCKOUT: LARGE_TABLES},
    ),
    Option(
        "third_place",
        lazy("A match for third place"),
        lazy("For a knock-out at tables of two."),
        api_help="knock-out at tables of 2",
        describe=lambda _is_on: _("The losers of the semi-finals play for the third place."),
        section="shape",
        formats={KNOCKOUT: SMALL_TABLES},
    ),
    Option(
        "opens_at",
        lazy("Entries open"),
        lazy("Empty: as soon as it is published."),
        api_help="from when one may enter; null: at once",
        section="entry",
    ),
    Option(
        "closes_at",
        lazy("Entries close"),
        lazy("Empty: at the start."),
        api_help="until when; null: until the start",
        section="entry",
        fixed_from=FixedFrom.END,
    ),
    Option(
        "starts_at",
        lazy("Starts"),
        lazy("Empty: when you say so. You can start it sooner."),
        api_help="null: when it is full, or by you",
    ),
    Option(
        "when_full",
        lazy("Starts as soon as it is full"),
        lazy("Give a number of places above."),
        api_help="starts as soon as all places are taken",
        describe=lambda _is_on: _("It starts as soon as all places are taken."),
        section="entry",
    ),
    Option(
        "capacity",
        lazy("Places"),
        lazy("Who comes later is put on a waiting list. Empty: room for all."),
    ),
    Option(
        "confirmation",
        lazy("Players confirm that they will be there"),
        lazy("Who has not confirmed by the start does not play."),
        api_help="only who has confirmed plays",
        describe=lambda _is_on: _("Only those who confirm before the start will play."),
        section="entry",
    ),
    Option(
        "by_invitation",
        lazy("By invitation only"),
        lazy("You invite people by name once it is made."),
        describe=lambda _is_on: _("By invitation only."),
        section="entry",
    ),
    Option(
        "late_entry",
        lazy("One can enter later"),
        lazy("For Swiss rounds: who comes after the start plays from the next round on."),
        api_help="Swiss: people may come in later",
        describe=lambda _is_on: _("One can come in later, too, from the next round on."),
        section="entry",
        fixed_from=FixedFrom.END,
        formats={SWISS: ALL_TABLES},
    ),
    Option(
        "bots_allowed",
        lazy("Bots may take part"),
        lazy("Programs that somebody here runs. A game between a bot and a person is not rated."),
        api_help="whether bot accounts may enter; a game between a bot and a person is not rated",
        describe=lambda _is_on: _("Bots may take part; a game between a bot and a person is not rated."),
        section="entry",
        fixed_from=FixedFrom.FIRST_ENTRY,
    ),
    Option("min_rating", lazy("Lowest rating"), section="entry"),
    Option(
        "max_rating",
        lazy("Highest rating"),
        lazy("Who begins has 1500. Empty: open to all."),
        section="entry",
    ),
    Option(
        "seeding",
        lazy("Seeds"),
        lazy("Who is strong meets the other strong ones late. You can set seeds by hand, too."),
        section="entry",
    ),
    Option(
        "hold_on_warnings",
        lazy("Ask me when something is odd"),
        lazy(
            "A bye, somebody absent, a pairing that was played before: the round waits until you say go on."
        ),
        api_help="warnings about a round wait for the organiser",
        section="running",
        fixed_from=FixedFrom.END,
    ),
    Option(
        "manual_approval",
        lazy("I look at every round first"),
        lazy("No round begins before you have seen its pairings."),
        api_help="every round waits until the organiser has seen it",
        section="running",
        fixed_from=FixedFrom.END,
    ),
    fixed_from=FixedFrom.START,
)
# Those that pairing follows, besides the format.
SHAPE_OPTIONS = {name: TOURNAMENT_OPTIONS[name] for name in group_by_section(TOURNAMENT_OPTIONS)["shape"]}

LEAGUE_OPTIONS = build_options(
    League,
    NAME,
    TEXT,
    Option(
        "format",
        lazy("How a season is played"),
        lazy("In a round robin everybody meets everybody else of their division."),
        choices=((ROUND_ROBIN, lazy("Round robin")), (SWISS, lazy("Swiss rounds"))),
    ),
    Option(
        "round_count",
        lazy("Number of rounds"),
        lazy("For Swiss rounds. Empty: as many as it takes."),
        api_help="of Swiss",
        section="shape",
        formats={SWISS: ALL_TABLES},
    ),
    Option(
        "division_size",
        lazy("Places in a division"),
        lazy("With eight, everybody plays seven games in a season."),
        is_required=True,
        form_default=8,
        api_help="of a division",
    ),
    Option(
        "promotion_count",
        lazy("How many go up, and down"),
        lazy("After each season, between neighbouring divisions."),
        api_help="how many go up, and down",
    ),
    Option(
        "groups_per_division",
        lazy("Groups in a division"),
        lazy("With more than one, groups play apart and are ranked together."),
        api_help="in a division",
        section="shape",
    ),
    replace(CYCLES, api_help="how often two meet in a season"),
    replace(ALL_ROUNDS_AT_ONCE, api_help="all rounds of a season begin together"),
    Option("newcomer_policy", lazy("Where new players begin")),
    Option(
        "season_pause",
        lazy("Pause between two seasons"),
        lazy("Time to breathe, to leave and to come in. Empty: the next season begins at once."),
        duration_unit=HOURS,
        form_default=3 * DAYS,
        api_help="seconds between two seasons",
        section="shape",
    ),
    Option(
        "season_limit",
        lazy("Number of seasons"),
        lazy("Empty: season after season, until you close the league."),
        api_help="null: for ever",
        section="shape",
    ),
)
