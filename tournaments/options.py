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
    Option("mode", api_help="Whether players enter alone or in pairs."),
    Option(
        "table_size",
        api_help="How many entrants sit at a table, 2 to 4; in pairs always 2.",
        response_help="entrants at a table, at most",
    ),
    GAME_OPTIONS["edition"],
    replace(GAME_OPTIONS["cards"], help_text="", section="games"),
    GAME_OPTIONS["cards_from"],
    Option(
        "obligation",
        values=("strict",),
        api_help="`strict`: a placement must make an 8 or close a figure where it can. `lenient`: it need"
        " not.",
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
        api_name="allowance_seconds",
        api_help=GAME_OPTIONS["allowance"].api_help,
    ),
    Option(
        "bank",
        lazy("In reserve, for the whole game"),
        duration_unit=DAYS,
        api_name="bank_seconds",
        api_help=GAME_OPTIONS["bank"].api_help,
    ),
    Option(
        "blind_allowance",
        lazy("Time for a turn of a blind match"),
        option_text.lazy_blind_default(),
        duration_unit=HOURS,
        api_name="blind_allowance_seconds",
        api_help=GAME_OPTIONS["blind_allowance"].api_help,
        section="games",
    ),
    Option(
        "rematch_allowance",
        lazy("Time for a turn of a rematch"),
        lazily(describe_rematch_allowance_default, str)(),
        duration_unit=HOURS,
        api_name="rematch_allowance_seconds",
        api_help="The time for a turn of a rematch, in seconds. Null means a quarter of the usual time.",
        response_help="The time for a turn of a rematch, in seconds.",
        section="games",
    ),
    Option(
        "rematch_bank",
        lazy("In reserve, for a rematch"),
        lazily(describe_rematch_bank_default, str)(),
        duration_unit=HOURS,
        api_name="rematch_bank_seconds",
        api_help="The reserve for a rematch, in seconds. Null means a quarter of the usual reserve.",
        response_help="The reserve for a rematch, in seconds.",
        section="games",
    ),
    replace(GAME_OPTIONS["timeout_policy"], has_api_labels=False),
    GAME_OPTIONS["weekends"],
    GAME_OPTIONS["nights"],
    Option(
        "vacation",
        default=NOT_PROVIDED,
        api_help="Whether clocks rest while a player is on vacation. The default is true, except"
        " for quick games.",
        describe=lambda is_on: "" if is_on else _("Clocks run through vacations"),
        section="games",
    ),
    replace(
        GAME_OPTIONS["chat"],
        api_help="Whether the players at a table can chat.",
        describe=lambda _is_on: _("No talk at the tables"),
        fixed_from=FixedFrom.END,
    ),
    Option(
        "rated",
        lazy("Rated"),
        lazy("The games count for ratings."),
        api_help="Whether its games count for ratings.",
        section="games",
    ),
    Option(
        "private",
        lazy("Private games"),
        lazy("Only those at a table see its game; results are public all the same."),
        api_help="Whether only the players of a game can see it.",
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
        api_name="round_length_seconds",
        api_help="How long a round lasts, in seconds. Points then decide the games that still run."
        " Null for no limit.",
        response_help="How long a round lasts, in seconds; null for no limit.",
        describe=describe_round_length,
        section="running",
        fixed_from=FixedFrom.END,
    ),
    fixed_from=FixedFrom.FIRST_ENTRY,
)

NAME = Option(
    "name", lazy("Name"), api_help="The name, as players read it.", is_required=True, fixed_from=FixedFrom.END
)
TEXT = Option(
    "text",
    lazy("What players should know"),
    lazy("Who it is for, prizes, house rules: plain text, shown on its page."),
    default=NOT_PROVIDED,
    api_help="A text for the players, without formatting.",
    fixed_from=FixedFrom.END,
)
CYCLES = Option(
    "cycles",
    lazy("How often two players meet"),
    lazy("For a round robin at tables of two."),
    api_help="Round robin: how many times two entrants meet.",
    describe=lambda n: _("All meet %(n)s times.") % {"n": n},
    section="shape",
    formats={ROUND_ROBIN: SMALL_TABLES},
)
ALL_ROUNDS_AT_ONCE = Option(
    "all_rounds_at_once",
    lazy("All rounds begin at once"),
    lazy("For a round robin: everybody plays all their games side by side."),
    api_help="Round robin: whether all rounds begin together.",
    describe=lambda _is_on: _("All games begin at once."),
    section="shape",
    formats={ROUND_ROBIN: ALL_TABLES},
)

TOURNAMENT_OPTIONS = build_options(
    Tournament,
    NAME,
    TEXT,
    Option(
        "format",
        is_required=True,
        api_help="How entrants are paired: knock-out, double elimination, round robin or Swiss.",
        fixed_from=FixedFrom.FIRST_ENTRY,
    ),
    Option(
        "round_count",
        lazy("Number of rounds"),
        lazy(
            "For Swiss rounds, and for a round robin at tables of three or four. Empty: as many as it takes."
        ),
        api_help="The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null:"
        " as many as it takes.",
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
        api_help="Knock-out: how many entrants go on from a table of 3 or 4.",
        section="shape",
        formats={KNOCKOUT: LARGE_TABLES},
    ),
    Option(
        "third_place",
        lazy("A match for third place"),
        lazy("For a knock-out at tables of two."),
        api_help="Knock-out at tables of 2: whether the third place is played for.",
        describe=lambda _is_on: _("The losers of the semi-finals play for the third place."),
        section="shape",
        formats={KNOCKOUT: SMALL_TABLES},
    ),
    Option(
        "opens_at",
        lazy("Entries open"),
        lazy("Empty: as soon as it is published."),
        api_help="When entries open; null for at once.",
        section="entry",
    ),
    Option(
        "closes_at",
        lazy("Entries close"),
        lazy("Empty: at the start."),
        api_help="When entries close; null for at the start.",
        section="entry",
        fixed_from=FixedFrom.END,
    ),
    Option(
        "starts_at",
        lazy("Starts"),
        lazy("Empty: when you say so. You can start it sooner."),
        api_help="When it starts; null if it starts when it is full, or when you start it.",
    ),
    Option(
        "when_full",
        lazy("Starts as soon as it is full"),
        lazy("Give a number of places above."),
        api_help="Whether it starts as soon as all places are taken.",
        describe=lambda _is_on: _("It starts as soon as all places are taken."),
        section="entry",
    ),
    Option(
        "capacity",
        lazy("Places"),
        lazy("Who comes later is put on a waiting list. Empty: room for all."),
        api_help="How many entrants have a place; later ones join the waitlist. Null for no limit.",
    ),
    Option(
        "confirmation",
        lazy("Players confirm that they will be there"),
        lazy("Who has not confirmed by the start does not play."),
        api_help="Whether only those play who confirm shortly before the start.",
        describe=lambda _is_on: _("Only those who confirm before the start will play."),
        section="entry",
    ),
    Option(
        "by_invitation",
        lazy("By invitation only"),
        lazy("You invite people by name once it is made."),
        api_help="Whether only invited players can enter.",
        describe=lambda _is_on: _("By invitation only."),
        section="entry",
    ),
    Option(
        "late_entry",
        lazy("One can enter later"),
        lazy("For Swiss rounds: who comes after the start plays from the next round on."),
        api_help="Swiss: whether players can enter after the start.",
        describe=lambda _is_on: _("One can come in later, too, from the next round on."),
        section="entry",
        fixed_from=FixedFrom.END,
        formats={SWISS: ALL_TABLES},
    ),
    Option(
        "bots_allowed",
        lazy("Bots may take part"),
        lazy("Programs that somebody here runs. A game between a bot and a person is not rated."),
        api_help="Whether bot accounts may enter; a game between a bot and a person is not rated.",
        describe=lambda _is_on: _("Bots may take part; a game between a bot and a person is not rated."),
        section="entry",
        fixed_from=FixedFrom.FIRST_ENTRY,
    ),
    Option(
        "min_rating",
        lazy("Lowest rating"),
        api_help="The lowest rating with which a player can enter; null for any.",
        section="entry",
    ),
    Option(
        "max_rating",
        lazy("Highest rating"),
        lazy("Who begins has 1500. Empty: open to all."),
        api_help="The highest rating with which a player can enter; null for any.",
        section="entry",
    ),
    Option(
        "seeding",
        lazy("Seeds"),
        lazy("Who is strong meets the other strong ones late. You can set seeds by hand, too."),
        api_help="How entrants get their seeds, where no organiser sets them by hand.",
        section="entry",
    ),
    Option(
        "hold_on_warnings",
        lazy("Ask me when something is odd"),
        lazy(
            "A bye, somebody absent, a pairing that was played before: the round waits until you say go on."
        ),
        api_help="Whether a round with warnings waits for an organiser.",
        section="running",
        fixed_from=FixedFrom.END,
    ),
    Option(
        "manual_approval",
        lazy("I look at every round first"),
        lazy("No round begins before you have seen its pairings."),
        api_help="Whether every round waits for the approval of an organiser.",
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
        api_help="How a season is played: everybody against everybody else in the division, or Swiss rounds.",
        choices=((ROUND_ROBIN, lazy("Round robin")), (SWISS, lazy("Swiss rounds"))),
    ),
    Option(
        "round_count",
        lazy("Number of rounds"),
        lazy("For Swiss rounds. Empty: as many as it takes."),
        api_help="Swiss: the number of rounds.",
        section="shape",
        formats={SWISS: ALL_TABLES},
    ),
    Option(
        "division_size",
        lazy("Places in a division"),
        lazy("With eight, everybody plays seven games in a season."),
        is_required=True,
        form_default=8,
        api_help="How many players or pairs a division has.",
    ),
    Option(
        "promotion_count",
        lazy("How many go up, and down"),
        lazy("After each season, between neighbouring divisions."),
        api_help="How many are promoted, and relegated, after a season.",
    ),
    Option(
        "groups_per_division",
        lazy("Groups in a division"),
        lazy("With more than one, groups play apart and are ranked together."),
        api_help="How many groups a division has.",
        section="shape",
    ),
    replace(CYCLES, api_help="How many times two members meet in a season."),
    replace(ALL_ROUNDS_AT_ONCE, api_help="Whether all rounds of a season begin together."),
    Option(
        "newcomer_policy",
        lazy("Where new players begin"),
        api_help="Where new members begin: in the lowest division, or by their rating.",
    ),
    Option(
        "season_pause",
        lazy("Pause between two seasons"),
        lazy("Time to breathe, to leave and to come in. Empty: the next season begins at once."),
        duration_unit=HOURS,
        form_default=3 * DAYS,
        api_name="season_pause_seconds",
        api_help="The time between two seasons, in seconds.",
        section="shape",
    ),
    Option(
        "season_limit",
        lazy("Number of seasons"),
        lazy("Empty: season after season, until you close the league."),
        api_help="How many seasons are played; null for no limit.",
        section="shape",
    ),
)
